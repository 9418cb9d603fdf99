"""What a person may decide about an unknown batch."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pandas as pd
import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    Clock,
    accepted,
    asked,
    claim,
    counts,
    messages_frame,
    report,
    running,
)

from dashboard.app.standing.follow_ups import Group, chosen
from dashboard.errors import CampaignStateError, LedgerError, OptionError
from dashboard.ledger import Ledger
from dashboard.ledger.database.states import Decision
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.decisions import Decided
from dashboard.ledger.outbox.settle import Settlement


@pytest.fixture
def lost(ledger: Ledger, clock: Clock) -> tuple[str, int]:
    """A campaign that is done, with one unknown batch of four, one of which was echoed."""
    campaign = running(ledger, 4, price_per_credit=Decimal("0.07"), currency="GBP")
    got = claim(ledger, campaign)
    partly = Settlement(
        "partly accepted", "unknown", 200, "lacks 3", echoed=accepted(got, only=slice(0, 1)).echoed
    )
    ledger.outbox.settle(got, partly)
    ledger.outbox.finish()
    clock.advance(600)
    return campaign, ledger.unknown(campaign)["batch"].iloc[0]  # NumPy's number, as every frame has them


@ON_BOTH_DATABASES
def test_a_decision_is_kept_with_who_why_and_money(
    ledger: Ledger, clock: Clock, lost: tuple[str, int]
) -> None:
    campaign, batch = lost
    ledger.decide(batch, "abandoned", "Ann, tel 07400 900001", "too late anyway")
    (kept,) = ledger.decisions(campaign).to_dict("records")
    assert ledger.decisions().to_dict("records") == [kept]
    assert (kept["decision"], kept["who"], kept["why"]) == ("abandoned", "Ann, tel …", "too late anyway")
    assert ledger.batches(campaign)["reason"].tolist() == ["decided by Ann, tel …: too late anyway"]
    assert kept["at"] == clock.time
    assert (kept["messages"], kept["credits_high"]) == (3, 6)
    assert (kept["money_at_risk"], kept["currency"]) == (Decimal("0.42"), "GBP")
    assert ledger.decided(campaign) == [
        Decided("abandoned", "Ann, tel …", "too late anyway", clock.time, 1, 3)
    ]
    assert counts(ledger, campaign) == {"accepted": 1, "abandoned": 3}


def test_nothing_is_sent_again_while_the_first_may_be_on_its_way(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 4)
    got = claim(ledger, campaign)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    resend_from = ledger.unknown(campaign)["resend_from"].iloc[0]
    clock.advance(290)
    with pytest.raises(CampaignStateError, match=f"from {resend_from:%H:%M:%S} UTC"):
        ledger.decide(got.batch_id, "ready", "Ann", "impatient")
    clock.advance(10)
    assert clock.time == resend_from
    ledger.decide(got.batch_id, "ready", "Ann", "patient")
    assert counts(ledger, campaign) == {"ready": 4}


def test_a_decision_needs_a_person_a_reason_and_a_question(ledger: Ledger, lost: tuple[str, int]) -> None:
    campaign, batch = lost
    for who, why, place in ((" ", "why", batch), ("Ann", "", batch), ("Ann", "why", 99)):
        with pytest.raises(LedgerError):
            ledger.decide(place, "accepted", who, why)
    with pytest.raises(OptionError, match="decision must be 'accepted' / 'ready' / 'abandoned'"):
        ledger.decide(batch, "maybe", "Ann", "why")  # type: ignore[arg-type]
    assert ledger.decisions(campaign).empty
    ledger.decide(batch, "accepted", "Ann", "seen in their console")
    assert counts(ledger, campaign) == {"accepted": 4}
    with pytest.raises(CampaignStateError, match="accepted now"):
        ledger.decide(batch, "ready", "Bob", "did not see Ann")


def test_reports_settle_what_was_unknown_or_abandoned(ledger: Ledger, lost: tuple[str, int]) -> None:
    campaign, batch = lost
    uuids = ledger.messages(campaign)["uuid"]
    ledger.record_reports([report(uuids[1])])
    assert counts(ledger, campaign) == {"accepted": 2, "unknown": 2}
    ledger.decide(batch, "abandoned", "Ann", "why")
    ledger.record_reports([report(uuid) for uuid in uuids[2:]])
    assert counts(ledger, campaign) == {"accepted": 4}
    assert ledger.batches(campaign)["state"].tolist() == ["accepted"]
    assert ledger.unknown(campaign).empty
    assert ledger.messages(campaign)["echoed"].tolist() == [True, False, False, False]


@pytest.fixture
def several(ledger: Ledger, clock: Clock) -> str:
    """A campaign of six unknown batches of two, of which the last one's request began just now."""
    campaign = running(ledger, 12, batch_size=2, price_per_credit=Decimal("0.07"))
    for place in range(6):
        clock.advance(600 * (place == 5))
        ledger.outbox.settle(
            claim(ledger, campaign), Settlement("unknown", "unknown", None, f"timeout {place}")
        )
        ledger.resume(campaign)  # it pauses after several in a row
    return campaign


