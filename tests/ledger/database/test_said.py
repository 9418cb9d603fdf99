"""Whatever the service says, of any length, is stored on both databases, and what was cut is said."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    accepted,
    claim,
    counts,
    messages_frame,
    report,
    running,
    upgraded,
)
from sqlalchemy import text

from dashboard.errors import LedgerRefusedError, LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.ledger.database.said import LONGEST, LONGEST_JSON

_DRAW = Random(7)  # noqa: S311 - a replayable draw
LONG = "".join(chr(_DRAW.randint(33, 0xD7FF)) for _ in range(6_000))
"""Which no database can pack into a page of an index."""


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


ODD: dict[str, dict[str, Any]] = {
    "a long status": {"status": LONG},
    "a long reason": {"failure_reason": LONG},
    "both": {"status": LONG, "failure_reason": LONG[::-1]},
    "a long text": {"body": LONG},
    "a long contact": {"contact": {"uuid": LONG}},
    "a long sender": {"sender": LONG, "campaign": LONG, "to": LONG},
    "NUL": {"status": "a\0b", "failure_reason": "\0", "body": "\0\0", "contact": {"uuid": "\0"}},
    "half a character": {"status": "\ud83d", "failure_reason": "x\udc00", "body": "\ud800" * 3},
    "a long unknown field": {"carrier": LONG},
    "many unknown fields": {f"field {number}": "x" * 300 for number in range(500)},
    "an unknown field with odd characters": {"carr\0ier": "\0\ud83d", "\ud83d": {"a": ["\0"]}},
    "a deep unknown field": {"trace": deep(900)},
    "a field too deep to be written": {"trace": deep(20_000)},
    "a long name of a field": {LONG: LONG},
    "the first day": {"sent_at": "0001-01-01T00:00:00Z", "created_at": "0001-01-01T00:00:00Z"},
    "the last day": {"delivered_at": "9999-12-31T23:59:59.999999Z", "created_at": "9999-12-31T23:59:59Z"},
    "days that are none": {"sent_at": "9999-12-31T23:59:59-12:00", "delivered_at": 1e300},
    "a huge bill": {"credits_used": 2**63},
    "a negative bill": {"credits_used": -1},
}


@ON_BOTH_DATABASES
def test_an_odd_answer_settles_its_batch_and_a_report_is_taken(ledger: Ledger) -> None:
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 2 * len(ODD), batch_size=2)
    for name, odd in ODD.items():
        ledger.outbox.settle(got := claim(ledger, campaign, owner), accepted(got, **odd))
        assert ledger.record_reports([report(got.messages[0].uuid or "", **odd)]).unreadable == 0, name
        assert ledger.record_reports([report(str(uuid4()), **odd)]).unknown_uuids, name
    assert counts(ledger, campaign) == {"accepted": 2 * len(ODD)}
    messages = ledger.messages(campaign)
    for column, longest in LONGEST.items():
        kept = messages[{"body": "sent_body"}.get(column, column)].dropna().astype("str")
        assert (kept.str.len() <= longest + 60).all()
    for extra in messages["extra"].dropna():
        assert len(extra) <= LONGEST_JSON + 100
        assert json.loads(extra)
    for frame in (
        ledger.events(campaign),
        ledger.contacts(),
        ledger.recipients(campaign),
        ledger.campaigns(),
    ):
        assert len(frame)
    assert len(ledger.stray_reports()) == len(ODD)


def test_what_was_cut_is_said(ledger: Ledger) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(
        got, accepted(got, failure_reason="blocked " * 1000, carrier="c" * 12_000, kept="yes")
    )
    (message,) = ledger.messages(campaign).to_dict("records")
    assert str(message["failure_reason"]).endswith("(the first 1,000 of 8,000 characters)")
    extra = json.loads(str(message["extra"]))
    assert extra["kept"] == "yes"
    assert extra["carrier"].endswith("of 12,002 characters)")


def test_texts_that_differ_only_where_they_are_cut_do_not_hide_each_other(ledger: Ledger) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, accepted(got))
    uuid = got.messages[0].uuid or ""
    reports = [report(uuid, failure_reason=f"{one}{LONG}") for one in "abcab"]
    ledger.record_reports(reports)
    assert len(ledger.events(campaign)) == 1 + 3, "each once, however long"


@ON_BOTH_DATABASES
def test_an_older_ledger_keeps_its_events(ledger_url: str) -> None:
    """And a status said again after the upgrade is no new one."""
    ledger = upgraded(ledger_url, KNOWN_BEFORE)
    assert ledger.events("c")["status"].tolist() == ["DELIVRD"]
    ledger.record_reports([{"uuid": UUID, "status": "DELIVRD", "delivered_at": "1970-01-01T00:00:02Z"}])
    assert len(ledger.events("c")) == 1
    with pytest.raises(Exception, match="never change"), ledger.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM event")
    ledger.close()


UUID = "11111111-1111-4111-8111-111111111111"
KNOWN_BEFORE = f"""
INSERT INTO campaign (id, name, state, shorten_links, batch_size, currency, first_message, last_message,
    credits_low, credits_high, created_at)
VALUES ('c', 'Spring', 'done', true, 10, 'EUR', 1, 1, 1, 1, 1);

INSERT INTO batch (id, campaign_id, seq, first_message, last_message, messages, credits_low, credits_high,
    state, accepted, sent, delivered)
VALUES (1, 'c', 0, 1, 1, 1, 1, 1, 'accepted', 1, 0, 1);

INSERT INTO message (id, uuid, "to", body, credits_low, credits_high)
VALUES (1, '{UUID}', '+447400900001', 'Hi', 1, 1);

INSERT INTO result (message_id, state, echoed, status, created_at, delivered_at, stage, changed_at)
VALUES (1, 'accepted', true, 'DELIVRD', 1000000, 2000000, 3, 6000000);
"""  # noqa: S608 - our own words


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
