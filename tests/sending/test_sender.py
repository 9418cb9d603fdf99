"""The sender by itself: what it does with a claim between the ledger and the service."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from threading import Semaphore, Thread

import pytest
from each import each
from fixtures_ledger import Clock, claim, counts, messages_frame, running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from senders import Service, send, sender, walk

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.gate import lock_gate, write_gate
from dashboard.sending import Engine
from dashboard.sending import reconciler as reconciler_module
from dashboard.sending import sender as sender_module
from dashboard.service import SmsService


def close_gate(ledger: Ledger, now: datetime) -> None:
    """As an answer does by which the service asks all to wait."""
    with ledger.database.write() as connection:
        gate = lock_gate(connection, now)
        write_gate(connection, gate.closed(reason="Busy.", for_s=60, claimed_at=now, now=now, jitter=1.0))


def test_a_walk_goes_on_until_nothing_is_ready(ledger: Ledger) -> None:
    """And leaves the random numbers of a notebook alone."""
    campaign, service, before = running(ledger, 25), Service(), random.getstate()
    assert walk(ledger, campaign, service) == "nothing ready"
    assert sorted(service.taken) == sorted(ledger.messages(campaign)["uuid"])
    assert counts(ledger, campaign) == {"accepted": 25}
    assert random.getstate() == before


def test_a_program_held_up_between_claim_and_request_does_not_send(ledger: Ledger) -> None:
    """Stopped for minutes, the batch may be someone else's by now; the machine's own clock tells."""
    campaign = running(ledger, 10)
    service = Service()
    ticks = iter([0.0, 61.0, 61.0, 61.5, 62.0])
    assert send(sender(ledger, service, monotonic=lambda: next(ticks)), campaign) == "nothing ready"
    assert len(service.taken) == 10
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "not sent", "claimed", "accepted"]


IN_TIME, TOO_LATE = (0, 1, 30, 59, 60, -60, -3600), (61, 119, 121, 299, 301, 3600, 86_400)


@each("slept_s", [*IN_TIME, *TOO_LATE])
def test_a_machine_that_slept_while_it_connected_sends_nothing_too_late(
    ledger: Ledger, clock: Clock, emptied_sandbox: SandboxPeer, slept_s: int
) -> None:
    """The key is asked for after all that is looked at before a request, and before its first byte."""
    campaign = running(ledger, 20)
    sleeps = iter([0.0, slept_s])

    def key() -> str:
        clock.advance(next(sleeps, 0.0))
        return emptied_sandbox.api_key

    with SmsService(emptied_sandbox.base_url, key) as service:
        walk(ledger, campaign, service)
    events = ledger.attempts(campaign)["event"].tolist()
    once, again = ["claimed", "accepted"], ["claimed", "not sent"]
    assert events == [*once, *([] if slept_s in IN_TIME else again), *once]
    assert counts(ledger, campaign) == {"accepted": 20}
    took = Counter(message["uuid"] for message in emptied_sandbox.messages())
    assert [took[uuid] for uuid in ledger.messages(campaign)["uuid"]] == [1] * 20
    assert ledger.waiting_reasons(campaign) == []


def test_who_waited_for_a_turn_was_not_held_up(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a slow pace a walk waits for minutes, and is as quick as ever once it may claim."""
    monkeypatch.setattr(sender_module, "LONGEST_SLEEP_S", 0.01)
    campaign, service = running(ledger, 20), Service()
    ledger.outbox.set_pace(0.05)

    def looked_at() -> float:
        clock.advance(50)
        return clock.time.timestamp()

    assert send(sender(ledger, service, monotonic=looked_at), campaign) == "nothing ready"
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "accepted"] * 2