def test_some_batches_are_decided_and_the_others_wait(ledger: Ledger, several: str) -> None:
    decided: list[int] = []
    steps: dict[Decision, tuple[int, ...]] = {"accepted": (2, 0, 2), "abandoned": (2, 1), "ready": (0,)}
    for decision, places in steps.items():
        waiting = ledger.unknown(several)["batch"].tolist()
        some = [waiting[place] for place in places]
        assert ledger.decide_all(several, decision, "Ann", "asked", batches=some) == len(set(some))
        decided += sorted(set(some))
        assert ledger.unknown(several)["batch"].tolist() == [one for one in waiting if one not in some]
        assert ledger.decisions(several)["batch"].tolist() == decided
        assert ledger.unknown_total(several).batches == 6 - len(decided)
    assert counts(ledger, several) == {"accepted": 4, "abandoned": 4, "ready": 2, "unknown": 2}


def test_nothing_is_decided_when_none_is_named_or_one_of_them_cannot_be(ledger: Ledger, several: str) -> None:
    other = running(ledger, 2)
    waiting = ledger.unknown(several)["batch"].tolist()
    ledger.decide(waiting[1], "accepted", "Ann", "seen in their console")
    elsewhere = int(ledger.batches(other)["batch"].iloc[0])
    before = counts(ledger, several), counts(ledger, other)
    assert ledger.decide_all(several, "abandoned", "Ann", "why", batches=[]) == 0
    for wrong in (waiting[1], elsewhere, 999_999, waiting[5]):  # decided, elsewhere, nowhere, too early
        with pytest.raises((LedgerError, CampaignStateError)):
            ledger.decide_all(several, "ready", "Ann", "why", batches=[waiting[0], wrong])
    assert (counts(ledger, several), counts(ledger, other)) == before
    assert len(ledger.decisions(several)) == 1


def test_nothing_is_decided_that_nobody_had_seen(ledger: Ledger, several: str, clock: Clock) -> None:
    seen, rows = ledger.unknown_total(several), ledger.unknown(several)
    assert seen.newest_at == rows["settled_at"].max()
    again = rows["batch"].tolist()[:1]
    ledger.decide_all(several, "ready", "Bob", "they have no trace", batches=again)
    clock.advance(1)
    got = claim(ledger, several)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    with pytest.raises(CampaignStateError, match="changed since you looked"):
        ledger.decide_all(several, "abandoned", "Ann", "why", batches=again, as_of=seen.newest_at)
    assert ledger.decide_all(several, "abandoned", "Ann", "why", as_of=seen.newest_at) == 5
    assert ledger.unknown(several)["batch"].tolist() == again


