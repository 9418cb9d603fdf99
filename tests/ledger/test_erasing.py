"""One person who is forgotten everywhere, known only by a hash, and never texted again."""

from __future__ import annotations

from uuid import uuid4

import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, messages_frame, report, running, taken
from sqlalchemy import inspect, select, update
from test_forgetting import ended

from dashboard.errors import LedgerError, OptionError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.said import naming
from dashboard.reports import reconcile


def second(ledger: Ledger, campaign: str) -> str:
    return str(ledger.messages(campaign)["to"].iloc[1])


def everything(ledger: Ledger) -> str:
    """All that stands in the ledger, in one text; sheets unpacked."""
    with ledger.database.read() as connection:
        rows = [
            str(row)
            for table in schema.tables.sorted_tables
            if inspect(connection).has_table(table.name)
            for row in connection.execute(select(table))
        ]
    sheets = [ledger.sheet_rows(one).to_csv() for one in ledger.campaigns()["campaign"]]
    return "\n".join(rows + sheets)


def test_nothing_of_the_person_is_left_and_every_count_and_cost_stays(ledger: Ledger, clock: Clock) -> None:
    campaign = ended(ledger, clock)
    phone = second(ledger, campaign)
    ledger.add_opt_outs([phone], reason="STOP", source="x")
    ledger.remove_opt_out(phone, who="ann", reason="asked")
    ledger.add_opt_outs([phone], reason="STOP again", source="x")
    stray = {"uuid": "5f0c3a8e-1111-4222-8333-944445555666", "to": phone}
    ledger.record_reports([stray])
    odd = f"asked for 0{phone[3:7]} -- {phone[7:]}"
    ledger.add_opt_outs(["+447400900008"], reason=odd, source=odd)
    with ledger.database.write() as connection:  # as words were kept that lost no numbers
        for typed in (schema.opt_out.c.removed_by, schema.batch.c.reason):
            connection.execute(update(typed.table).values({typed: odd}))
    arabic = "".join(chr(0x660 + int(one)) for one in phone.removeprefix("+44"))
    ledger.record_reports([{"uuid": "5f0c3a8e-1111-4222-8333-944445555667", "to": arabic}])
    assert phone.removeprefix("+") in everything(ledger)
    before, bills = ledger.messages(campaign), reconcile(ledger.messages(campaign))
    assert ledger.forget_person(phone) == 1
    left = everything(ledger)
    assert phone.removeprefix("+") not in left
    assert phone.removeprefix("+44") not in left
    assert odd not in left
    after = ledger.messages(campaign)
    assert after["to"].tolist() == [before["to"].iloc[0], "", before["to"].iloc[2]]
    assert after["body"].iloc[1] == ""
    assert reconcile(after).equals(bills)
    assert len(ledger.sheet_rows(campaign)) == 2
    known = phone.removeprefix("+")
    contact = {"contact_methods": [{"address": f"+{known[:2]} {known[2:]}"}]}
    spelled = (f"+44 (0){known[2:]}", f"tel:+{known};ext=0", f"{' ' * 60}+{known}", float(known))
    spelled = (*spelled, int(known), f"00{known}", f"+44{arabic}")
    for about in ({"to": phone}, {"contact": contact}, *({"to": one} for one in spelled)):
        assert ledger.record_reports([{**stray, **about}]).unknown_uuids, "it is sent once more, and not kept"
    assert ledger.stray_reports().empty
    assert ledger.opt_out_history()[["reason", "source"]].to_numpy().tolist() == [["…", "…"]]
    assert ledger.person(phone).empty
    told = ledger.audit.entries().iloc[0]
    assert (told["what"], told["about"], told["details"]) == ("forget", "person", '{"messages":1}')
    assert ledger.audit.verify().holds


@ON_BOTH_DATABASES
def test_an_odd_report_stops_no_other_once_somebody_was_forgotten(ledger: Ledger) -> None:
    campaign = running(ledger, 2)
    uuids = [str(message.uuid) for message in taken(ledger, campaign).messages]
    ledger.forget_person("+447400900009")
    nested: object = []
    for _ in range(1_500):
        nested = [nested]
    odd = [*("", "+", "x", 7.5, None, [], {}, nested), "+9223372036854775808", "9" * 40]
    contacts = ({"contact_methods": what} for what in (7, [7], [{"address": 7}], None))
    strays = [{"to": what} for what in odd] + [{"to": "x", "contact": what} for what in contacts]
    reports = [{"uuid": str(uuid4()), **stray} for stray in strays]
    delivered = [report(uuid, delivered_at="2026-11-20T10:00:00.000000Z") for uuid in uuids]
    assert ledger.record_reports([*reports, *delivered]).taken == len(uuids)
    assert len(ledger.stray_reports()) == len(strays)


@each(
    "phone, named, others",
    [
        ("+376312345", ["+376 312 345", "00376312345"], ["2031-23-45", "6031234"]),
        ("+6902026", ["+690 2026"], ["on 2026-10-27"]),
        ("+123456", ["+123456"], ["2345"]),
        ("+25377600000", ["+253 60 00 00", "+253 77 60 00 00"], ["+253 77 60 00 01"]),
    ],
)
def test_short_numbers_and_numbers_that_became_others_are_found(
    phone: str, named: list[str], others: list[str]
) -> None:
    names = naming(phone)
    assert [one for one in named if not names(f'"spouse of {one}"')] == []
    assert [one for one in others if names(f'"spouse of {one}"')] == []


def test_who_was_forgotten_is_never_texted_again(ledger: Ledger, clock: Clock) -> None:
    phone = second(ledger, ended(ledger, clock))
    ledger.forget_person(phone)
    again = ledger.create_campaign("Autumn", messages_frame(3, "Autumn"), batch_size=3, token="t")
    assert ledger.campaign(again).dropped == 1
    assert ledger.messages(again, states=["dropped"])["to"].tolist() == [phone]
    assert ledger.create_campaign("Autumn", messages_frame(3, "Autumn"), batch_size=3, token="t") == again
    ledger.forget_person(phone)
    assert phone not in everything(ledger)
    ledger.remove_opt_out(phone, who="ann", reason="they asked")
    third = ledger.create_campaign("Winter", messages_frame(3, "Winter"), batch_size=3)
    assert ledger.campaign(third).dropped == 0
    ledger.forget_person(phone)
    ledger.add_opt_outs([phone], reason="in a list of STOPs")
    ledger.remove_opt_out(phone, who="ann", reason="they asked")
    last = ledger.create_campaign("Spring", messages_frame(3, "Spring"), batch_size=3)
    assert ledger.campaign(last).dropped == 0


def test_what_is_still_to_be_sent_to_them_is_dropped(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(3), batch_size=2)
    phone = second(ledger, campaign)
    ledger.forget_person(phone)
    assert ledger.campaign(campaign).dropped == 1
    ledger.start(campaign)
    got = claim(ledger, campaign)
    assert [one.to for one in got.messages] == [ledger.messages(campaign)["to"].iloc[0]]


def test_what_may_be_sent_again_has_to_be_decided_first(ledger: Ledger) -> None:
    campaign = running(ledger, 3)
    phone = second(ledger, campaign)
    claim(ledger, campaign, ledger.outbox.register(1))
    before = everything(ledger)
    with pytest.raises(LedgerError, match="Decide that"):
        ledger.forget_person(phone)
    with pytest.raises(OptionError):
        ledger.forget_person("Ann")
    assert everything(ledger) == before
