"""Delivery reports: any order, any number of times, about anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, accepted, claim, counts, report, running
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.ledger import Ledger, ReportResult

SENT = {"status": "sent", "sent_at": "2026-11-20T09:00:05.000000Z"}
FAILED = {**SENT, "status": "failed", "failure_reason": "absent subscriber"}
DELIVERED = {**SENT, "status": "delivered", "delivered_at": "2026-11-20T09:00:09.000000Z"}


@pytest.fixture
def sent(ledger: Ledger) -> str:
    return taken(ledger)


def taken(ledger: Ledger) -> str:
    """A campaign of four messages that the service accepted."""
    campaign = running(ledger, 4)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, accepted(got, credits_used=1))
    return campaign


def uuids(ledger: Ledger, campaign: str) -> list[str]:
    found: list[str] = ledger.messages(campaign, columns=["uuid"])["uuid"].tolist()
    return found


@ON_BOTH_DATABASES
def test_reports_move_messages_on_and_the_sums_with_them(ledger: Ledger, sent: str) -> None:
    first, second, third, _ = uuids(ledger, sent)
    reports = [report(first, **DELIVERED), report(second, **FAILED), report(third, **SENT)]
    assert ledger.record_reports(reports) == ReportResult(taken=3)
    messages = ledger.messages(sent)
    assert messages["status"].tolist() == ["delivered", "failed", "sent", "pending"]
    assert messages["failure_reason"].dropna().tolist() == ["absent subscriber"]
    assert messages["delivered_at"].notna().tolist() == [True, False, False, False]
    found = ledger.campaign(sent)
    assert (found.sent, found.delivered, found.failed) == (3, 1, 1)
    assert counts(ledger, sent) == {"accepted": 4}


def test_a_report_counts_once(ledger: Ledger, sent: str) -> None:
    reports = [report(uuid, **DELIVERED) for uuid in uuids(ledger, sent)]
    assert ledger.record_reports(reports + reports) == ReportResult(taken=4, stale=4)
    assert ledger.record_reports(reports) == ReportResult(stale=4)
    assert ledger.campaign(sent).delivered == 4


def test_an_older_report_never_undoes_a_newer_one(ledger: Ledger) -> None:
    """A message for each order of four reports."""
    orders = list(permutations([{}, SENT, FAILED, DELIVERED]))
    campaign = running(ledger, len(orders), batch_size=len(orders))
    for at_once in zip(*orders, strict=True):
        told = zip(uuids(ledger, campaign), at_once, strict=True)
        ledger.record_reports([report(uuid, **fields) for uuid, fields in told])
    messages = ledger.messages(campaign)
    assert messages["status"].tolist() == ["delivered"] * len(orders)
    assert set(messages["delivered_at"].astype("str")) == {"2026-11-20 09:00:09+00:00"}
    found = ledger.campaign(campaign)
    assert (found.sent, found.delivered, found.failed) == (len(orders), len(orders), 0)


def test_a_report_before_the_answer_is_not_undone_by_the_answer(ledger: Ledger) -> None:
    campaign = running(ledger, 2)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    first = got.messages[0].uuid or ""
    ledger.record_reports([report(first.upper(), **DELIVERED)])
    assert counts(ledger, campaign) == {"accepted": 1, "sending": 1}
    ledger.outbox.settle(got, accepted(got, credits_used=1))
    messages = ledger.messages(campaign)
    assert messages["status"].tolist() == ["delivered", "pending"]
    assert messages["credits_billed"].tolist() == [1, 1]
    assert messages["echoed"].tolist() == [True, True]
    assert counts(ledger, campaign) == {"accepted": 2}


def test_a_batch_is_settled_by_reports_alone(ledger: Ledger) -> None:
    campaign = running(ledger, 3)
    claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.retire([0])
    for left, uuid in zip([2, 1, 0], uuids(ledger, campaign), strict=True):
        ledger.record_reports([report(uuid)])
        assert ledger.campaign(campaign).unknown == left
    assert ledger.unknown(campaign).empty
    assert ledger.messages(campaign)["echoed"].tolist() == [False] * 3


def test_reports_about_others_messages_are_set_aside_and_counted_once(ledger: Ledger, sent: str) -> None:
    stranger = "00000000-0000-4000-8000-000000000001"
    result = ledger.record_reports([report(stranger), report(uuids(ledger, sent)[0], **SENT)])
    assert result == ReportResult(taken=1, unknown_uuids=(stranger,))
    ledger.record_reports([report(stranger)])
    stray = ledger.stray_reports()
    assert stray["uuid"].tolist() == [stranger]
    assert json.loads(stray["report"][0])["status"] == "pending"


@each(
    "odd",
    [
        {},
        {"uuid": None},
        {"uuid": "7"},
        {"uuid": 7},
        {"uuid": ["a"]},
        {"status": "delivered"},
    ],
)
def test_a_report_without_a_uuid_is_counted_as_unreadable(ledger: Ledger, odd: dict[str, Any]) -> None:
    assert ledger.record_reports([odd]) == ReportResult(unreadable=1)


@ON_BOTH_DATABASES
@each(
    "odd",
    [
        {"credits_used": 10**30},
        {"credits_used": -1},
        {"credits_used": "3"},
        {"status": "a\0b"},
        {"status": "\ud800"},
        {"status": 7, "failure_reason": 7},
        {"sent_at": "9999-12-31T23:59:59.999999Z"},
        {"sent_at": "yesterday"},
        {"contact": "none"},
        {"anything": {"deep": [1, "\0", "\ud800", 10**30]}},
    ],
)
def test_whatever_a_report_holds_can_be_stored(ledger: Ledger, sent: str, odd: dict[str, Any]) -> None:
    result = ledger.record_reports([report(uuids(ledger, sent)[0], **odd)])
    assert result.taken + result.stale == 1
    assert counts(ledger, sent) == {"accepted": 4}


def test_more_reports_than_fit_one_transaction(ledger: Ledger) -> None:
    campaign = running(ledger, 1200, batch_size=500)
    reports = [report(uuid, **DELIVERED) for uuid in uuids(ledger, campaign)]
    assert ledger.record_reports(reports * 2) == ReportResult(taken=1200, stale=1200)
    assert ledger.campaign(campaign).delivered == 1200


moments = st.none() | st.integers(0, 3).map(lambda second: f"2026-11-20T09:00:0{second}.000000Z")
words = st.none() | st.sampled_from(["", "pending", "queued", "sent", "delivered", "failed"])
any_report = st.fixed_dictionaries(
    {
        "status": words,
        "failure_reason": st.none() | st.sampled_from(["", "absent", "blocked"]),
        "created_at": moments,
        "sent_at": moments,
        "delivered_at": moments,
        "credits_used": st.none() | st.integers(0, 3),
        "body": st.none() | st.sampled_from(["Hello number 0", "other"]),
        "contact": st.none() | st.sampled_from([{"uuid": "a"}, {"uuid": "b"}]),
        "network": st.none() | st.sampled_from(["x", "y"]),
    }
)


@pytest.fixture
def ledger_sqlite(tmp_path: Path) -> Iterator[tuple[Ledger, str]]:
    opened = Ledger.open(f"sqlite:///{tmp_path / 'one.sqlite'}")
    yield opened, running(opened, 2, batch_size=2)
    opened.close()


@settings(max_examples=draws(40), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(reports=st.lists(any_report, min_size=1, max_size=5), data=st.data())
def test_reports_in_any_order_and_repeated_end_the_same(
    ledger_sqlite: tuple[Ledger, str], reports: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Two messages get the same reports, one in order, the other shuffled and repeated."""
    ledger, _ = ledger_sqlite
    campaign = running(ledger, 2, batch_size=2)
    first, second = uuids(ledger, campaign)
    shuffled = data.draw(st.permutations(reports + data.draw(st.lists(st.sampled_from(reports)))))
    reports = [{**fields, "body": fields["body"] or "x"} for fields in reports]
    shuffled = [{**fields, "body": fields["body"] or "x"} for fields in shuffled]
    ledger.record_reports([report(first, **fields) for fields in reports])
    for fields in shuffled:
        ledger.record_reports([report(second, **fields)])
    same = ["state", "status", "failure_reason", "credits_billed", "created_at", "sent_at", "delivered_at"]
    one, other = ledger.messages(campaign)[[*same, "contact_uuid", "extra"]].astype(object).fillna("").values
    assert one.tolist() == other.tolist()
    heard = ledger.events(campaign).astype(object).fillna("")
    said = heard.groupby("uuid")[["stage", "at", "status", "failure_reason"]].apply(
        lambda of: set(of.itertuples(index=False))
    )
    assert said[first] == said[second]
    counts(ledger, campaign)


