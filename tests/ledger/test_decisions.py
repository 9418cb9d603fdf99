"""What a person may decide about an unknown batch."""

from __future__ import annotations

from decimal import Decimal

import pytest
from fixtures_ledger import Clock, accepted, claim, counts, report, running

from dashboard.errors import CampaignStateError, LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement


@pytest.fixture
def lost(ledger: Ledger, clock: Clock) -> tuple[str, int]:
    """A campaign that is done, with one unknown batch of four, one of which was echoed."""
    campaign = running(ledger, 4, price_per_credit=Decimal("0.07"), currency="GBP")
    got = claim(ledger, campaign, ledger.outbox.register(0))
    partly = Settlement(
        "partly accepted", "unknown", 200, "lacks 3", echoed=accepted(got, only=slice(0, 1)).echoed
    )
    ledger.outbox.settle(got, partly)
    ledger.outbox.finish()
    clock.advance(600)
    return campaign, got.batch_id


@pytest.mark.parametrize(
    ("decision", "after"),
    [
        ("accepted", {"accepted": 4}),
        ("abandoned", {"accepted": 1, "abandoned": 3}),
        ("ready", {"accepted": 1, "ready": 3}),
    ],
)
def test_a_decision_moves_only_the_messages_that_are_unknown(
    ledger: Ledger, lost: tuple[str, int], decision: str, after: dict[str, int]
) -> None:
    campaign, batch = lost
    ledger.decide(batch, decision, "Ann", "asked the service")  # type: ignore[arg-type]
    assert counts(ledger, campaign) == after


def test_a_decision_is_kept_with_who_when_why_and_the_money_at_risk(
    ledger: Ledger, clock: Clock, lost: tuple[str, int]
) -> None:
    campaign, batch = lost
    ledger.decide(batch, "abandoned", "Ann", "too late anyway")
    (kept,) = ledger.decisions(campaign).to_dict("records")
    assert (kept["decision"], kept["who"], kept["why"]) == ("abandoned", "Ann", "too late anyway")
    assert kept["at"] == clock.time
    assert (kept["messages"], kept["credits_high"]) == (3, 6)
    assert (kept["money_at_risk"], kept["currency"]) == (Decimal("0.42"), "GBP")


def test_sending_again_brings_a_done_campaign_back_and_uses_the_same_uuids(
    ledger: Ledger, lost: tuple[str, int]
) -> None:
    campaign, batch = lost
    ledger.decide(batch, "ready", "Ann", "the service has no trace of it")
    assert ledger.campaign(campaign).state == "running"
    again = claim(ledger, campaign, ledger.outbox.register(1))
    assert [message.uuid for message in again.messages] == ledger.messages(campaign)["uuid"].tolist()[1:]
    ledger.outbox.settle(again, accepted(again))
    ledger.outbox.finish()
    assert counts(ledger, campaign) == {"accepted": 4}
    assert ledger.campaign(campaign).state == "done"


def test_nothing_is_sent_again_while_the_first_request_may_be_on_its_way(
    ledger: Ledger, clock: Clock
) -> None:
    campaign = running(ledger, 4)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    resend_from = ledger.unknown(campaign)["resend_from"].iloc[0]
    clock.advance(290)
    with pytest.raises(CampaignStateError, match=f"from {resend_from:%H:%M:%S} UTC"):
        ledger.decide(got.batch_id, "ready", "Ann", "impatient")
    clock.advance(10)
    assert clock.time == resend_from
    ledger.decide(got.batch_id, "ready", "Ann", "patient")
    assert counts(ledger, campaign) == {"ready": 4}


def test_a_cancelled_campaign_sends_nothing_again(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 4)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    ledger.cancel(campaign)
    clock.advance(600)
    with pytest.raises(CampaignStateError, match="cancelled"):
        ledger.decide(got.batch_id, "ready", "Ann", "why")
    ledger.decide(got.batch_id, "abandoned", "Ann", "why")
    assert counts(ledger, campaign) == {"abandoned": 4}


def test_there_is_nothing_to_decide_twice(ledger: Ledger, lost: tuple[str, int]) -> None:
    _, batch = lost
    ledger.decide(batch, "accepted", "Ann", "seen in their console")
    with pytest.raises(CampaignStateError, match="accepted now"):
        ledger.decide(batch, "ready", "Bob", "did not see Ann")


@pytest.mark.parametrize(
    ("who", "why", "decision", "batch"),
    [
        (" ", "why", "accepted", 1),
        ("Ann", "", "accepted", 1),
        ("Ann", "why", "maybe", 1),
        ("Ann", "why", "accepted", 99),
    ],
)
def test_a_decision_needs_a_person_a_reason_and_a_batch(
    ledger: Ledger, lost: tuple[str, int], who: str, why: str, decision: str, batch: int
) -> None:
    with pytest.raises(LedgerError):
        ledger.decide(batch, decision, who, why)  # type: ignore[arg-type]


def test_reports_settle_what_was_unknown_or_abandoned(ledger: Ledger, lost: tuple[str, int]) -> None:
    campaign, batch = lost
    uuids = ledger.messages(campaign)["uuid"]
    ledger.record_reports([report(uuids[1])])
    assert counts(ledger, campaign) == {"accepted": 2, "unknown": 2}
    ledger.decide(batch, "abandoned", "Ann", "why")
    ledger.record_reports([report(uuid) for uuid in uuids[2:]])
    assert counts(ledger, campaign) == {"accepted": 4}
    assert ledger.batches(campaign)["state"].tolist() == ["accepted"]
