"""Settlements: what an answer does to a batch and to each of its messages."""

from __future__ import annotations

import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    Clock,
    accepted,
    claim,
    counts,
    echo,
    gate_of,
    message_object,
    running,
)

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

UNKNOWN = Settlement("unknown", "unknown", 500, "status 500")
REJECTED = Settlement("rejected", "split", 422, "field to")
NOT_SENT = Settlement("not sent", "ready", None, "refused", closes_gate=True)


@ON_BOTH_DATABASES
def test_an_accepted_batch_keeps_what_the_service_said(ledger: Ledger) -> None:
    campaign = running(ledger, 2)
    got = claim(ledger, campaign)
    said = {"credits_used": 2, "contact": {"uuid": "c-1", "contact_methods": []}, "lucky": True}
    first, second = (message.uuid or "" for message in got.messages)
    answer = [
        message_object(first, body="Hello number 0", **said),
        message_object(second.upper(), body="https://sho.rt/x", **said),
    ]
    assert ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=answer))
    messages = ledger.messages(campaign)
    assert messages["credits_billed"].tolist() == [2, 2]
    assert messages["status"].tolist() == ["pending", "pending"]
    assert messages["contact_uuid"].tolist() == ["c-1", "c-1"]
    assert messages["extra"].tolist() == ['{"lucky": true}'] * 2
    assert messages["created_at"].notna().all()
    assert ledger.campaign(campaign).credits_billed == 4
    assert counts(ledger, campaign) == {"accepted": 2}
    assert messages["sent_body"].fillna("as it was").tolist() == ["as it was", "https://sho.rt/x"]


def test_of_a_partial_answer_each_message_stands_by_itself(ledger: Ledger) -> None:
    campaign = running(ledger, 10)
    got = claim(ledger, campaign)
    partly = Settlement("partly accepted", "unknown", 200, "lacks 7", echoed=echo(got, only=slice(0, 3)))
    ledger.outbox.settle(got, partly)
    assert counts(ledger, campaign) == {"accepted": 3, "unknown": 7}
    (waiting,) = ledger.unknown(campaign).to_dict("records")
    assert (waiting["messages"], waiting["credits_low"], waiting["credits_high"]) == (7, 7, 14)
    unproved = running(ledger, 3)
    ledger.outbox.settle(got := claim(ledger, unproved), accepted(got, only=slice(0, 2)))
    assert counts(ledger, unproved) == {"accepted": 2, "unknown": 1}, "called accepted without every uuid"


def test_uuids_that_are_not_ours_prove_nothing(ledger: Ledger) -> None:
    campaign = running(ledger, 20)
    got, other = claim(ledger, campaign), claim(ledger, campaign)
    ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echo(other)))
    assert counts(ledger, campaign) == {"unknown": 10, "sending": 10}


@ON_BOTH_DATABASES
def test_a_settlement_counts_once(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 3)
    got = claim(ledger, campaign)
    assert ledger.outbox.settle(got, NOT_SENT)
    assert counts(ledger, campaign) == {"ready": 3}
    assert not ledger.outbox.settle(got, NOT_SENT)
    clock.advance(60)
    again = claim(ledger, campaign)
    assert (again.attempt, again.messages) == (2, got.messages), "the same uuids"
    assert not ledger.outbox.settle(got, UNKNOWN), "of an attempt that is over"
    assert gate_of(ledger).strikes
    assert ledger.outbox.settle(again, accepted(again, credits_used=1))
    assert gate_of(ledger).strikes == 0, "pauses grow only while nothing is accepted"
    assert not ledger.outbox.settle(again, accepted(again, credits_used=1))
    assert ledger.campaign(campaign).credits_billed == 3
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "not sent", "claimed", "accepted"]


def test_late_news_of_a_failure_changes_nothing(ledger: Ledger) -> None:
    campaign = running(ledger, 3)
    got = claim(ledger, campaign)
    ledger.outbox.retire([0])
    for late in (NOT_SENT, REJECTED, UNKNOWN):
        assert not ledger.outbox.settle(got, late)
        assert counts(ledger, campaign) == {"unknown": 3}


def test_a_late_2xx_keeps_what_is_ready_again_from_being_sent_twice(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 3)
    got = claim(ledger, campaign)
    ledger.outbox.retire([0])
    clock.advance(600)
    ledger.decide(got.batch_id, "ready", "Ann", "the service has no trace of it")
    ledger.outbox.settle(got, accepted(got, only=slice(0, 2)))
    assert counts(ledger, campaign) == {"accepted": 2, "ready": 1}
    again = claim(ledger, campaign, ledger.outbox.register(0))
    assert [message.uuid for message in again.messages] == [got.messages[2].uuid]


@pytest.mark.parametrize("later_s", [121, -3 * 3600], ids=["time passed", "the clock was set back"])
def test_what_a_process_lost_is_unknown_after_a_while(ledger: Ledger, clock: Clock, later_s: int) -> None:
    campaign = running(ledger, 20)
    owner = ledger.outbox.register(0)
    kept = claim(ledger, campaign, owner)
    claim(ledger, campaign, owner)
    assert ledger.outbox.give_up_lost(owner, {kept.batch_id}) == 0
    clock.advance(later_s)
    assert ledger.outbox.give_up_lost(owner, {kept.batch_id}) == 1
    assert counts(ledger, campaign) == {"sending": 10, "unknown": 10}