def test_a_claim_that_was_written_although_the_ledger_went_away_is_given_back_and_sent(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a batch that nothing was done with would be unknown minutes later; who opted out is looked up."""
    monkeypatch.setattr(sender_module, "RETRY_S", 0.01)
    campaign, service = running(ledger, 10), Service()
    walker = sender(ledger, service)
    claim = ledger.outbox.claim

    def go_away_once(*arguments: object, **options: object) -> object:
        monkeypatch.setattr(ledger.outbox, "claim", claim)
        claim(*arguments, **options)  # type: ignore[arg-type]
        raise LedgerUnavailableError("away, though it was written")

    monkeypatch.setattr(ledger.outbox, "claim", go_away_once)
    assert send(walker, campaign) == "nothing ready"
    assert counts(ledger, campaign) == {"accepted": 10}
    told = ["claimed", "not sent", "claimed", "accepted"]
    assert ledger.attempts(campaign)["event"].tolist() == told


def test_while_an_answer_that_pauses_is_being_recorded_no_further_request_goes_out(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = running(ledger, 20)
    service = Service(to="+447700900999")  # which nobody gave
    walker = sender(ledger, service, places=1)
    other = Thread(target=walker.walk)
    settle = ledger.outbox.settle

    def slowly(*arguments: object, **options: object) -> object:
        monkeypatch.setattr(ledger.outbox, "settle", settle)
        other.start()
        other.join(0.3)
        return settle(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(ledger.outbox, "settle", slowly)
    send(walker, campaign)
    other.join()
    assert ledger.campaign(campaign).state == "paused"
    assert counts(ledger, campaign) == {"accepted": 10, "ready": 10}
    assert ledger.campaign(campaign).state == "paused"


@each(
    "meanwhile, left",
    [
        ("nothing", {"accepted": 20}),
        ("held up", {"accepted": 20}),
        ("paused", {"accepted": 10, "ready": 10}),
        ("cancelled", {"accepted": 10, "cancelled": 10}),
        ("stopping", {"accepted": 10, "ready": 10}),
        ("the service asks to wait", {"accepted": 10, "ready": 10}),
        ("given up", {"accepted": 10, "abandoned": 10}),
        ("opted out", {"accepted": 19, "dropped": 1}),
    ],
)
def test_while_all_places_are_taken_one_batch_is_claimed_and_what_comes_meanwhile_keeps_it_back(
    ledger: Ledger, clock: Clock, meanwhile: str, left: dict[str, int]
) -> None:
    """Its request leaves as soon as there is a place, and no later than any other after its claim."""
    campaign, requested, answered = running(ledger, 20), Semaphore(0), Semaphore(0)

    def answer() -> None:
        requested.release()
        answered.acquire()

    service = Service(before=answer)
    walker = sender(ledger, service, places=1)
    walker.serve([campaign])
    walks = [Thread(target=walker.walk) for _ in range(2)]
    for walk_ in walks:
        walk_.start()
    requested.acquire()
    wait_until(lambda: ledger.campaign(campaign).sending == 20)

    def give_up() -> None:
        """Another process took this one for dead, and a person decided."""
        ledger.outbox.retire([0])
        ledger.decide_all(campaign, "abandoned", who="Ann", why="why")

    happens: dict[str, Callable[[], object]] = {
        "nothing": lambda: None,
        "paused": lambda: ledger.pause(campaign, "why"),
        "cancelled": lambda: ledger.cancel(campaign),
        "stopping": walker.stopping.set,
        "the service asks to wait": lambda: close_gate(ledger, clock()),
        "held up": lambda: clock.advance(61),
        "given up": give_up,
        "opted out": lambda: ledger.add_opt_outs([ledger.messages(campaign)["to"].iloc[15]]),
    }
    clock.advance(1)
    happens[meanwhile]()
    answered.release(2)
    ends = (left["accepted"], 0)
    wait_until(lambda: ends == (ledger.campaign(campaign).accepted, ledger.campaign(campaign).sending))
    walker.stopping.set()
    for walk_ in walks:
        walk_.join()
    clock.advance(60)
    assert counts(ledger, campaign) == left
    assert len(service.taken) == left["accepted"]
    events = Counter(ledger.attempts(campaign)["event"])
    assert events["not sent"] == (meanwhile not in {"nothing", "given up"})
    assert events["accepted"] == 1 + (left["accepted"] > 10)


@pytest.mark.usefixtures("soon")
def test_a_request_that_takes_minutes_is_not_given_up_by_its_own_program(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler_module, "SWEEP_EVERY_S", 0)
    campaign = running(ledger, 10)

    def take_minutes() -> None:
        clock.advance(600)
        time.sleep(0.3)  # it sweeps meanwhile

    with Engine(ledger, Service(before=take_minutes)) as engine:
        engine.wait_until_done()
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "accepted"]


@pytest.mark.parametrize("step_s", [86_400, -86_400])
def test_a_clock_that_steps_meanwhile_changes_nothing(ledger: Ledger, clock: Clock, step_s: float) -> None:
    """Not even when dead owners are looked for in between: what is in flight here is not lost."""
    campaign = running(ledger, 20)
    service = Service()
    walker = sender(ledger, service)

    def step() -> None:
        clock.advance(step_s)
        assert ledger.outbox.give_up_lost(walker.owner, walker.in_flight()) == 0
        service.before = lambda: None

    service.before = step
    assert send(walker, campaign) == "nothing ready"
    assert counts(ledger, campaign) == {"accepted": 20}
    assert len(service.taken) == 20


def test_what_was_claimed_again_is_in_flight_though_its_first_walk_ends_later(ledger: Ledger) -> None:
    walker = sender(ledger, Service())
    got = claim(ledger, running(ledger, 10), walker.owner)
    with walker._noted(replace(got, attempt=2)):
        with walker._noted(got):
            pass
        assert walker.in_flight() == {got.batch_id}
    assert walker.in_flight() == set()


def test_a_claim_that_was_taken_over_meanwhile_is_not_sent_as_ours(ledger: Ledger) -> None:
    """Declared dead while it posts: the answer still counts, the batch is not sent again."""
    campaign = running(ledger, 10)
    service = Service(before=lambda: ledger.outbox.retire([0]) and None)
    assert send(sender(ledger, service), campaign) == "retired"
    assert counts(ledger, campaign) == {"accepted": 10}
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "lost", "accepted"]


def test_campaigns_take_turns_and_one_that_comes_later_gets_its_own_at_once(ledger: Ledger) -> None:
    """After each of the others once; one that is there already is not served twice in a round."""
    first, second, third = (running(ledger, 30) for _ in range(3))
    of = {uuid: one for one in (first, second, third) for uuid in ledger.messages(one)["uuid"]}
    service = Service()
    walker = sender(ledger, service)
    service.before = lambda: walker.serve([third, second]) if len(service.taken) == 20 else None
    assert send(walker, first, second) == "nothing ready"
    order = [of[uuid] for uuid in service.taken[::10]]
    assert order == [first, second, first, second, first, third, second, third, third]


def test_whoever_may_still_be_texted_does_not_wait_for_the_next_look(ledger: Ledger, clock: Clock) -> None:
    frame, service = messages_frame(20), Service()
    clock.time = clock.time.replace(hour=21)
    zones = ["Europe/London"] * 10 + ["America/New_York"] * 10
    frame["texting_hours"] = [f"09:00:00-20:00:00 1234567 {zone}" for zone in zones]
    campaign = running(ledger, frame)
    assert walk(ledger, campaign, service) == "nothing ready"
    assert counts(ledger, campaign) == {"ready": 10, "accepted": 10}


def test_a_job_without_a_cap_does_not_spend_what_the_others_may_not(ledger: Ledger) -> None:
    """Started without the settings, say from another folder, a job took the cap from all that sent."""
    campaign, walker = running(ledger, 100), sender(ledger, Service())
    other = ledger.outbox.register(1)
    ledger.outbox.set_limits(Limits(credits_per_campaign=60, credits_per_day=100), other)
    for brought, cap in ((Limits(), 60), (Limits(credits_per_campaign=90), 90)):
        ledger.outbox.set_limits(brought, walker.owner)
        assert send(walker, campaign) == "paused"
        assert f"cap of {cap} credits" in (ledger.campaign(campaign).reason or "")
        assert counts(ledger, campaign)["accepted"] == cap // 20 * 10, "two credits each, in batches of ten"
        ledger.resume(campaign)
    ledger.outbox.retire([1])
    ledger.outbox.set_limits(Limits(), walker.owner)
    send(walker, campaign)
    assert counts(ledger, campaign) == {"accepted": 100}
