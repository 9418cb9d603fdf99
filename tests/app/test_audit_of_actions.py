"""Whatever a page changes leaves one row in the audit trail: what, by whom, and nothing personal."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain

import pandas as pd
import pytest
from app_seeds import british, prepared_campaign, sent_campaign, started_campaign, unknown_campaign
from page_reading import on_page
from patience import PATIENCE_S
from test_people import CHANGING, locked, seat_at

from dashboard.app import actions, drafting, people, runtime, starting
from dashboard.app.draft_sheets import sheet_of
from dashboard.app.drafts import Columns, Draft
from dashboard.app.runtime import Runtime
from dashboard.app.sample_history import SampleHistory
from dashboard.app.standing.follow_ups import Group
from dashboard.app.starts import Start
from dashboard.campaigns import write_messages
from dashboard.contacts import guess_columns
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.errors import DashboardError

PHONES = [f"+4479110{number:05d}" for number in range(1, 4)]
SHEET = "\n".join(["First name,Mobile", *(f"Zsazsa,{phone}" for phone in PHONES)]).encode()
PERSONAL = ("Zsazsa", "zsazsa", "79110", "called me", "Hi ")
"""A name, numbers, what a person wrote and what they send: none of it may stand in the trail."""

CHANGES_NOTHING = {"check_number", "rows_to_check", "put_away"}
"""They only ask; a list of thousands is asked number by number."""

Told = tuple[str, "partial[object]"]


def sheet() -> io.BytesIO:
    return io.BytesIO(SHEET)


def draft(app: Runtime, owner: str = "local", **choices: object) -> Draft:
    begun = app.drafts.begin(owner, "Zsazsa's friends.csv", sheet())
    fields = {"country": "GB", "step": 3, "name": "For Zsazsa", "template": "Hi {{First name}}"} | choices
    return app.drafts.save(Draft.model_validate(dict(begun) | fields))


def saved(app: Runtime) -> str:
    choices = {"country": "GB"}
    return app.ledger.lists.save("Zsazsa", sheet(), source="zsazsa.csv", who="x", choices=choices)


def answered(app: Runtime) -> str:
    """The key of an answer that is remembered."""
    asking = sheet_of_frame(pd.DataFrame({"Mobile": PHONES, "Zsazsa said": ["y", "n", ""]}))
    columns = guess_columns(asking).answered({}, none_of_these=True)
    app.ledger.column_answers.remember(asking, columns, who="x")
    return app.ledger.column_answers.all()[0].key


def of_drafts(app: Runtime) -> Iterator[Told]:
    """Each change with the word under which it is told; what it needs is there when it is asked for."""
    yield "sample", partial(actions.fill_sample_history)
    yield "sample", partial(actions.remove_sample_history)
    one = draft(app)
    app.ledger.lists.remember_columns(sheet_of(one), Columns(phones=("Mobile",)).model_dump_json())
    yield "edit", partial(drafting.recall_columns, one)
    yield "start", partial(starting.start_campaign, one)
    yield "upload", partial(drafting.begin_draft, "Zsazsa.csv", sheet())
    yield "upload", partial(drafting.begin_sample)
    two = draft(app, variants=({"name": "A", "template": "Hi"}, {"name": "B", "template": "Ho"}))
    yield "upload", partial(drafting.replace_sheet, two, "zsazsa.csv", sheet())
    yield "upload", partial(drafting.add_list, two.id, "zsazsa.csv", sheet(), leaves_out=True)
    yield "edit", partial(drafting.add_saved_list, two.id, saved(app), leaves_out=False)
    yield "edit", partial(drafting.change_draft, two.id, template="Hi Zsazsa", name="Zsazsa")
    yield "edit", partial(drafting.change_variant, two.id, 1, template="Hi Zsazsa")
    three = draft(app)
    further = app.drafts.add_list(three, "zsazsa.csv", sheet(), leaves_out=True).id
    yield "edit", partial(drafting.confirm_columns, three)
    yield "edit", partial(drafting.remove_list, three.id, further)
    yield "save list", partial(drafting.save_list, three, "Zsazsa")
    yield "delete", partial(drafting.discard_draft, three)
    yield "begin", partial(drafting.use_list, saved(app))
    yield "delete", partial(drafting.delete_list, saved(app))
    yield "save text", partial(actions.save_text, "For Zsazsa", "Hi Zsazsa")
    text = app.ledger.library.save("A", "Hi Zsazsa", who="x")
    app.ledger.library.save("A", "Ho", who="x")
    yield "save text", partial(actions.restore_text, text.id, 1)
    yield "save text", partial(actions.rename_text, text.id, "Of Zsazsa")
    yield "delete", partial(actions.delete_text, text.id)


def of_campaigns(app: Runtime) -> Iterator[Told]:
    yield "begin", partial(drafting.follow_up, sent_campaign(app.ledger, "Zsazsa"), Group.FAILED, 3)
    earlier = [{"name": "a", "saved_list": saved(app)}, {"name": "b", "saved_list": saved(app)}]
    own = prepared_campaign(
        app.ledger, "Zsazsa", audience={"lists": earlier}, scheduled_at=datetime.now(UTC) + timedelta(hours=1)
    )
    yield "begin", partial(drafting.use_texts, own)
    yield "begin", partial(drafting.use_earlier_lists, app.drafts.open_ones("local")[0].id)
    yield "schedule", partial(actions.move_campaign, own, datetime.now(UTC) + timedelta(hours=2))
    messages = write_messages(british(PHONES), "Hi", campaign="Zsazsa")
    yield "start", partial(starting.send_trial, draft(app), messages, 0, ["+447911000009"])
    campaign = prepared_campaign(app.ledger, "Zsazsa")
    yield "start", partial(actions.start_prepared, campaign)
    yield "pause", partial(actions.pause_campaign, campaign)
    yield "resume", partial(actions.resume_campaign, campaign)
    yield "cancel", partial(actions.cancel_campaign, campaign)
    asked = prepared_campaign(app.ledger, "Zsazsa")
    assert not app.ledger.approvals.start(asked, who="bob@example.com", above=2)
    yield "approve", partial(actions.approve_campaign, asked)
    uuid = app.ledger.messages(asked)["uuid"].iloc[0]
    reports = [{"uuid": uuid, "status": "Zsazsa"}, {"status": "x"}]
    yield "upload", partial(actions.record_reports, reports)
    app.ledger.record_reports([{"uuid": uuid, "failure_reason": "Zsazsa has opted out"}])
    yield "opt-out import", partial(actions.add_who_told_stop, asked)
    unknown = unknown_campaign(app.ledger)
    newest = app.ledger.unknown_total(unknown).newest_at
    yield "decision", partial(actions.decide_batches, unknown, "accepted", "Zsazsa called me", as_of=newest)


def of_everybody(app: Runtime) -> Iterator[Told]:
    source = {"reason": "Zsazsa called me", "source": "zsazsa.csv"}
    yield "opt-out import", partial(actions.add_opt_outs, PHONES, **source)
    yield "opt-out removal", partial(actions.remove_opt_out, PHONES[0], reason="Zsazsa called me")
    app.ledger.distrust()
    yield "opt-outs confirmed", partial(actions.acknowledge_missing_opt_outs)
    values = {"opt_out_line": f"Zsazsa, {PHONES[0]}", "credits_per_day": 5000}
    yield "setting", partial(actions.change_settings, values)
    yield "add person", partial(actions.add_person, "new@example.com", "viewer")
    yield "change person", partial(actions.change_person, "new@example.com", "sender")
    yield "remove person", partial(actions.remove_person, "new@example.com")
    yield "setting", partial(actions.choose_language, "de")
    yield "setting", partial(actions.forget_answer, answered(app))
    yield "export", partial(actions.handed_out, lambda: b"Zsazsa", "opt-outs", "csv")


def test_every_action_leaves_one_row_with_who_and_nothing_personal(
    wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one that changes something is tried above, with the word under which it is told."""
    monkeypatch.setattr(SampleHistory, "fill", lambda *_: None)
    tried = {*CHANGES_NOTHING}

    def try_all() -> None:
        for told, change in chain(of_drafts(wired), of_campaigns(wired), of_everybody(wired)):
            before = wired.ledger.audit.count()
            made = change()
            if isinstance(made, Start):
                assert made.result(PATIENCE_S)
            elif callable(made):
                made()
            new = wired.ledger.audit.entries(limit=wired.ledger.audit.count() - before)
            assert new[["what", "who"]].to_numpy().tolist() == [[told, "local"]], f"{change}: {new}"
            tried.add(change.func.__name__)

    on_page(try_all)
    assert {one.__name__ for one in CHANGING} == tried
    assert wired.ledger.audit.verify().holds
    everything = wired.ledger.audit.entries().drop(columns=["hash"]).to_csv()
    assert [found for found in PERSONAL if found in everything] == []


