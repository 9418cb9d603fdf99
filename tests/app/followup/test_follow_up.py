"""Who is written to again after a campaign: the right people, once, and nothing is sent by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import STATES, claim
from hypothesis import given
from hypothesis import strategies as st
from page_reading import Open, button, on_page, words
from wizard_steps import figures

from dashboard import words as words_of
from dashboard.app import drafting
from dashboard.app.drafts import Columns
from dashboard.app.runtime import Runtime
from dashboard.app.standing.follow_ups import COLUMNS, Group, chosen, people
from dashboard.campaigns import write_messages
from dashboard.contacts import ColumnMap, clean_contacts, guess_columns, read_sheet
from dashboard.ledger.outbox.settle import Settlement

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

HOURS = st.none() | st.integers(-300, 60).map(lambda hours: NOW + timedelta(hours=hours))
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "to": st.sampled_from([f"+4474001{number}" for number in range(10_000, 10_012)]),
            "state": st.sampled_from(STATES),
            "failure_reason": st.sampled_from([None, "expired"]),
            **dict.fromkeys(["scheduled_at", "sent_at", "delivered_at", "handed_over_at"], HOURS),
        }
    ),
    max_size=12,
)


def frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    made = pd.DataFrame([{"row": row + 2, **one} for row, one in enumerate(rows)], columns=list(COLUMNS))
    times = ["scheduled_at", "sent_at", "delivered_at", "handed_over_at"]
    return made.assign(**{name: pd.to_datetime(made[name], utc=True) for name in times})


def belongs(one: dict[str, Any], group: Group, days: int) -> bool:
    """By the promise: what became of the message as people would say it."""
    taken = one["state"] == "accepted"
    arrived = taken and one["delivered_at"] is not None
    failed = taken and not arrived and one["failure_reason"] is not None
    refused = one["state"] == "rejected"
    waits_since = max((at for at in (one["handed_over_at"], one["scheduled_at"]) if at), default=None)
    to_come = one["scheduled_at"] is not None and one["scheduled_at"] > NOW
    open_ = taken and not arrived and not failed and (one["sent_at"] or not to_come)
    late = bool(open_ and waits_since and waits_since <= NOW - timedelta(days=days))
    return {
        Group.NOT_REACHED: failed or refused or late,
        Group.NOT_DELIVERED: late,
        Group.FAILED: failed,
        Group.REJECTED: refused,
        Group.DELIVERED: arrived,
    }[group]


@given(rows=MESSAGES, group=st.sampled_from(list(Group)), days=st.integers(0, 9))
def test_a_group_is_what_its_words_say_and_each_number_is_in_it_once(
    rows: list[dict[str, Any]], group: Group, days: int
) -> None:
    messages = frame(rows)
    mine = messages[chosen(messages, group, days, NOW)]
    assert mine["row"].tolist() == [row + 2 for row, one in enumerate(rows) if belongs(one, group, days)]
    found = people(mine, pd.DataFrame({"row": messages["row"], "Shop": "Leeds"}), NOW)
    assert found.sheet[found.phone].tolist() == list(dict.fromkeys(mine["to"]))


STATUSES = ("Failed", "Refused", "Rejected", "Delivered", "Sent", "Accepted", "Fehlgeschlagen", "Échec")
REASONS = ("handset switched off", "unknown subscriber", "expired", "blocked by carrier", "no route", "")


def test_what_became_of_a_message_is_not_read_as_a_no() -> None:
    numbers = [f"+4474001{place * 7919 % 100_000:05d}" for place in range(len(STATUSES) * len(REASONS))]
    cells = [(status, reason) for status in STATUSES for reason in REASONS]
    sheet = pd.DataFrame(cells, columns=["Earlier status", "Earlier reason"])
    sheet.insert(0, "Number", numbers)
    contacts = clean_contacts(sheet, country=None, columns=ColumnMap(phones=("Number",)))
    assert contacts.count("ok") == len(numbers)
    told = sheet.assign(**{"Earlier reason": "recipient opted out"})
    assert clean_contacts(told, country=None).count("ok") == 0


SHEET = b"Mobile,First name,Number,Home phone\n07400 111222,Ann,4,0113 496 0000\n07400 333444,Ben,12,\n"


@pytest.fixture
def refused(wired: Runtime) -> str:
    """A campaign from a sheet that the service refused."""
    return refused_from(wired, SHEET)


def refused_from(wired: Runtime, content: bytes) -> str:
    sheet = read_sheet(content)
    contacts = clean_contacts(
        sheet, country="GB", columns=ColumnMap(phones=("Mobile",), first_name="First name")
    )
    messages = write_messages(contacts, "Hi {{ First name }}", campaign="Spring sale", sender="SHOP")
    ledger = wired.ledger
    campaign = ledger.create_campaign("Spring sale", messages, batch_size=10, sheet=sheet)
    ledger.start(campaign)
    claimed = claim(ledger, campaign, ledger.outbox.register(1))
    ledger.outbox.settle(claimed, Settlement("rejected", "rejected", http_status=422, detail="no credit"))
    ledger.outbox.finish()
    return campaign


def test_the_refused_are_tried_again_in_a_draft_of_their_own(
    open_page: Open, wired: Runtime, refused: str
) -> None:
    before = wired.ledger.messages(refused)
    page = open_page("campaign", id=refused)
    button(page, "Follow up…").click().run()
    assert "the service does not report clicks" in words(page)
    page.radio(key=f"follow-up-group-{refused}").set_value(Group.DELIVERED)
    page.button(key="begin-follow-up").click().run()
    assert "Nobody is in this group." in words(page)
    assert wired.drafts.open_ones("local") == []
    button(page, "Try 2 rejected again").click().run()
    (draft,) = wired.drafts.open_ones("local")
    assert (draft.name, draft.template, draft.sender) == ("Spring sale", "Hi {{ First name }}", "SHOP")
    assert isinstance(draft.columns, Columns)
    assert draft.columns.phones == ("Number#2",)  # not the house number, and nobody's other phone
    table = read_sheet(wired.drafts.sheet(draft)).frame
    assert table["First name"].tolist() == ["Ann", "Ben"]
    assert table["Number#2"].tolist() == ["+447400111222", "+447400333444"]
    assert table["Earlier status"].tolist() == ["Rejected", "Rejected"]
    assert wired.ledger.messages(refused).equals(before)
    assert len(wired.ledger.campaigns()) == 1  # nothing is sent, nothing is made
    assert figures(open_page("new", draft=draft.id))["Ready to send"] == "2"
    wired.ledger.forget(before=datetime.now(UTC) + timedelta(days=1))
    labels = {one.label for one in open_page("campaign", id=refused).button}
    assert not labels & {"Follow up…", "Try 2 rejected again"}


def test_what_the_sheet_asked_is_answered_as_it_is_remembered_or_asked_again(wired: Runtime) -> None:
    content = b"Mobile,First name,MKT_SUPP_IND\n07400 111222,Ann,N\n07400 333444,Ben,N\n"
    campaign = refused_from(wired, content)
    assert on_page(lambda: drafting.follow_up(campaign, Group.REJECTED, 3)).step == 2
    sheet = read_sheet(content)
    answered = guess_columns(sheet).answered({"MKT_SUPP_IND": {"N": "may"}})
    wired.ledger.column_answers.remember(sheet, answered, who="ann@example.com")
    again = on_page(lambda: drafting.follow_up(campaign, Group.REJECTED, 3))
    assert again.step == 2, "nobody has seen the answers"
    assert again.columns.answers == {"MKT_SUPP_IND": {"N": "may"}}


def test_what_became_of_the_earlier_message_is_no_question_in_any_language() -> None:
    try:
        for language in words_of.languages():
            words_of.use(language)
            once = frame([{"to": "+447400111222", "state": "rejected"}])
            found = people(once, pd.DataFrame({"row": []}), NOW)
            assert guess_columns(found.sheet).questions == (), found.sheet.columns
    finally:
        words_of.use(words_of.ENGLISH)


def test_it_begins_with_the_sheet_even_if_the_campaign_had_none() -> None:
    found = people(frame([{"to": "+447400111222", "state": "rejected"}]), pd.DataFrame({"row": []}), NOW)
    assert found.phone == "Number"
    assert found.sheet.to_dict("list") == {
        "Number": ["+447400111222"],
        "Earlier status": ["Rejected"],
        "Earlier reason": [""],
    }
