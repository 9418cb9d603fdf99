"""A past campaign made again: nothing differs unless something changed, and then it is said."""

from __future__ import annotations

import pandas as pd
from fixtures_ledger import accepted, claim, taken
from sqlalchemy import event

from dashboard.campaigns import Variant, write_messages
from dashboard.contacts import clean_contacts
from dashboard.ledger import Ledger
from dashboard.reports import replay
from dashboard.reports.schema import SCHEMAS

SHEET = pd.DataFrame(
    {"phone": ["07400 123456", "07400 123457", "07400 123458"], "first_name": ["Ann", "Ben", "Cleo"]}
)
TEXT = "Hi {{first_name}}, " + "a" * 120 + " https://shop.example.com/spring/sale"


def frozen(ledger: Ledger, template: str | list[Variant] = TEXT) -> str:
    messages = write_messages(clean_contacts(SHEET, country="GB"), template, campaign="Spring")
    return ledger.create_campaign("Spring", messages, batch_size=10, service="https://sms.example")


def test_nothing_differs_while_nothing_has_changed(ledger: Ledger) -> None:
    for template in (TEXT, [Variant("A", TEXT), Variant("B", "Hello {{first_name}}")]):
        again = ledger.replay(frozen(ledger, template), contacts=clean_contacts(SHEET, country="GB"))
        assert (again.messages, len(again.differences)) == (3, 0)
        assert again.credits_then == again.credits_today
        assert again.summary().empty


def test_short_links_learned_and_opt_outs_made_since_make_a_difference(ledger: Ledger) -> None:
    campaign = frozen(ledger)
    ledger.start(campaign)
    got = claim(ledger, campaign)
    sent = TEXT.replace("{{first_name}}", "Ann").partition("https")[0] + "https://s.example/abc"
    ledger.outbox.settle(got, accepted(got, credits_used=1, body=sent))
    again = ledger.replay(campaign)
    assert again.credits_then == (3, 6)
    assert again.credits_today == (3, 3)
    assert again.summary()[["difference", "messages"]].to_numpy().tolist() == [["credits", 3]]
    assert again.differences["then"].unique().tolist() == ["1–2"]
    ledger.add_opt_outs(["+447400123457"])
    differences = ledger.replay(campaign).differences
    assert differences.loc[differences["difference"] == "opted_out", "row"].tolist() == [3]
    left_out = ledger.replay(frozen(ledger)).differences["difference"]
    assert "opted_out" not in left_out.tolist(), "it was not texted then either"


def test_what_is_written_while_it_is_read_makes_no_difference(ledger: Ledger) -> None:
    campaign, began = frozen(ledger), list[bool]()
    ledger.start(campaign)
    taken(ledger, campaign)

    def opt_out(*_: object) -> None:
        if not began:
            began.append(True)
            other.add_opt_outs(["+447400123457"])

    with Ledger.open(ledger.database.url) as other:
        event.listen(ledger.database.engine, "after_cursor_execute", opt_out)
        again = ledger.replay(campaign)
        event.remove(ledger.database.engine, "after_cursor_execute", opt_out)
    assert again.summary().empty
    assert ledger.replay(campaign).summary()["difference"].tolist() == ["opted_out"]


def test_another_sheet_is_compared_person_by_person(ledger: Ledger) -> None:
    campaign = frozen(ledger)
    later = SHEET.assign(phone=["07400 123456", "nope", "07400 123459"], first_name=["Anna", "Ben", "Cleo"])
    summary = ledger.replay(campaign, contacts=clean_contacts(later, country="GB")).summary()
    assert summary.set_index("difference")["messages"].to_dict() == {"left_out": 2, "text": 1, "added": 1}


def test_a_number_that_is_none_any_more_is_named(ledger: Ledger) -> None:
    messages = ledger.messages(frozen(ledger))
    odd = messages.assign(to=["+447400123456", "+44123", "+33612345678"])
    again = replay(odd)
    assert again.summary().set_index("difference")["messages"].to_dict() == {
        "number": 1,
        "country": 1,
        "credits": 1,
    }, "it would not be sent"
    declared = {column.name: column.dtype for column in SCHEMAS["Replay.differences"]}
    assert {str(c): str(t) for c, t in again.differences.dtypes.items()} == declared
