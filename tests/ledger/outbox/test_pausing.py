"""Limits at which a running campaign pauses by itself; a person goes on, and is not stopped for the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures_ledger import Clock, accepted, claim, counts, report, running

from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.claims import Nothing
from dashboard.ledger.outbox.settle import Settlement
from dashboard.sending.sender import HELD_BACK

REFUSED = Settlement("rejected", "rejected", 422, "why")
UNKNOWN = Settlement("unknown", "unknown", None, "timeout")
TOO_LARGE = Settlement("too large", "split", 413)


@pytest.fixture
def owner(ledger: Ledger) -> str:
    return ledger.outbox.register(0)


def limit(ledger: Ledger, **limits: object) -> None:
    ledger.outbox.set_limits(Limits(**limits))  # type: ignore[arg-type]


def send(ledger: Ledger, campaign: str, owner: str, *settlements: Settlement | None) -> None:
    """Claim and settle a batch for each; None for one that is accepted."""
    for settlement in settlements:
        got = claim(ledger, campaign, owner)
        ledger.outbox.settle(got, settlement or accepted(got, credits_used=1))


def is_refused(ledger: Ledger, campaign: str, owner: str) -> bool:
    """Whether a claim comes back with nothing, as the campaign is paused."""
    got = ledger.outbox.claim(campaign, owner=owner, ticket="one")
    return got == Nothing("paused") and ledger.campaign(campaign).state == "paused"


@pytest.mark.parametrize("bad", [REFUSED, UNKNOWN])
def test_a_share_of_failures_above_the_limit_pauses(ledger: Ledger, owner: str, bad: Settlement) -> None:
    limit(ledger, failure_share=0.2)
    campaign = running(ledger, 300, batch_size=5)
    send(ledger, campaign, owner, *[None, None, None, bad] * 4, None, None, bad)
    assert ledger.campaign(campaign).state == "running", "nineteen batches say nothing yet"
    send(ledger, campaign, owner, bad)
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert found.reason is not None
    assert found.reason.startswith("30 of the last 100 messages failed")


def test_a_share_of_failures_below_the_limit_or_without_one_goes_on(ledger: Ledger, owner: str) -> None:
    limit(ledger, failure_share=0.25)
    campaign = running(ledger, 240, batch_size=5)
    send(ledger, campaign, owner, *[None, None, None, UNKNOWN] * 12)
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "done"
    limit(ledger)
    without = running(ledger, 200, batch_size=5)
    send(ledger, without, owner, *[None, UNKNOWN] * 15)
    ledger.add_opt_outs(["+447400900199"])
    assert ledger.campaign(without).state == "running"


def test_a_batch_that_was_split_counts_with_its_parts_alone(ledger: Ledger, owner: str) -> None:
    limit(ledger, failure_share=0.2)
    campaign, split = running(ledger, 60, batch_size=2), replace(REFUSED, state="split")
    send(ledger, campaign, owner, *[None] * 15, *[split, REFUSED, REFUSED] * 3, split, REFUSED)
    assert ledger.campaign(campaign).state == "running"
    send(ledger, campaign, owner, REFUSED)
    assert "8 of the last 38 messages failed" in (ledger.campaign(campaign).reason or "")


def test_who_resumes_is_not_stopped_for_what_failed_before(ledger: Ledger, owner: str, clock: Clock) -> None:
    limit(ledger, failure_share=0.2)
    campaign = running(ledger, 600, batch_size=5)
    send(ledger, campaign, owner, *[None, UNKNOWN] * 10)
    assert ledger.campaign(campaign).state == "paused"
    clock.advance(1)
    ledger.resume(campaign)
    send(ledger, campaign, owner, *[None] * 24, *[REFUSED] * 6)
    assert ledger.campaign(campaign).state == "running"
    send(ledger, campaign, owner, REFUSED)
    assert ledger.campaign(campaign).state == "paused"


def test_what_has_no_answer_breaks_no_row_of_answers_that_told_nothing(ledger: Ledger, owner: str) -> None:
    """A batch that was kept back, and one that was lost with its process."""
    campaign = running(ledger, 100, batch_size=5)
    send(ledger, campaign, owner, *[UNKNOWN] * 4, Settlement("not sent", "ready"))
    claim(ledger, campaign, owner)
    send(ledger, campaign, ledger.outbox.register(0), UNKNOWN)
    assert ledger.campaign(campaign).state == "paused"


def test_delivery_reports_that_say_failed_count_too(ledger: Ledger, owner: str) -> None:
    limit(ledger, failure_share=0.2)
    campaign = running(ledger, 200, batch_size=5)
    send(ledger, campaign, owner, *[None] * 25)
    uuids = ledger.messages(campaign)["uuid"].tolist()[:125]
    ledger.record_reports([report(uuid, failure_reason="blocked") for uuid in uuids[:25]])
    in_the_end = {"failure_reason": "blocked", "delivered_at": "2026-11-20T09:00:09.000000Z"}
    ledger.record_reports([report(uuids[26], **in_the_end)])
    assert ledger.campaign(campaign).state == "running"
    ledger.record_reports([report(uuids[25], failure_reason="blocked")])
    found = ledger.campaign(campaign)
    assert (found.state, found.failed) == ("paused", 26)


def test_a_campaign_pauses_before_it_goes_over_its_cap(ledger: Ledger, owner: str) -> None:
    """Counted with what was billed, here one credit of the two that each message may take."""
    limit(ledger, credits_per_campaign=35)
    campaign, other = running(ledger, 50), running(ledger, 10)
    send(ledger, campaign, owner, None, None)
    assert is_refused(ledger, campaign, owner)
    reason = ledger.campaign(campaign).reason
    assert reason is not None
    assert "cap of 35 credits for this campaign" in reason
    assert "20 are used" in reason
    assert claim(ledger, other, owner).batch_id
    limit(ledger, credits_per_campaign=40)
    ledger.resume(campaign)
    send(ledger, campaign, owner, None)
    assert is_refused(ledger, campaign, owner)
    assert counts(ledger, campaign) == {"accepted": 30, "ready": 20}


def test_all_share_the_cap_of_a_day_which_ends_at_midnight(ledger: Ledger, owner: str, clock: Clock) -> None:
    limit(ledger, credits_per_day=39)
    first, second = running(ledger, 50), running(ledger, 50)
    send(ledger, first, owner, None)
    send(ledger, second, owner, None)
    for campaign in (first, second):
        assert is_refused(ledger, campaign, owner)
        assert "cap of 39 credits for a day" in (ledger.campaign(campaign).reason or "")
    clock.advance(16 * 3600)
    ledger.resume(first)
    send(ledger, first, owner, None)
    assert counts(ledger, first) == {"accepted": 20, "ready": 30}


def test_opt_outs_that_hit_people_who_are_still_to_be_texted_pause(ledger: Ledger, owner: str) -> None:
    limit(ledger, pauses_on_opt_outs=True)
    campaign, other = running(ledger, 30), running(ledger, 5)
    send(ledger, campaign, owner, None)
    ledger.add_opt_outs([f"+4474009000{number}" for number in ("07", "12", "13", "29", "99")])
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "some of the people still to be texted will get nothing" in (found.reason or "")
    assert ledger.campaign(other).state == "running", "of its people none is on the list"
    messages = ledger.messages(campaign)
    assert messages.loc[messages["state"] == "dropped", "row"].tolist() == [14, 15, 31]
    ledger.resume(campaign)
    ledger.add_opt_outs(["+447400900007"])
    assert ledger.campaign(campaign).state == "running", "this one was texted before"


def test_opt_outs_of_what_is_being_sent_again_pause_as_well(ledger: Ledger, owner: str, clock: Clock) -> None:
    """They are given up and not dropped, as they may have been texted before."""
    limit(ledger, pauses_on_opt_outs=True)
    campaign = running(ledger, 20)
    send(ledger, campaign, owner, UNKNOWN)
    clock.advance(600)
    ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
    ledger.add_opt_outs(["+447400900003", "+447400900007"])
    assert counts(ledger, campaign) == {"abandoned": 2, "ready": 18}
    assert "people still to be texted" in (ledger.campaign(campaign).reason or "")
    ledger.resume(campaign)
    ledger.add_opt_outs(["+447400900003"])
    assert ledger.campaign(campaign).state == "running", "nobody else opted out"


def test_opt_outs_of_a_batch_that_comes_back_pause_as_well(ledger: Ledger, owner: str) -> None:
    """It was claimed when they came in, so that nothing could be dropped yet."""
    limit(ledger, pauses_on_opt_outs=True)
    campaign = running(ledger, 10)
    for phone, comes_back in (("+447400900001", HELD_BACK), ("+447400900007", TOO_LARGE)):
        got = claim(ledger, campaign, owner)
        ledger.add_opt_outs([phone])
        assert ledger.campaign(campaign).state == "running"
        ledger.outbox.settle(got, comes_back)
        found = ledger.campaign(campaign)
        assert found.state == "paused"
        assert "people still to be texted will get nothing" in (found.reason or "")
        ledger.resume(campaign)
    send(ledger, campaign, owner, HELD_BACK)
    assert ledger.campaign(campaign).state == "running", "nobody else opted out"
    got = claim(ledger, campaign, owner)
    ledger.add_opt_outs(["+447400900003"])
    ledger.outbox.settle(got, Settlement("unauthorised", "ready", 401, "The key is refused.", pauses=True))
    assert ledger.campaign(campaign).reason == "The key is refused.", "as somebody has to mend that"
    ledger.resume(campaign)
    limit(ledger)
    got = claim(ledger, campaign, owner)
    ledger.add_opt_outs(["+447400900002"])
    ledger.outbox.settle(got, HELD_BACK)
    assert ledger.campaign(campaign).state == "running"
    assert counts(ledger, campaign) == {"dropped": 4, "ready": 6}


def test_opt_outs_of_what_a_person_sends_again_do_not_pause(ledger: Ledger, owner: str, clock: Clock) -> None:
    limit(ledger, pauses_on_opt_outs=True)
    campaign = running(ledger, 20)
    send(ledger, campaign, owner, UNKNOWN)
    ledger.add_opt_outs(["+447400900003"])
    clock.advance(600)
    ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
    assert counts(ledger, campaign) == {"abandoned": 1, "ready": 19}
    assert ledger.campaign(campaign).state == "running"