def test_nothing_is_told_of_what_only_asks_or_changed_nothing(wired: Runtime) -> None:
    one, listed = draft(wired), saved(wired)
    running = started_campaign(wired.ledger, "Spring", 2)
    wired.ledger.settings.change({"credits_per_day": 7}, who="x")
    before = wired.ledger.audit.count()

    def nothing() -> None:
        actions.check_number(PHONES[0], "GB")
        drafting.rows_to_check(listed)
        drafting.change_draft(one.id, name=one.name)
        drafting.change_draft(one.id, step=4)
        drafting.change_draft("0" * 32, name="gone")
        drafting.delete_list("gone")
        actions.start_prepared(running)
        actions.change_settings({"credits_per_day": 7})
        with suppress(DashboardError):
            actions.resume_campaign("gone")

    on_page(nothing)
    assert wired.ledger.audit.count() == before


def test_who_is_signed_in_is_who_did_it(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the thread that starts a campaign; the next person's row is not the last one's."""
    opened = locked(wired)
    runtime.use(opened)
    address = "ann@example.com"
    monkeypatch.setattr(people, "visitor", lambda: people.Person(address, "sender"))
    one = draft(opened, address)
    run_on_page(lambda: starting.start_campaign(one))
    assert opened.ledger.audit.entries(what="start")["who"].tolist() == [address]
    seat = seat_at(opened, "vic@example.com")
    assert opened.desk is not None
    opened.desk.end(seat)
    opened.desk.tell_refusal()
    assert opened.ledger.audit.entries(limit=3)[["who", "what"]].to_numpy().tolist() == [
        ["", "refused sign-in"],
        ["vic@example.com", "sign-out"],
        ["vic@example.com", "sign-in"],
    ]


def run_on_page(change: Callable[[], object]) -> None:
    """Where pages run, to the end of what goes on in the background."""
    made = on_page(change)
    if isinstance(made, Start):
        assert made.result(PATIENCE_S)