def test_pages_of_unknown_batches_are_all_of_them_newest_first(ledger: Ledger, several: str) -> None:
    every, total = ledger.unknown(several), ledger.unknown_total(several)
    assert (total.batches, total.messages) == (len(every), every["messages"].sum())
    assert (total.credits, total.money) == (every["credits_high"].sum(), every["money_at_risk"].sum())
    assert total.resend_from == every["resend_from"].max()
    for limit in (2, 4, 9):
        pages = [ledger.unknown(several, limit=limit, skip=skip) for skip in range(0, 6, limit)]
        assert all(0 < len(page) <= limit for page in pages)
        assert pd.concat(pages, ignore_index=True).equals(every.iloc[::-1].reset_index(drop=True))
    assert ledger.unknown(several, limit=3, skip=6).empty
    ledger.decide_all(several, "abandoned", "Ann", "why")
    nothing = ledger.unknown_total(several)
    assert (nothing.batches, nothing.messages, nothing.money, nothing.resend_from) == (0, 0, None, None)


def test_what_a_person_sends_again_does_not_wait(ledger: Ledger, several: str) -> None:
    """Only what came back by itself is tried again by itself."""
    waiting = ledger.unknown(several)["batch"].tolist()
    ledger.decide_all(several, "ready", "Ann", "they have no trace", batches=waiting[:2])
    assert ledger.waiting_reasons(several) == []
    got = claim(ledger, several)
    ledger.outbox.settle(got, Settlement("not sent", "ready", detail="The service was not reached."))
    assert ledger.waiting_reasons(several) == ["The service was not reached."]


def in_doubt(ledger: Ledger, clock: Clock, count: int = 4) -> str:
    """A campaign of one batch that a person sends again, after a request whose outcome nobody knows."""
    campaign = running(ledger, count, batch_size=count)
    ledger.outbox.settle(claim(ledger, campaign), Settlement("unknown", "unknown", 500, "unclear"))
    clock.advance(400)
    ledger.decide_all(campaign, "ready", "Ann", "they did not say")
    return campaign


REFUSED = Settlement("rejected", "rejected", 422, "this was sent before")


@pytest.mark.parametrize("halves", [False, True])
def test_a_refusal_of_what_is_sent_again_is_no_proof(ledger: Ledger, clock: Clock, halves: bool) -> None:
    """A service that knows a uuid may refuse it; as rejected, it was offered to be tried again."""
    campaign = in_doubt(ledger, clock)
    if halves:
        ledger.outbox.settle(claim(ledger, campaign), Settlement("too large", "split", 413))
        ledger.outbox.settle(claim(ledger, campaign), REFUSED)
        assert counts(ledger, campaign) == {"ready": 2, "unknown": 2}
    ledger.outbox.settle(claim(ledger, campaign), REFUSED)
    assert counts(ledger, campaign) == {"unknown": 4}
    assert (
        ledger.same_campaigns(messages_frame(4), since=clock.time - timedelta(days=1))["messages"].sum() == 4
    )
    messages = ledger.messages(campaign)
    assert not any(chosen(messages, group, 0, clock.time).any() for group in Group)
    assert ledger.decide_all(campaign, "abandoned", "Ann", "they had it") == 1 + halves
    assert counts(ledger, campaign) == {"abandoned": 4}


@pytest.mark.parametrize("on_its_way", [False, True])
@pytest.mark.parametrize("halves", [False, True])
def test_what_is_sent_again_is_in_doubt_if_cancelled(
    ledger: Ledger, clock: Clock, on_its_way: bool, halves: bool
) -> None:
    """Since then, so that nobody decides about it who had not seen it."""
    campaign = in_doubt(ledger, clock)
    if halves:
        ledger.outbox.settle(claim(ledger, campaign), Settlement("too large", "split", 413))
    got = claim(ledger, campaign) if on_its_way else None
    seen = clock.time
    clock.advance(1)
    ledger.cancel(campaign)
    if got:
        ledger.outbox.settle(got, Settlement("throttled", "ready", 429, closes_gate=True))
    assert counts(ledger, campaign) == {"unknown": 4}
    assert ledger.unknown(campaign)["settled_at"].tolist() == [clock.time] * (1 + halves)
    assert ledger.unknown_total(campaign).newest_at == clock.time
    assert ledger.decide_all(campaign, "abandoned", "Ann", "why", as_of=seen) == 0
    with pytest.raises(CampaignStateError, match="was cancelled"):
        ledger.decide_all(campaign, "ready", "Ann", "once more")
    ledger.decide_all(campaign, "abandoned", "Ann", "why")
    assert counts(ledger, campaign) == {"abandoned": 4}


