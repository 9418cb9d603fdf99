"""Four eyes: nobody starts more than so much alone, whatever they do in whichever order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from fixtures_ledger import Clock, messages_frame, running

from dashboard.errors import CampaignError, CampaignStateError, LedgerError
from dashboard.ledger import Ledger, StartedBy, TextsPerPerson
from dashboard.ledger.audit.acting import acting

ANN, BOB, CEM = (f"{name}@example.com" for name in ("ann", "bob", "cem"))
DAY = timedelta(days=1)


def frozen(ledger: Ledger, messages: int, name: str = "Spring", **how: Any) -> str:
    return ledger.create_campaign(name, messages_frame(messages, name), batch_size=2, **how)


def clicked(
    ledger: Ledger, messages: int, name: str, *, at: datetime | None = None, asks: bool = True
) -> str:
    """Made and started at once by Bob, who may start three messages alone."""
    with acting(BOB):
        return frozen(ledger, messages, name, scheduled_at=at, start=StartedBy(BOB, 3, asks=asks))


def started(ledger: Ledger, campaign: str, who: str, above: int | None = 3) -> bool:
    with acting(who):
        return ledger.approvals.start(campaign, who=who, above=above)


def approve(ledger: Ledger, campaign: str, who: str) -> None:
    with acting(who):
        ledger.approvals.approve(campaign, who=who)


def state(ledger: Ledger, campaign: str) -> str:
    return ledger.campaign(campaign).state


def test_a_large_campaign_waits_for_another_person(ledger: Ledger) -> None:
    large = frozen(ledger, 4)
    assert not started(ledger, large, BOB)
    assert state(ledger, large) == "draft"
    for named in ([large], ledger.campaigns()["campaign"], np.array([large, "none"])):
        assert ledger.approvals.asked(named)[large].who == (BOB,)
    assert not started(ledger, large, BOB)  # asking again changes nothing
    assert not started(ledger, large, CEM)  # who asks as well may not approve either
    for who in (BOB, CEM):
        with pytest.raises(LedgerError, match="asked for this approval yourself"):
            approve(ledger, large, who)
    with pytest.raises(LedgerError):
        approve(ledger, large, " ")
    assert state(ledger, large) == "draft"
    approve(ledger, large, ANN)
    assert state(ledger, large) == "running"
    assert ledger.approvals.asked([large]) == {}
    with pytest.raises(CampaignStateError):
        approve(ledger, large, CEM)
    told = ledger.audit.entries()
    assert told[["what", "who", "about", "details"]].values.tolist()[:3] == [
        ["approve", ANN, large, '{"messages":4}'],
        ["ask approval", CEM, large, '{"messages":4}'],
        ["ask approval", BOB, large, '{"messages":4}'],
    ]


def test_an_approval_asked_for_by_a_clock_set_back_can_be_given(ledger: Ledger, clock: Clock) -> None:
    large, made_at = frozen(ledger, 4), clock()
    clock.advance(-600)
    for _again in range(2):
        assert not started(ledger, large, BOB)
    assert ledger.approvals.asked([large])[large].at == made_at
    assert len(ledger.audit.entries(what="ask approval")) == 1
    approve(ledger, large, ANN)
    assert state(ledger, large) == "running"


def test_neither_a_start_nor_an_approval_texts_people_too_often(ledger: Ledger, clock: Clock) -> None:
    cap = TextsPerPerson(1, DAY)
    small, large = frozen(ledger, 2), frozen(ledger, 4, name="Large")
    later = frozen(ledger, 2, name="Later", scheduled_at=clock.time + 30 * DAY)
    assert not started(ledger, large, BOB)
    running(ledger, messages_frame(2, "Before"), batch_size=2)
    with acting(BOB), pytest.raises(CampaignError, match="2 people would"):
        ledger.approvals.start(small, who=BOB, above=3, texts_per_person=cap)
    with acting(ANN), pytest.raises(CampaignError, match="2 people would"):
        ledger.approvals.approve(large, who=ANN, texts_per_person=cap)
    with pytest.raises(CampaignError, match="2 people would"):  # at once, not when it was to be
        ledger.approvals.start(later, who=ANN, above=None, seen="scheduled", texts_per_person=cap)
    assert [state(ledger, one) for one in (small, large, later)] == ["draft", "draft", "scheduled"]


def test_many_small_ones_are_a_large_one(ledger: Ledger, clock: Clock) -> None:
    first, second, third = (frozen(ledger, 2, name=name) for name in ("A", "B", "C"))
    assert started(ledger, first, BOB)
    assert ledger.approvals.alone(BOB) == 2
    clock.advance(DAY.total_seconds() - 1)
    ledger.cancel(first)  # it was let go of all the same
    assert not started(ledger, second, BOB)
    assert started(ledger, third, CEM)  # somebody else's are their own
    clock.advance(2)
    assert ledger.approvals.alone(BOB) == 0
    assert not started(ledger, second, BOB)  # asked is asked
    approve(ledger, second, ANN)
    assert ledger.approvals.alone(BOB) == ledger.approvals.alone(ANN) == 0


def test_who_moves_a_campaign_has_not_started_it_alone(ledger: Ledger, clock: Clock) -> None:
    at = clock() + timedelta(days=7)
    large, small = clicked(ledger, 5, "A", at=at), clicked(ledger, 3, "B", at=at)
    approve(ledger, large, ANN)
    assert alone(ledger) == {ANN: 0, BOB: 3, CEM: 0}
    for who in (CEM, ANN, BOB):
        for campaign in (large, small):
            with acting(who):
                ledger.schedule(campaign, at - timedelta(hours=1))
    assert alone(ledger) == {ANN: 0, BOB: 3, CEM: 0}
    clock.advance(2 * DAY.total_seconds())
    with acting(BOB):
        for campaign in (large, small):
            ledger.schedule(campaign, at)
    assert alone(ledger) == {ANN: 0, BOB: 0, CEM: 0}
    late = frozen(ledger, 2, name="C")
    clock.advance(-3600)
    with acting(BOB):
        ledger.schedule(late, at)
    assert alone(ledger) == {ANN: 0, BOB: 2, CEM: 0}, "also by a clock that was set back"


def alone(ledger: Ledger) -> dict[str, int]:
    return {who: ledger.approvals.alone(who) for who in (ANN, BOB, CEM)}


def test_an_approved_campaign_keeps_its_time(ledger: Ledger, clock: Clock) -> None:
    at = clock() + timedelta(hours=3)
    early, late = clicked(ledger, 5, "A", at=at), clicked(ledger, 5, "B", at=at)
    small = clicked(ledger, 1, "C", at=at)
    assert [state(ledger, one) for one in (early, late, small)] == ["draft", "draft", "scheduled"]
    for who in (BOB, CEM):  # who saw it while it was a draft
        with pytest.raises(CampaignStateError, match="has changed since you looked"):
            started(ledger, small, who, above=None)
    assert state(ledger, small) == "scheduled"
    approve(ledger, early, ANN)
    assert (state(ledger, early), ledger.campaign(early).scheduled_at) == ("scheduled", at)
    clock.advance(4 * 3600)
    approve(ledger, late, ANN)
    assert state(ledger, late) == "running"


def test_who_starts_long_after_the_time_is_asked_about_it(ledger: Ledger, clock: Clock) -> None:
    past = clock() - timedelta(hours=1)
    late = [
        clicked(ledger, 1, "A", at=past),
        frozen(ledger, 1, "B", scheduled_at=past, start=StartedBy(BOB, None)),
    ]
    ledger.outbox.start_due()
    assert [state(ledger, one) for one in late] == ["paused", "paused"]
    waited = clicked(ledger, 5, "C", at=clock() + timedelta(minutes=1))
    clock.advance(3600)
    assert started(ledger, waited, BOB, above=None)
    assert state(ledger, waited) == "running", "its time passed while it waited, as its starter knows"


def test_nothing_else_waits_for_an_approval(ledger: Ledger) -> None:
    prepared, cancelled = frozen(ledger, 4, name="A"), frozen(ledger, 4, name="B")
    assert not started(ledger, cancelled, BOB)
    ledger.cancel(cancelled)
    for campaign in (prepared, cancelled):
        with pytest.raises(CampaignStateError):
            approve(ledger, campaign, ANN)
    assert ledger.approvals.asked([prepared, cancelled]) == {}
    assert ledger.approvals.asked([]) == {}
    with pytest.raises(CampaignStateError):
        started(ledger, cancelled, BOB)
    assert started(ledger, prepared, BOB, above=None)  # where there is no limit


def test_of_two_at_once_only_one_is_small_enough(ledger_url: str, clock: Clock) -> None:
    ledgers = [Ledger.open(ledger_url, now=clock) for _ in range(4)]
    with ThreadPoolExecutor(len(ledgers)) as pool:
        found = list(pool.map(clicked, ledgers, [2] * 4, "ABCD"))
    assert sorted(state(ledgers[0], one) for one in found) == ["draft", "draft", "draft", "running"]
    for ledger in ledgers:
        ledger.close()


def test_made_and_started_in_one_it_counts_as_anything_else_does(ledger: Ledger) -> None:
    small, large = clicked(ledger, 2, "A"), clicked(ledger, 2, "B")
    assert [state(ledger, one) for one in (small, large)] == ["running", "draft"]
    assert ledger.approvals.asked([small, large])[large].who == (BOB,)
    with pytest.raises(CampaignError, match="as you may start alone"):
        clicked(ledger, 2, "C", asks=False)
    clicked(ledger, 1, "D", asks=False)
    assert ledger.approvals.alone(BOB) == 3
    told = ledger.audit.entries()
    assert told[["what", "who", "details"]].values.tolist() == [
        ["start", BOB, '{"messages":1}'],
        ["ask approval", BOB, '{"messages":2}'],
        ["start", BOB, '{"messages":2}'],
    ]
