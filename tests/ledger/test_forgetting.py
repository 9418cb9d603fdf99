"""What is left of a campaign once its numbers and texts are forgotten, and what is never forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    Clock,
    accepted,
    claim,
    file_of,
    messages_frame,
    report,
    running,
)
from sqlalchemy import inspect, select, update
from sqlalchemy.exc import DBAPIError

from dashboard.contacts import read_sheet
from dashboard.errors import CampaignError, LedgerError
from dashboard.ledger import Ledger, forgetting
from dashboard.ledger.database import connections, schema
from dashboard.ledger.outbox.settle import Settlement
from dashboard.reports import campaign_workbook, reconcile
from dashboard.reports.files.campaign_page import campaign_page

SHEET = read_sheet(b"phone;shop\n07400900000;north\n07400900001;south\n07400900002;north\n")
PERSONAL = ["to", "body", "sent_body", "contact_uuid", "extra"]


ENDED = b"4474009000|Hello"


def ended(ledger: Ledger, clock: Clock, count: int = 3) -> str:
    """A campaign all of whose messages were taken, then delivered, and that is over."""
    campaign = running(ledger, count, sheet=SHEET, audience={"conditions": ["shop is north"]})
    got = claim(ledger, campaign)
    said = {"body": "Hello you", "contact": {"uuid": "c1", "uri": "tel"}, "colour": "blue", "credits_used": 2}
    ledger.outbox.settle(got, accepted(got, **said))
    ledger.outbox.finish()
    clock.advance(60)
    return campaign


def old(clock: Clock) -> datetime:
    return clock.advance(86_400) - timedelta(hours=1)


def test_numbers_and_texts_are_gone_and_every_count_and_cost_stays(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "CHUNK", 2)
    since, campaign = clock(), ended(ledger, clock)
    ledger.add_opt_outs(["+447400900009"])
    ledger.record_reports([report("00000000-0000-4000-8000-000000000000", to="+447400900000")])
    assert len(ledger.texts_since(since)) == 3
    before, bills = ledger.messages(campaign), reconcile(ledger.messages(campaign))
    assert before["sent_body"].notna().all()
    assert before["contact_uuid"].notna().all()
    assert ledger.audience(campaign) == {"conditions": ["shop is north"]}
    assert ledger.forget(before=old(clock)) == 3
    after = ledger.messages(campaign)
    assert after[["to", "body"]].eq("").all(axis=None)
    assert after[["sent_body", "contact_uuid", "extra"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(after.drop(columns=PERSONAL), before.drop(columns=PERSONAL))
    pd.testing.assert_frame_equal(reconcile(after), bills)
    assert ledger.sheet_rows(campaign).empty
    assert ledger.audience(campaign) is None
    assert ledger.contacts()["phone"].isin(["+447400900009"]).all()
    assert ledger.campaign(campaign).forgotten_at == clock()
    told = ledger.audit.entries().iloc[0]
    assert (told["what"], told["about"], told["details"]) == ("forget", campaign, '{"messages":3}')
    assert ledger.stray_reports().empty
    assert ledger.texts_since(since).empty
    assert ledger.opt_outs()["phone"].tolist() == ["+447400900009"]
    with pytest.raises(LedgerError, match="numbers and texts were deleted"):
        ledger.replay(campaign)


def test_a_campaign_is_forgotten_once_and_how_many_were_is_known(ledger: Ledger, clock: Clock) -> None:
    with pytest.raises(CampaignError, match="zone"):
        ledger.forget(before=datetime(2026, 11, 20))  # noqa: DTZ001
    since = clock()
    first, second = ended(ledger, clock), ended(ledger, clock)
    assert ledger.forgotten_since(since) == 0
    before = old(clock)
    assert ledger.forgettable(before=before)["recipients"].tolist() == [3, 3]
    assert ledger.forget(before=before.isoformat()) == 6
    assert ledger.forgettable(before=before).empty
    assert ledger.forget(before=before) == 0
    assert ledger.forgotten_since(since) == 2
    assert ledger.forgotten_since(since, campaigns=[second]) == 1
    assert ledger.forgotten_since(clock(), campaigns=[first]) == 0


def test_what_is_young_unfinished_or_undecided_is_left_alone(ledger: Ledger, clock: Clock) -> None:
    undecided = running(ledger, 3)
    got = claim(ledger, undecided, ledger.outbox.register(1))
    ledger.outbox.settle(got, Settlement("timed out", "unknown", None))
    ledger.outbox.finish()
    assert ledger.campaign(undecided).state == "done"
    going_on = running(ledger, 3)
    before = old(clock)
    young = ended(ledger, clock)
    assert ledger.forget(before=before) == 0
    for campaign in (undecided, going_on, young):
        assert ledger.messages(campaign)["to"].str.startswith("+44").all()


def test_a_later_report_is_counted_and_brings_nothing_back(ledger: Ledger, clock: Clock) -> None:
    campaign = ended(ledger, clock)
    uuid = ledger.messages(campaign)["uuid"].iloc[0]
    ledger.forget(before=old(clock))
    late = {"body": "Hello you", "to": "+447400900000", "contact": {"uuid": "c1"}, "colour": "blue"}
    result = ledger.record_reports([report(uuid, delivered_at="2026-11-20T10:00:00.000000Z", **late)])
    assert result.taken == 1
    assert ledger.campaign(campaign).delivered == 1
    assert ledger.messages(campaign)[["sent_body", "contact_uuid", "extra"]].isna().all(axis=None)


@ON_BOTH_DATABASES
def test_a_frozen_message_can_be_forgotten_and_not_changed(ledger: Ledger) -> None:
    ledger.create_campaign("Spring", messages_frame(2), batch_size=10)
    other = ({"to": "", "body": "", "row": 9}, {"to": ""}, {"to": "+44", "body": ""}, {"uuid": "x"})
    refused = [*(update(schema.message).values(values) for values in other), schema.message.delete()]
    for statement in refused:
        with pytest.raises(DBAPIError, match="never change"), ledger.database.engine.begin() as connection:
            connection.execute(statement)
    with ledger.database.write() as connection:
        connection.execute(update(schema.message).values(to="", body=""))


def left_in(ledger: Ledger, named: bytes) -> list[str]:
    """The ledger's files that still hold such a number or text, while it is open."""
    path = file_of(ledger)
    files = [path, path.with_name(f"{path.name}-wal")]
    return [file.name for file in files if re.search(named, file.read_bytes())]