@pytest.mark.parametrize("leaving", [[0], [1, 2], [0, 3], [0, 1, 2, 3]])
@pytest.mark.parametrize("late", [False, True])
def test_who_opts_out_of_what_is_sent_again_is_not_said_to_have_got_nothing(
    ledger: Ledger, clock: Clock, leaving: list[int], late: bool
) -> None:
    """They are not texted, but may have been: as dropped, they would not be billed, nor asked about."""
    campaign = in_doubt(ledger, clock)
    phones = [messages_frame(4)["to"][place] for place in leaving]
    owner = ledger.outbox.register(1)
    got = claim(ledger, campaign, owner) if late else None
    ledger.add_opt_outs(phones)
    if got:
        ledger.outbox.settle(got, Settlement("not sent", "ready", detail="The service was not reached."))
    left = 4 - len(phones)
    assert counts(ledger, campaign) == {"abandoned": len(phones), **({"ready": left} if left else {})}
    messages = ledger.messages(campaign, states=["abandoned"])
    assert messages["to"].tolist() == phones
    assert ledger.batches(campaign).query("state == 'abandoned'")["reason"].str.contains("opted out").all()
    sent = []
    while isinstance(more := asked(ledger, campaign, owner), Claim):
        sent += [message.to for message in more.messages]
        ledger.outbox.settle(more, accepted(more))
    assert {*sent} == {*messages_frame(4)["to"]} - {*phones}
    assert len(sent) == left
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "done"
    assert ledger.recount(campaign) == []
    assert ledger.forget_person(phones[0]) == 1


def test_a_campaign_stays_done_if_nobody_is_left_to_be_sent_to_again(
    ledger: Ledger, clock: Clock, lost: tuple[str, int]
) -> None:
    campaign, _batch = lost
    assert ledger.campaign(campaign).state == "done"
    ledger.add_opt_outs(messages_frame(4)["to"])
    ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
    assert counts(ledger, campaign) == {"accepted": 1, "abandoned": 3}
    assert ledger.campaign(campaign).state == "done"


def test_a_batch_is_split_no_further_than_those_who_opt_out_of_it_demand(
    ledger: Ledger, clock: Clock
) -> None:
    campaign, phones = in_doubt(ledger, clock), list(messages_frame(4)["to"])
    ledger.add_opt_outs(phones[1:3])
    assert ledger.batches(campaign)["messages"].tolist() == [4, 1, 2, 1]
    ledger.add_opt_outs([phones[0], phones[3]])
    batches = ledger.batches(campaign)
    assert batches["state"].tolist() == ["split", "abandoned", "abandoned", "abandoned"]
    assert batches["credits_high"].iloc[1:].sum() == ledger.campaign(campaign).credits_high
    assert ledger.recount(campaign) == []


def test_ten_refusals_of_what_is_sent_again_pause_as_well(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 12, batch_size=1)
    for _ in range(12):
        ledger.outbox.settle(claim(ledger, campaign), Settlement("unknown", "unknown", 500, "unclear"))
        if ledger.campaign(campaign).state == "paused":
            ledger.resume(campaign)
    clock.advance(400)
    ledger.decide_all(campaign, "ready", "Ann", "they did not say")
    for _ in range(10):
        assert ledger.campaign(campaign).state == "running"
        ledger.outbox.settle(claim(ledger, campaign), REFUSED)
    assert ledger.campaign(campaign).state == "paused"
    assert "refused the first 10" in (ledger.campaign(campaign).reason or "")
