"""The sender by itself: what it does with a claim between the ledger and the service."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from fixtures_ledger import Clock, counts, message_object, running

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Lane
from dashboard.sending.outcomes import Rules
from dashboard.sending.sender import Sender
from dashboard.service import Message, OutgoingMessage


class Service:
    """A service that takes everything; `before` is what happens just before it does."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.before = before
        self.taken: list[str] = []

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        self.before()
        self.taken += [message.uuid or "" for message in messages]
        return [message_object(message.uuid or "") for message in messages]


def sender(ledger: Ledger, service: Service, **options: Callable[[], float]) -> Sender:
    made = Sender(ledger.outbox, service, places=2, lanes=2, rules=Rules(), **options)
    made.owner = ledger.outbox.register(0)
    return made


def test_a_lane_walks_until_nothing_is_ready(ledger: Ledger) -> None:
    campaign = running(ledger, 25)
    service = Service()
    assert sender(ledger, service).walk(Lane(campaign, 0, 1)) == "nothing ready"
    assert sorted(service.taken) == sorted(ledger.messages(campaign)["uuid"])
    assert counts(ledger, campaign) == {"accepted": 25}


@pytest.mark.parametrize("state", ["paused", "cancelled"])
def test_a_lane_ends_when_its_campaign_stops(ledger: Ledger, state: str) -> None:
    campaign = running(ledger, 25)
    stop = {"paused": lambda: ledger.pause(campaign, "why"), "cancelled": lambda: ledger.cancel(campaign)}
    service = Service(before=stop[state])
    assert sender(ledger, service).walk(Lane(campaign, 0, 1)) == state
    assert len(service.taken) == 10, "what was on its way finishes"


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


def test_a_stop_claims_nothing_more(ledger: Ledger) -> None:
    campaign = running(ledger, 40)
    service = Service()
    walker = sender(ledger, service)
    service.before = walker.stopping.set
    assert walker.walk(Lane(campaign, 0, 1)) == "stopping"
    assert counts(ledger, campaign) == {"accepted": 10, "ready": 30}
    assert walker.in_flight() == set()


def test_sending_leaves_the_random_numbers_of_a_notebook_alone(ledger: Ledger) -> None:
    campaign = running(ledger, 3)
    before = random.getstate()
    sender(ledger, Service()).walk(Lane(campaign, 0, 1))
    assert random.getstate() == before