def test_what_is_no_message_is_counted_and_the_others_are_taken(ledger: Ledger, sent: str) -> None:
    failed = report(uuids(ledger, sent)[0], **FAILED)
    odd: list[Any] = [5, "x", None, [], [{}], {}, {"uuid": 7}, True, 1e400]
    result = ledger.record_reports([*odd, failed, *odd])
    assert result == ReportResult(taken=1, unreadable=2 * len(odd))


FAR = "9999-12-31T00:00:00.000000Z"
TRUE = {**DELIVERED, "credits_used": 2}


@each(
    "name, value",
    [
        *((name, FAR) for name in ("created_at", "sent_at", "delivered_at", "scheduled_at")),
        ("sent_at", "2026-11-23T09:00:00.000000Z"),
        ("credits_used", 2**31 - 1),
        ("credits_used", 5_000),
        ("credits_used", -1),
    ],
)
def test_what_cannot_be_true_does_not_stand_in_the_way_of_what_is(
    ledger: Ledger, name: str, value: Any
) -> None:
    sent = taken(ledger)
    one, other, *_ = uuids(ledger, sent)
    ledger.record_reports([report(one, **{**TRUE, name: value})])
    assert str(value) in str(ledger.messages(sent)["extra"].iloc[0]), "nothing is dropped without a word"
    ledger.record_reports([report(each, **TRUE) for each in (one, other)])
    found = ledger.messages(sent).loc[:1]
    for column in (
        "created_at",
        "sent_at",
        "delivered_at",
        "service_scheduled_at",
        "credits_billed",
        "status",
    ):
        if column in found:
            assert found[column].astype(str).nunique() == 1, column
    assert ledger.campaign(sent).delivered == 2
    assert ledger.campaign(sent).credits_billed == 2 + 2 + 1 + 1
