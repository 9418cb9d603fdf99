"""What is past stays past: when a message was handed over, why its bill is what it is, when it failed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pandas as pd
from each import each
from fixtures_ledger import Clock, accepted, claim, echo, messages_frame, report, running, taken

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

NOVEMBER = datetime(2026, 11, 30, 23, 0, tzinfo=UTC)
DECEMBER = datetime(2026, 12, 1, tzinfo=UTC)
UNKNOWN = Settlement("unknown", "unknown", None, "the connection broke")
NOT_SENT = Settlement("not sent", "ready", None, "refused to connect")


def partly_in_november(ledger: Ledger, clock: Clock) -> str:
    """Two of three messages were taken in November; the third is sent again in December, and taken."""
    clock.time = NOVEMBER
    campaign = running(ledger, 3)
    ledger.outbox.settle(got := claim(ledger, campaign), accepted(got, only=slice(0, 2), credits_used=5))
    clock.time = DECEMBER + timedelta(days=1)
    ledger.decide_all(campaign, "ready", "Ann", "asked the service")
    taken(ledger, campaign, credits_used=1)
    return campaign


def test_bills_and_events_of_november_stay_in_november(ledger: Ledger, clock: Clock) -> None:
    campaign = partly_in_november(ledger, clock)
    november, december = ledger.messages(until=DECEMBER), ledger.messages(since=DECEMBER)
    assert november["credits_billed"].tolist() == [5, 5]
    assert december["credits_billed"].tolist() == [1]
    assert ledger.messages(campaign)["handed_over_at"].tolist() == [NOVEMBER] * 2 + [clock.time]
    assert ledger.messages(since=NOVEMBER + timedelta(hours=1), until=clock.time).empty
    uuids = ledger.messages()["uuid"].tolist()
    assert ledger.events(until=DECEMBER)["uuid"].tolist() == uuids[:2]
    assert ledger.events(since=DECEMBER)["uuid"].tolist() == uuids[2:]


def test_a_late_answer_belongs_to_its_own_request(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 2)
    began = clock.time
    first = claim(ledger, campaign)
    ledger.outbox.settle(first, UNKNOWN)
    clock.advance(86_400)
    ledger.decide_all(campaign, "ready", "Ann", "asked the service")
    claim(ledger, campaign)
    late = Settlement("accepted", "accepted", 200, echoed=echo(first, only=slice(0, 1)))
    ledger.outbox.settle(first, late)
    assert ledger.messages(campaign)["handed_over_at"].tolist() == [began, clock.time]


@each("state", ["rejected", "unknown", "ready", "cancelled", "dropped"])
def test_handed_over_is_what_left_however_that_ended(ledger: Ledger, clock: Clock, state: str) -> None:
    campaign = running(ledger, 2)
    left = state in {"rejected", "unknown"}
    settled = Settlement("rejected", state, 400, "no") if left else NOT_SENT  # type: ignore[arg-type]
    ledger.outbox.settle(claim(ledger, campaign), settled)
    if state == "dropped":
        ledger.add_opt_outs(ledger.messages(campaign)["to"])
    if state == "cancelled":
        ledger.cancel(campaign)
    messages = ledger.messages(campaign)
    assert messages["state"].tolist() == [state] * 2
    assert messages["handed_over_at"].tolist() == [clock.time if left else pd.NaT] * 2
    assert len(ledger.messages(campaign, since=clock.time)) == 2 * left


def billed_oddly(ledger: Ledger, clock: Clock) -> str:
    """A link, a euro sign and a plain text, each billed other than estimated, and one without a bill."""
    texts = ["See https://example.com/spring", "Only 5 € today", "Hello you", "Hello again"]
    campaign = running(ledger, messages_frame(4, body=texts, credits_high=1))
    got = claim(ledger, campaign, ledger.outbox.register(1))
    uuids = [message.uuid for message in got.messages]
    ledger.outbox.settle(got, accepted(got))
    bills = zip(uuids, (7, 1, 3), strict=False)
    ledger.record_reports([report(uuid or "", credits_used=used) for uuid, used in bills])
    ledger.outbox.finish()
    clock.advance(60)
    return campaign


def test_forgetting_changes_no_cause_and_an_odd_bill_after_it_has_none(ledger: Ledger, clock: Clock) -> None:
    campaign = billed_oddly(ledger, clock)
    before = ledger.messages(campaign)["cause"]
    assert before.tolist() == ["short link", "as estimated", "unexplained", "missing from the answer"]
    ledger.forget(before=clock.advance(86_400) - timedelta(hours=1))
    after = ledger.messages(campaign)
    assert after["body"].eq("").all()
    pd.testing.assert_series_equal(after["cause"], before)
    ledger.record_reports([report(after["uuid"].iloc[-1], credits_used=9)])
    assert ledger.messages(campaign)["cause"].tolist()[-1] == "unexplained"


def test_a_failure_is_dated_when_first_heard_until_a_delivery(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 1)
    got = taken(ledger, campaign)
    uuid = got.messages[0].uuid or ""
    heard = clock.advance(60)
    ledger.record_reports([report(uuid, failure_reason="blocked")])
    clock.advance(60)
    ledger.record_reports([report(uuid, failure_reason="blocked", sent_at="2026-11-20T09:00:30Z")])
    assert ledger.messages(campaign)["failed_at"].tolist() == [heard]
    ledger.record_reports([report(uuid, delivered_at="2026-11-20T09:00:40Z")])
    assert ledger.messages(campaign)["failed_at"].isna().all()
