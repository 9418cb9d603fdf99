"""Whatever a page changes leaves one row in the audit trail: what, by whom, and nothing personal."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from app_seeds import british, sent_campaign, started_campaign, unknown_campaign
from page_reading import on_page
from patience import PATIENCE_S
from test_people import CHANGING, locked, seat_at

from dashboard.app import actions, people, runtime
from dashboard.app.drafts import Columns, Draft
from dashboard.app.runtime import Runtime
from dashboard.app.standing.follow_ups import Group
from dashboard.app.starts import Start
from dashboard.campaigns import write_messages
from dashboard.errors import DashboardError
from dashboard.ledger.audit.verbs import VERBS

PHONES = [f"+4479110{number:05d}" for number in range(1, 4)]
SHEET = "\n".join(["First name,Mobile", *(f"Zsazsa,{phone}" for phone in PHONES)]).encode()
PERSONAL = ("Zsazsa", "zsazsa", "79110", "called me", "Hi ")
"""A name, numbers, what a person wrote and what they send: none of it may stand in the trail."""

Change = Callable[[], object]


def sheet() -> io.BytesIO:
    return io.BytesIO(SHEET)


def draft(app: Runtime, **choices: object) -> Draft:
    begun = app.drafts.begin("local", "Zsazsa's friends.csv", sheet())
    fields = {"country": "GB", "step": 3, "name": "For Zsazsa", "template": "Hi {{First name}}"} | choices
    return app.drafts.save(Draft.model_validate(dict(begun) | fields))


def saved(app: Runtime) -> str:
    choices = {"country": "GB"}
    return app.ledger.lists.save("Zsazsa", sheet(), source="zsazsa.csv", who="x", choices=choices)


def with_list(app: Runtime) -> tuple[Draft, str]:
    one = draft(app)
    return one, app.drafts.add_list(one, "zsazsa.csv", sheet(), leaves_out=True).id


def prepared(app: Runtime, **how: Any) -> str:
    messages = write_messages(british(PHONES), "Hi", campaign="Zsazsa")
    return app.ledger.create_campaign("Zsazsa", messages, batch_size=1, **how)


def begin_draft(app: Runtime) -> Change:
    return lambda: actions.begin_draft("Zsazsa.csv", sheet())


def begin_sample(app: Runtime) -> Change:
    return actions.begin_sample


def fill_sample_history(app: Runtime) -> Change:
    del app
    return actions.fill_sample_history


def remove_sample_history(app: Runtime) -> Change:
    del app
    return actions.remove_sample_history


def replace_sheet(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.replace_sheet(one, "zsazsa.csv", sheet())


def add_list(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.add_list(one.id, "zsazsa.csv", sheet(), leaves_out=True)


def add_saved_list(app: Runtime) -> Change:
    one, listed = draft(app), saved(app)
    return lambda: actions.add_saved_list(one.id, listed, leaves_out=False)


def remove_list(app: Runtime) -> Change:
    one, further = with_list(app)
    return lambda: actions.remove_list(one.id, further)


def change_draft(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.change_draft(one.id, template="Hi Zsazsa", name="Zsazsa")


def change_variant(app: Runtime) -> Change:
    one = draft(app, variants=({"name": "A", "template": "Hi"}, {"name": "B", "template": "Ho"}))
    return lambda: actions.change_variant(one.id, 1, template="Hi Zsazsa")


def recall_columns(app: Runtime) -> Change:
    actions_of = draft(app)

    def change() -> object:
        from dashboard.app.draft_sheets import sheet_of  # noqa: PLC0415
        from dashboard.contacts import header_signature  # noqa: PLC0415

        signature = header_signature(sheet_of(actions_of))
        assert signature
        app.ledger.lists.remember_columns(signature, Columns(phones=("Mobile",)).model_dump_json())
        return actions.recall_columns(actions_of)

    return change


def confirm_columns(app: Runtime) -> Change:
    one, _ = with_list(app)
    return lambda: actions.confirm_columns(one)


def save_list(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.save_list(one, "Zsazsa")


def use_list(app: Runtime) -> Change:
    listed = saved(app)
    return lambda: actions.use_list(listed)


def use_texts(app: Runtime) -> Change:
    campaign = started_campaign(app.ledger, "Zsazsa", 2)
    return lambda: actions.use_texts(campaign)


def follow_up(app: Runtime) -> Change:
    campaign = sent_campaign(app.ledger, "Zsazsa")
    return lambda: actions.follow_up(campaign, Group.FAILED, 3)


def use_earlier_lists(app: Runtime) -> Change:
    listed, other = saved(app), saved(app)
    earlier = [{"name": "a", "saved_list": listed}, {"name": "b", "saved_list": other, "leaves_out": True}]
    campaign = prepared(app, audience={"lists": earlier})
    again = actions.use_texts(campaign)
    return lambda: actions.use_earlier_lists(again.id)


def delete_list(app: Runtime) -> Change:
    listed = saved(app)
    return lambda: actions.delete_list(listed)


def save_text(app: Runtime) -> Change:
    del app
    return lambda: actions.save_text("For Zsazsa", "Hi Zsazsa")


def rename_text(app: Runtime) -> Change:
    saved_text = app.ledger.library.save("A", "Hi Zsazsa", who="x")
    return lambda: actions.rename_text(saved_text.id, "For Zsazsa")


def restore_text(app: Runtime) -> Change:
    saved_text = app.ledger.library.save("A", "Hi Zsazsa", who="x")
    app.ledger.library.save("A", "Ho", who="x")
    return lambda: actions.restore_text(saved_text.id, 1)


def delete_text(app: Runtime) -> Change:
    saved_text = app.ledger.library.save("A", "Hi Zsazsa", who="x")
    return lambda: actions.delete_text(saved_text.id)


def discard_draft(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.discard_draft(one)


def start_campaign(app: Runtime) -> Change:
    one = draft(app)
    return lambda: actions.start_campaign(one)


def send_trial(app: Runtime) -> Change:
    one = draft(app)
    messages = write_messages(british(PHONES), "Hi", campaign="Zsazsa")
    return lambda: actions.send_trial(one, messages, 0, ["+447911000009"])


def start_prepared(app: Runtime) -> Change:
    campaign = prepared(app)
    return lambda: actions.start_prepared(campaign)


def approve_campaign(app: Runtime) -> Change:
    campaign = prepared(app)
    assert not app.ledger.approvals.start(campaign, who="bob@example.com", above=2)
    return lambda: actions.approve_campaign(campaign)


def move_campaign(app: Runtime) -> Change:
    campaign = prepared(app, scheduled_at=datetime.now(UTC) + timedelta(hours=1))
    return lambda: actions.move_campaign(campaign, datetime.now(UTC) + timedelta(hours=2))


def pause_campaign(app: Runtime) -> Change:
    campaign = started_campaign(app.ledger, "Zsazsa", 2)
    return lambda: actions.pause_campaign(campaign)


def resume_campaign(app: Runtime) -> Change:
    campaign = started_campaign(app.ledger, "Zsazsa", 2)
    app.ledger.pause(campaign, "why")
    return lambda: actions.resume_campaign(campaign)


def cancel_campaign(app: Runtime) -> Change:
    campaign = started_campaign(app.ledger, "Zsazsa", 2)
    return lambda: actions.cancel_campaign(campaign)


def decide_batches(app: Runtime) -> Change:
    campaign = unknown_campaign(app.ledger)
    return lambda: actions.decide_batches(campaign, "accepted", "Zsazsa called me")


def add_opt_outs(app: Runtime) -> Change:
    return lambda: actions.add_opt_outs(PHONES, reason="Zsazsa called me", source="zsazsa.csv")


def acknowledge_missing_opt_outs(app: Runtime) -> Change:
    app.ledger.distrust()
    return actions.acknowledge_missing_opt_outs


def remove_opt_out(app: Runtime) -> Change:
    app.ledger.add_opt_outs(PHONES)
    return lambda: actions.remove_opt_out(PHONES[0], reason="Zsazsa called me")


def record_reports(app: Runtime) -> Change:
    campaign = started_campaign(app.ledger, "Zsazsa", 2)
    uuid = app.ledger.messages(campaign)["uuid"].iloc[0]
    return lambda: actions.record_reports([{"uuid": uuid, "status": "Zsazsa"}, {"status": "x"}])


def change_settings(app: Runtime) -> Change:
    values = {"opt_out_line": f"Zsazsa, {PHONES[0]}", "credits_per_day": 5000}
    return lambda: actions.change_settings(values)


def add_person(app: Runtime) -> Change:
    del app
    return lambda: actions.add_person("new@example.com", "viewer")


def change_person(app: Runtime) -> Change:
    app.ledger.people.add("new@example.com", "viewer", who="x", given=app.given)
    return lambda: actions.change_person("new@example.com", "sender")


def remove_person(app: Runtime) -> Change:
    app.ledger.people.add("new@example.com", "viewer", who="x", given=app.given)
    return lambda: actions.remove_person("new@example.com")


def choose_language(app: Runtime) -> Change:
    return lambda: actions.choose_language("de")


def handed_out(app: Runtime) -> Change:
    return actions.handed_out(lambda: b"Zsazsa", "opt-outs", "csv")


TOLD: dict[Callable[[Runtime], Change], str] = {
    begin_draft: "upload",
    begin_sample: "upload",
    fill_sample_history: "sample",
    remove_sample_history: "sample",
    replace_sheet: "upload",
    add_list: "upload",
    add_saved_list: "edit",
    remove_list: "edit",
    change_draft: "edit",
    change_variant: "edit",
    recall_columns: "edit",
    confirm_columns: "edit",
    save_list: "save list",
    use_list: "begin",
    use_texts: "begin",
    follow_up: "begin",
    use_earlier_lists: "begin",
    delete_list: "delete",
    save_text: "save text",
    rename_text: "save text",
    restore_text: "save text",
    delete_text: "delete",
    discard_draft: "delete",
    start_campaign: "start",
    send_trial: "start",
    start_prepared: "start",
    approve_campaign: "approve",
    move_campaign: "schedule",
    pause_campaign: "pause",
    resume_campaign: "resume",
    cancel_campaign: "cancel",
    decide_batches: "decision",
    add_opt_outs: "opt-out import",
    acknowledge_missing_opt_outs: "opt-outs confirmed",
    remove_opt_out: "opt-out removal",
    record_reports: "upload",
    change_settings: "setting",
    add_person: "add person",
    change_person: "change person",
    remove_person: "remove person",
    choose_language: "setting",
    handed_out: "export",
}
CHANGES_NOTHING = {"check_number", "rows_to_check"}
"""They only ask; a list of thousands is asked number by number."""


def test_every_action_is_tried_here() -> None:
    """A new one that changes something goes into TOLD, with the word under which it is told."""
    assert {one.__name__ for one in CHANGING} == {one.__name__ for one in TOLD} | CHANGES_NOTHING
    assert set(TOLD.values()) <= set(VERBS)


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.__name__)
def test_an_action_leaves_one_row_with_who_and_nothing_personal(
    wired: Runtime, case: Callable[[Runtime], Change]
) -> None:
    change = case(wired)
    before = wired.ledger.audit.count()
    run_on_page(change)
    new = wired.ledger.audit.entries(limit=wired.ledger.audit.count() - before)
    assert new["what"].tolist() == [TOLD[case]]
    assert new["who"].tolist() == ["local"]
    assert wired.ledger.audit.verify().holds
    everything = wired.ledger.audit.entries().drop(columns=["hash"]).to_csv()
    assert [found for found in PERSONAL if found in everything] == []


@pytest.mark.parametrize("name", sorted(CHANGES_NOTHING))
def test_what_only_asks_leaves_none(wired: Runtime, name: str) -> None:
    listed = saved(wired)
    before = wired.ledger.audit.count()
    given = (listed,) if name == "rows_to_check" else (PHONES[0], "GB")
    run_on_page(lambda: getattr(actions, name)(*given))
    assert wired.ledger.audit.count() == before


def test_nothing_is_told_of_what_changed_nothing(wired: Runtime) -> None:
    one = draft(wired)
    running = started_campaign(wired.ledger, "Spring", 2)
    wired.ledger.settings.change({"credits_per_day": 7}, who="x")
    before = wired.ledger.audit.count()

    def nothing() -> None:
        actions.change_draft(one.id, name=one.name)
        actions.change_draft(one.id, step=4)
        actions.change_draft("0" * 32, name="gone")
        actions.delete_list("gone")
        actions.start_prepared(running)
        actions.change_settings({"credits_per_day": 7})
        with suppress(DashboardError):
            actions.resume_campaign("gone")

    run_on_page(nothing)
    assert wired.ledger.audit.count() == before


def test_who_is_signed_in_is_who_did_it(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the thread that starts a campaign; the next person's row is not the last one's."""
    opened = locked(wired)
    runtime.use(opened)
    address = "ann@example.com"
    monkeypatch.setattr(people, "visitor", lambda: people.Person(address, "sender"))
    begun = opened.drafts.begin(address, "c.csv", sheet())
    fields = {"country": "GB", "step": 3, "name": "Spring", "template": "Hi"}
    one = opened.drafts.save(Draft.model_validate(dict(begun) | fields))
    run_on_page(lambda: actions.start_campaign(one))
    assert opened.ledger.audit.entries(what="start")["who"].tolist() == [address]
    seat = seat_at(opened, "vic@example.com")
    assert opened.desk is not None
    opened.desk.end(seat)
    assert opened.ledger.audit.entries(limit=2)[["who", "what"]].to_numpy().tolist() == [
        ["vic@example.com", "sign-out"],
        ["vic@example.com", "sign-in"],
    ]


def test_who_was_not_admitted_is_told_as_nobody(wired: Runtime) -> None:
    desk = locked(wired).desk
    assert desk is not None
    desk.tell_refusal()
    row = wired.ledger.audit.entries().iloc[0]
    assert (row["who"], row["what"]) == ("", "refused sign-in")


def run_on_page(change: Change) -> None:
    """Where pages run, to the end of what goes on in the background."""
    made = on_page(change)
    if isinstance(made, Start):
        assert made.result(PATIENCE_S)
