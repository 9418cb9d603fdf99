"""The sender by itself: what it does with a claim between the ledger and the service."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from each import each
from fixtures_ledger import Clock, counts, message_object, running
from senders import sender, walk

from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.claims import Lane
from dashboard.service import Message, OutgoingMessage


class Service:
    """A service that takes everything; `before` is what happens just before it does."""

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        self.before = before
        self.taken: list[str] = []

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        self.before()
        self.taken += [message.uuid or "" for message in messages]
        return [message_object(message.uuid or "") for message in messages]


def test_a_lane_walks_until_nothing_is_ready(ledger: Ledger) -> None:
    """And leaves the random numbers of a notebook alone."""
    campaign, service, before = running(ledger, 25), Service(), random.getstate()
    assert walk(ledger, campaign, service) == "nothing ready"
    assert sorted(service.taken) == sorted(ledger.messages(campaign)["uuid"])
    assert counts(ledger, campaign) == {"accepted": 25}
    assert random.getstate() == before


@each("state, left", [("paused", "ready"), ("cancelled", "cancelled"), ("stopping", "ready")])
def test_a_lane_ends_when_its_campaign_or_its_program_stops(ledger: Ledger, state: str, left: str) -> None:
    campaign, service = running(ledger, 25), Service()
    walker = sender(ledger, service)
    stop: dict[str, Callable[[], object]] = {
        "paused": lambda: ledger.pause(campaign, "why"),
        "cancelled": lambda: ledger.cancel(campaign),
        "stopping": walker.stopping.set,
    }
    service.before = stop[state]
    assert walker.walk(Lane(campaign, 0, 1)) == state
    assert counts(ledger, campaign) == {"accepted": 10, left: 15}, "what was on its way finishes"
    assert walker.in_flight() == set()


def test_a_program_held_up_between_claim_and_request_does_not_send(ledger: Ledger) -> None:
    """Stopped for minutes, the batch may be someone else's by now; the machine's own clock tells."""
    campaign = running(ledger, 10)
    service = Service()
    ticks = iter([0.0, 61.0, 61.0, 61.5, 62.0])
    assert (
        sender(ledger, service, monotonic=lambda: next(ticks)).walk(Lane(campaign, 0, 1)) == "nothing ready"
    )
    assert len(service.taken) == 10
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "not sent", "claimed", "accepted"]


def test_a_machine_that_slept_between_claim_and_request_does_not_send(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own clock stood still; the wall clock tells."""
    campaign = running(ledger, 10)
    service = Service()
    walker = sender(ledger, service)
    claim = ledger.outbox.claim

    def sleep_after_the_first(*arguments: object, **options: object) -> object:
        monkeypatch.undo()
        got = claim(*arguments, **options)  # type: ignore[arg-type]
        clock.advance(3600)
        return got

    monkeypatch.setattr(ledger.outbox, "claim", sleep_after_the_first)
    walker.walk(Lane(campaign, 0, 1))
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "not sent", "claimed", "accepted"]


@pytest.mark.parametrize("step_s", [86_400, -86_400])
def test_a_clock_that_steps_while_a_request_is_on_its_way_changes_nothing(
    ledger: Ledger, clock: Clock, step_s: float
) -> None:
    """Not even when dead owners are looked for in between: what is in flight here is not lost."""
    campaign = running(ledger, 20)
    service = Service()
    walker = sender(ledger, service)

    def step() -> None:
        clock.advance(step_s)
        assert ledger.outbox.give_up_lost(walker.owner, walker.in_flight()) == 0
        service.before = lambda: None

    service.before = step
    assert walker.walk(Lane(campaign, 0, 1)) == "nothing ready"
    assert counts(ledger, campaign) == {"accepted": 20}
    assert len(service.taken) == 20


def test_a_claim_that_was_taken_over_meanwhile_is_not_sent_as_ours(ledger: Ledger, clock: Clock) -> None:
    """Declared dead while it posts: the answer still counts, the batch is not sent again."""
    campaign = running(ledger, 10)
    service = Service(before=lambda: ledger.outbox.retire([0]) and None)
    assert sender(ledger, service).walk(Lane(campaign, 0, 1)) == "retired"
    assert counts(ledger, campaign) == {"accepted": 10}
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "lost", "accepted"]


def test_more_lanes_than_wanted_end_at_once(ledger: Ledger) -> None:
    campaign = running(ledger, 40)
    ends: list[str] = []
    service = Service()
    walker = sender(ledger, service)

    def crowd() -> None:
        service.before = lambda: None
        walker._walking[campaign] = 2
        ends.append(walker.walk(Lane(campaign, 1, 2)))
        walker._walking[campaign] = 1

    service.before = crowd
    walker.walk(Lane(campaign, 0, 2))
    assert ends == ["enough lanes"]
    assert walker.walking() == 0


def test_a_job_without_a_cap_does_not_spend_what_the_others_may_not(ledger: Ledger) -> None:
    """Started without the settings, say from another folder, a job took the cap from all that sent."""
    campaign, walker = running(ledger, 100), sender(ledger, Service())
    other = ledger.outbox.register(1)
    ledger.outbox.set_limits(Limits(credits_per_campaign=60, credits_per_day=100), other)
    for brought, cap in ((Limits(), 60), (Limits(credits_per_campaign=90), 90)):
        ledger.outbox.set_limits(brought, walker.owner)
        assert walker.walk(Lane(campaign, 0, 1)) == "paused"
        assert f"cap of {cap} credits" in (ledger.campaign(campaign).reason or "")
        assert counts(ledger, campaign)["accepted"] == cap // 20 * 10, "two credits each, in batches of ten"
        ledger.resume(campaign)
    ledger.outbox.retire([1])
    ledger.outbox.set_limits(Limits(), walker.owner)
    walker.walk(Lane(campaign, 0, 1))
    assert counts(ledger, campaign) == {"accepted": 100}
