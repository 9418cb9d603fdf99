"""Whatever the service says, of any length, is stored on both databases, and what was cut is said."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import uuid4

import pandas as pd
import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    accepted,
    claim,
    counts,
    message_object,
    messages_frame,
    report,
    running,
)
from sqlalchemy import text

from dashboard.errors import LedgerRefusedError, LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.ledger.database.said import LONGEST, LONGEST_JSON, impersonal, without_numbers
from dashboard.ledger.outbox.settle import Settlement

_DRAW = Random(7)  # noqa: S311 - a replayable draw
LONG = "".join(chr(_DRAW.randint(33, 0xD7FF)) for _ in range(6_000))
"""Which no database can pack into a page of an index."""


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


ODD: list[dict[str, Any]] = [
    {"status": LONG},
    {"failure_reason": LONG},
    {"status": LONG, "failure_reason": LONG[::-1]},
    {"body": LONG},
    {"contact": {"uuid": LONG}},
    {"contact": "none"},
    {"sender": LONG, "campaign": LONG, "to": LONG},
    {"status": "a\0b", "failure_reason": "\0", "body": "\0\0", "contact": {"uuid": "\0"}},
    {"status": "\ud83d", "failure_reason": "x\udc00", "body": "\ud800" * 3},
    {"status": 7, "failure_reason": 7},
    {"carrier": LONG},
    {"carrier": LONG, "received": pd.Timestamp("2026-11-20T09:00:05Z"), "network": {1}},
    {f"field {number}": "x" * 300 for number in range(500)},
    {"carr\0ier": "\0\ud83d", "\ud83d": {"a": ["\0"]}},
    {"anything": {"deep": [1, "\0", "\ud800", 10**30]}},
    {"trace": deep(900)},
    {"trace": deep(20_000)},
    {LONG: LONG},
    {"sent_at": "0001-01-01T00:00:00Z", "created_at": "0001-01-01T00:00:00Z"},
    {"delivered_at": "9999-12-31T23:59:59.999999Z", "created_at": "9999-12-31T23:59:59Z"},
    {"sent_at": "9999-12-31T23:59:59-12:00", "delivered_at": 1e300},
    {"sent_at": "yesterday"},
    *({"credits_used": credits_} for credits_ in (2**63, 10**30, -1, "3")),
]


@ON_BOTH_DATABASES
def test_an_odd_answer_settles_its_batch_and_a_report_is_taken(ledger: Ledger) -> None:
    count = len(ODD)
    campaign = running(ledger, count, batch_size=count)
    got = claim(ledger, campaign)
    told = [(message.uuid or "", odd) for message, odd in zip(got.messages, ODD, strict=True)]
    echoed = [message_object(uuid, **odd) for uuid, odd in told]
    ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echoed))
    ours = ledger.record_reports([report(uuid, **odd) for uuid, odd in told])
    assert (ours.taken + ours.stale + ours.unread_times, ours.unreadable) == (count, 0)
    strangers = ledger.record_reports([report(str(uuid4()), **odd) for odd in ODD])
    assert len(strangers.unknown_uuids) == len(ledger.stray_reports()) == count
    assert counts(ledger, campaign) == {"accepted": count}
    messages = ledger.messages(campaign)
    for column, longest in LONGEST.items():
        kept = messages[{"body": "sent_body"}.get(column, column)].dropna().astype("str")
        assert (kept.str.len() <= longest + 60).all()
    for extra in messages["extra"].dropna():
        assert len(extra) <= LONGEST_JSON + 100
        assert json.loads(extra)
    frames = ledger.events(campaign), ledger.contacts(), ledger.recipients(campaign), ledger.campaigns()
    assert all(map(len, frames))


def test_what_was_cut_is_said_and_texts_that_differ_only_there_are_kept_apart(ledger: Ledger) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign)
    said = {"failure_reason": "blocked " * 1000, "carrier": "c" * 12_000, "kept": "yes"}
    ledger.outbox.settle(got, accepted(got, **said))
    (message,) = ledger.messages(campaign).to_dict("records")
    assert str(message["failure_reason"]).endswith("(the first 1,000 of 8,000 characters)")
    extra = json.loads(str(message["extra"]))
    assert extra["kept"] == "yes"
    assert extra["carrier"].endswith("of 12,002 characters)")
    ledger.record_reports([report(str(message["uuid"]), failure_reason=f"{one}{LONG}") for one in "abcab"])
    assert len(ledger.events(campaign)) == 1 + 3, "each once, however long"


@ON_BOTH_DATABASES
def test_a_statement_that_is_refused_is_no_database_that_is_away(ledger: Ledger) -> None:
    """It would be tried again and again, and everything would stand still."""
    too_much = {
        "sqlite": "SELECT no_such_function()",
        "postgresql": f"SELECT {', '.join(f'{one} AS c{one}' for one in range(1_700))}",
    }
    with pytest.raises(LedgerRefusedError, match="refuses this"), ledger.database.write() as connection:
        connection.execute(text(too_much[ledger.database.engine.dialect.name]))
    assert not issubclass(LedgerRefusedError, LedgerUnavailableError)
    assert ledger.create_campaign("Spring", messages_frame(1), batch_size=1)


SPELLED = """
+447911123456 | 447911123456 | 07911123456 | 07911 123456 | +44 7911 123 456 | +44 (0)7911-123456
0044 7911 123456 | +44.7911.123456 | (07911) 123456 | 7911 123 456 | +1 (415) 555-0132 | 415-555-0132
tel:+447911123456 | +49 30 1234567 | +44\u00a07911\u2011123456 | 0 7 9 1 1 1 2 3 4 5 6 | \u0660\u0661234567
+44******3456 | +447911•••••6 | 0791xxxxx56 | +44 **** 3456
9123 4567 | 9123-4567 | 912 34 567 | 20 11 20 26 | 98765 43210 | 98765 01234 | +44 (0) [7911] 123456
+44_7911_123456 | 07911,123,456 | 07911'123'456 | 07911\u2019123\u2019456 | 447,911,123,456 | 9123\u00b74567
\uff10\uff19\uff10\uff0d\uff11\uff12\uff13\uff14\uff0d\uff15\uff16\uff17\uff18
090\u30fc1234\u30fc5678 | 090\uff081234\uff095678 | 090\uff701234\uff705678
+81\u30fb90\u30fb1234\u30fb5678 | 090\u301c1234\uff5e5678 | 090\uff0e1234\uff0e5678
07911\u200b123\u200b456 | 9123\u20604567 | \u202a+44 7911\u00ad123456
\u0669\u0661\u0662\u0663 \u0664\u0665\u0666\u0667 | 030/1234567 | 0475/12.34.56 | 415/555/0132
912/345/678 | 06.12.20.20.45
%2B33%206%2024%2012%2034%2056 | +44%207400%20123456 | %2b447400123456 | %2B44%20%287400%29%20123456
07400%2D123%2d456 | 33%206%2024%2012%2034%2056
XXXXXX0992 | xxx-xxx-8567 | ######2231 | XXX XXX 8567 | xxxxxxxx67 | ###-###-2231
"""
NAMED = """
5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1 | 5D0C6A5C5AB74C0F8D5F27A8A4F4A0F1 | 33644485987105283959 | 01HX5ZK9Q3W7
SM9f8e7d6c5b4a392817161514131211 | ann.o'neil+uk@shop.example | 2026-11-20T10:15:33.123Z | 2026-11-20 10:15
20/11/2026, 10:15:33 | 10:15:33 | 13:38 | 9:05
"""
SAYING = """{} | {} is unreachable | Number {} blocked | Error 30003: {} | 21610 {} said STOP
'{}', 552 5.2.2 | {} on 2026-12-03 | 2026-12-03: {} | 0x80040305 {}"""
CODES = """
Error 30003 | code 21610 | 550 5.1.1 | 550 5.1.1 rejected | after 3 attempts | HTTP 503 | HTTP 4xx | pending
EC_ABSENT_SUBSCRIBER_NR27 | DestinationBlocked30003 | err:027 dlvrd:001 | 1,234,567 a day | SMPP v3.4
expired on 2026-11-20 | 2/3 parts | 80 % used | UNDELIV
100 credits are missing | Landline or unreachable carrier | abgelehnt – Sperrliste
30003/30005 | 1001/1002/1003 | 30003, 30005 | 12,345,678 credits | 0x80040305 | HRESULT 0x8004D305 failed
0x5 | 30003 2026-12-03 | 30003 03.12.2026 | 30003 (20/11/2026) | on 2026/11/20, 21610 | 3/12/2026 30005
2026-12-03 21610 | from 10.0.0.1:80 | err:12:34 | a ratio of 30003:12 | HTTP 5xx 503 | %20 | ## 12
"""


def told(table: str) -> list[str]:
    return [one for line in table.strip().splitlines() for one in line.split(" | ")]


@pytest.mark.parametrize("saying", told(SAYING))
def test_whoever_is_named_is_left_out_and_all_who_failed_alike_say_alike(saying: str) -> None:
    names = [f"{name[:-2]}{end}" for name in told(SPELLED) for end in (name[-2:], "00", 27, 93)]
    said = {impersonal(saying.format(name)) for name in (*names, *told(NAMED))}
    without_code = saying.replace("21610 ", "")  # which may be a part of a number written in groups
    assert said <= {
        one.format(left) for one in (saying, without_code) for left in ("…", "tel:…", "ann.o'…", "\u202a…")
    }
    assert {impersonal(one) for one in said} == said


def test_codes_counts_and_times_that_are_nobodys_stay() -> None:
    for code in told(CODES):
        assert impersonal(code) == code
        assert impersonal(f"{code}: +44 7911 123456") == f"{code}: …"
    assert impersonal(None) is None
    assert impersonal("Spam: “Dear Ann”. Ann", "Dear Ann", "Ann", None) == "Spam: “…”. Ann"


def test_what_people_write_loses_numbers_only() -> None:
    said = "Asked ann@shop.example at 10:15:33 about 07911 123456, ticket 4711"
    assert without_numbers(said) == "Asked ann@shop.example at 10:15:33 about …, ticket 4711"


@pytest.mark.parametrize(
    "part",
    ["1 ", "a", "a.b", "+", "1*", "((0", "1-", "a1", "0 ", "1:", "@a", "x", "xxx ", "#-", "1%20", "%2B"],
)
def test_no_length_is_slow_to_read(part: str) -> None:
    assert impersonal(part * 60_000) is not None  # what takes a square of it takes minutes