def test_nothing_is_left_in_the_file_or_its_log_or_goes_when_nobody_reads(
    sqlite_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMPTY_WAIT_S", 0.01)
    ledger = Ledger.open(sqlite_url, now=clock)
    ended(ledger, clock)
    assert left_in(ledger, ENDED)
    ledger.forget(before=old(clock))
    assert left_in(ledger, ENDED) == []
    ended(ledger, clock)
    before = old(clock)
    with ledger.database.read() as connection:
        connection.execute(select(schema.message)).first()
        ledger.forget(before=before)
        assert left_in(ledger, ENDED)
    ledger.forget(before=before)
    assert left_in(ledger, ENDED) == []
    ledger.close()


@pytest.mark.parametrize("said_by", ["us", "the service"])
def test_whom_the_service_is_yet_to_text_is_not_forgotten(ledger: Ledger, clock: Clock, said_by: str) -> None:
    frame = messages_frame(3)
    if said_by == "us":
        frame.loc[1, "scheduled_at"] = clock() + timedelta(days=3)
    campaign = running(ledger, frame, batch_size=3)
    got = claim(ledger, campaign, ledger.outbox.register(1))
    at = f"{clock() + timedelta(days=3):%Y-%m-%d %H:%M:%S}" if said_by == "the service" else None
    ledger.outbox.settle(got, accepted(got, scheduled_at=at))
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "done"
    assert ledger.forget(before=clock.advance(2 * 86_400)) == 0
    assert ledger.messages(campaign)["to"].str.startswith("+44").all()
    assert ledger.forget(before=clock.advance(2 * 86_400)) == 3


NAMES = ("Zwiebelkuchen", "Quarkstrudel", "Pfefferkorn", "Blumenkohl")
PLACES = {
    *("message.to", "message.body", "result.body", "result.contact_uuid", "result.extra"),
    *("stray_report.report", "campaign.audience", "opt_out.phone"),
    *("campaign_sheet.content", "sheet rows", "messages.parquet", "workbook", "messages()"),
    *("person()", "recipients()", "stray_reports()"),
}
"""Where a number, a name or a text stands until it is forgotten; in no other place it ever does."""


def spelled(place: int) -> list[str]:
    """A person's number as it is typed, and as services repeat it."""
    digits = f"740090000{place}"
    groups = f"{digits[:4]} {digits[4:]}"
    return [f"+44{digits}", f"44{digits}", f"0{digits}", f"0{groups}", f"+44 {groups}", f"0044{digits}"]


def full_of(ledger: Ledger, clock: Clock) -> str:
    """A campaign that is over, and whoever could say a number, a name or a text has said it."""
    rows = "\n".join(f"{spelled(place)[3]};{name}" for place, name in enumerate(NAMES))
    messages = messages_frame(4, body=[f"Dear {name}, 20 % off" for name in NAMES])
    audience = {"conditions": [{"column": "phone", "test": "is", "values": spelled(0)[3:4]}]}
    sheet = read_sheet(f"phone;name\n{rows}\n".encode())
    campaign = running(ledger, messages, batch_size=2, sheet=sheet, audience=audience)
    taken, lost = claim(ledger, campaign), claim(ledger, campaign)
    ledger.outbox.settle(taken, accepted(taken))
    ledger.outbox.settle(lost, Settlement("unknown", "unknown", None))
    for place, (uuid, name) in enumerate(zip(ledger.messages(campaign)["uuid"][:2], NAMES, strict=False)):
        for number, said in enumerate(spelled(place)):
            about = {"to": said, "caller": said, "body": f"Dear {name}, 20 %", "contact": {"uuid": name}}
            failed = {"status": f"FAILED {said}", "failure_reason": f"{said} is off: Dear {name}, 20 % off"}
            at = f"2026-11-20T09:00:{number + 10}.000000Z"
            strange = {"contact": {"firstname": name, "contact_methods": [{"address": said}]}, "status": at}
            ledger.record_reports([report(uuid, **about, **failed, sent_at=at)])
            ledger.record_reports([report("00000000-0000-4000-8000-000000000000", **{**about, **strange})])
    ledger.pause(campaign, f"{spelled(0)[3]} complained, and {spelled(1)[0]} did.")
    ledger.resume(campaign)
    clock.advance(3_600)
    ledger.decide_all(campaign, "abandoned", "ann@shop.example", f"Asked {spelled(0)}: nothing came")
    ledger.outbox.finish()
    for place in range(2):
        ledger.add_opt_outs(spelled(place)[:1], reason=f"called from {spelled(place)[3]}", source="phone")
    return campaign


def told(ledger: Ledger, campaign: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    """All that can be read of a ledger, in its database and in what it hands out, each with its place."""
    with ledger.database.read() as connection:
        tables = [table for table in schema.tables.sorted_tables if inspect(connection).has_table(table.name)]
        for table in tables:
            for row in connection.execute(select(table)).mappings():
                yield from ((f"{table.name}.{name}", str(value).encode()) for name, value in row.items())
    row, messages = ledger.campaigns().query("campaign == @campaign"), ledger.messages(campaign)
    events, rows = ledger.events(campaign), ledger.sheet_rows(campaign)
    frames = {file.name: pd.read_parquet(file) for file in ledger.write_parquet(folder)}
    frames |= {"messages()": messages, "events()": events, "sheet rows": rows}
    frames |= {"person()": ledger.person(spelled(0)[0]), "trail": ledger.audit.entries()}
    of_all, of_one = ("stray_reports", "batches"), ("counts", "attempts", "decisions", "recipients")
    frames |= {f"{name}()": getattr(ledger, name)() for name in of_all}
    frames |= {f"{name}()": getattr(ledger, name)(campaign) for name in of_one}
    book = BytesIO(campaign_workbook(row, messages, sheet_rows=rows))
    frames["workbook"] = pd.concat(pd.read_excel(book, sheet_name=None), axis=1)
    yield from ((name, frame.to_csv().encode()) for name, frame in frames.items())
    yield "page", campaign_page(row, messages, events=events)


@pytest.mark.parametrize("who", ["everybody", "one person"])
def test_what_names_somebody_is_left_nowhere(ledger: Ledger, clock: Clock, tmp_path: Path, who: str) -> None:
    campaign = full_of(ledger, clock)
    gone = range(4) if who == "everybody" else range(1)
    named = "|".join(f"7400[^0-9]?90000{place}|{NAMES[place]}" for place in gone).encode()

    def naming() -> set[str]:
        said = told(ledger, campaign, tmp_path / "export")
        found = {place for place, text in said if re.search(named, text)}
        return found - {"contacts.parquet"}  # where opt-outs are as well

    assert naming() == PLACES
    if who == "everybody":
        before, listed = clock.advance(1), {"opt_out.phone"}  # whose list goes on
        assert ledger.forget(before=before) == 4
    else:
        listed = set[str]()
        assert ledger.forget_person(spelled(0)[3], country="GB") == 1
    assert naming() == listed
    assert ledger.recount(campaign) == []
    assert ledger.counts(campaign).query("stage == 'failed'")["reason"].tolist() == ["… is off: …"]
    if ledger.database.is_sqlite and not listed:
        assert left_in(ledger, named) == []
