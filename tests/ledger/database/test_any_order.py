"""Sessions on PostgreSQL in any order, some of them cut: none waits for ever, and all stays true."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import cycle
from random import Random
from typing import Any, TypeVar

import pytest
from each import each
from fixtures_ledger import (
    Clock,
    StartPostgresql,
    accepted,
    counts,
    messages_frame,
    new_database,
    report,
    running,
)
from simulation.chance import chance_of
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from tiers import only_deep
from turns import Turns

from dashboard.errors import DashboardError, LedgerUnavailableError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.database import advisory, connections, schema
from dashboard.ledger.database.locks import batch_row, lock_batches_where
from dashboard.ledger.evidence import reports
from dashboard.ledger.outbox import control, slots
from dashboard.ledger.outbox.claims import Claim, Nothing
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies import recount

ACTS = 4
TRIES = 50
SCHEDULES_UNTIL_FOUND = 20
_Got = TypeVar("_Got")


class Crowd:
    """Programs that send, the service, and people, each of whom draws what to do; and what has to be true.

    Attributes:
        requested: How often each uuid was claimed, so that a request with it left.
        unsent: How often it was proved that such a request took nothing.
        named: What the service named.
    """

    def __init__(self, ledger: Ledger, clock: Clock, turn: Callable[[], None], *, pauses: bool) -> None:
        self.ledger, self.clock, self.turn = ledger, clock, turn
        self.requested, self.unsent = Counter[str](), Counter[str]()
        self.named = set[str]()
        ledger.outbox.set_limits(Limits(0.9, 10**6, 10**7, pauses))
        self.campaigns = [running(ledger, 12, batch_size=3) for _ in range(2)]

    def asked(self, act: Callable[[], _Got]) -> _Got:
        """As every program does: what fails because a session was cut is asked for again, in its turn."""
        for _ in range(TRIES):
            with suppress(LedgerUnavailableError):
                return act()
            self.turn()
        return act()

    def send(self, draw: Random) -> None:
        """A program takes a slot, claims, and ends as it should or as a killed one does."""
        slot = slots.take_slot(self.ledger.database)
        try:
            owner = self.asked(lambda: self.ledger.outbox.register(slot.number))
            for _ in range(5):
                self.clock.advance(1)
                campaign, ticket = draw.choice(self.campaigns), str(draw.getrandbits(64))
                got = self.asked(lambda: self.ledger.outbox.claim(campaign, owner=owner, ticket=ticket))  # noqa: B023
                if isinstance(got, Claim):
                    self.requested.update(one.uuid or "" for one in got.messages)
                    self.answer(got, draw)
                elif got == Nothing("paused"):
                    self.ledger.resume(campaign)
            if draw.random() < 0.5:
                self.asked(lambda: self.ledger.outbox.retire([slot.number]))
        finally:
            slot.release()

    def answer(self, claim: Claim, draw: Random) -> None:
        closes = Settlement("throttled", "ready", 429, closes_gate=True, retry_after_s=0.01)
        split, unsent = Settlement("rejected", "split", 422), Settlement("not sent", "ready")
        answers = [accepted(claim), accepted(claim, only=slice(1)), split, closes, unsent]
        answer = draw.choice([*answers, Settlement("unknown", "unknown"), None])
        if answer is None:  # it is killed before it can say
            return
        self.named.update(one.uuid for one in answer.echoed)
        if answer.state in {"ready", "split"}:
            self.unsent.update(one.uuid or "" for one in claim.messages)
        self.asked(lambda: self.ledger.outbox.settle(claim, answer))

    def report(self, draw: Random) -> None:
        for _ in range(TRIES):
            if not self.requested:
                self.turn()
        told = draw.sample([*self.requested], min(len(self.requested), 8))
        reason = draw.choice([None, "absent"])
        self.named.update(told)
        self.asked(lambda: self.ledger.record_reports([report(one, failure_reason=reason) for one in told]))

    def person(self, draw: Random) -> None:
        ledger, campaign = self.ledger, draw.choice(self.campaigns)
        phone = f"+447400{900000 + draw.randrange(12)}"
        acts: list[Callable[[], object]] = [
            lambda: ledger.pause(campaign, "why"),
            lambda: ledger.cancel(campaign),
            lambda: ledger.add_opt_outs([phone]),
            lambda: ledger.decide_all(campaign, draw.choice(["ready", "accepted", "abandoned"]), "me", "why"),
            lambda: self.campaigns.append(
                ledger.create_campaign("Spring", messages_frame(6), batch_size=3, start=True)
            ),
            lambda: ledger.create_campaign(
                "Spring", messages_frame(6), batch_size=3, scheduled_at=self.clock.time
            ),
        ]
        draw.choice(acts)()

    def housekeeping(self, draw: Random) -> None:
        ledger, outbox = self.ledger, self.ledger.outbox
        acts: list[Callable[[], object]] = [
            outbox.start_due,
            outbox.finish,
            lambda: outbox.set_pace(draw.choice([0.0, 1000.0])),
            lambda: outbox.retire([7]),
            lambda: outbox.give_up_lost(outbox.register(7), []),
            lambda: ledger.forget(before=self.clock.time),
            lambda: ledger.mend(draw.choice(self.campaigns)),
            lambda: ledger.distrust(opt_outs_kept=True),
            *[lambda: self.clock.advance(400)] * 3,
        ]
        draw.choice(acts)()

    def check(self) -> None:
        states = {}
        with self.ledger.database.read() as connection:
            sent_again = dict(connection.execute(_SENT_AGAIN).all())
            for campaign in self.ledger.campaigns()["campaign"]:
                assert counts(self.ledger, campaign)
                assert recount.wrong(connection, campaign) == []
                states |= self.ledger.messages(campaign).set_index("uuid")["state"].to_dict()
        assert {states[uuid] for uuid in self.named} <= {"accepted"}
        for uuid, times in self.requested.items():
            assert times <= 1 + self.unsent[uuid] + sent_again.get(uuid, 0)


_SENT_AGAIN = text(
    "SELECT m.uuid, count(*) FROM decision d JOIN batch b ON b.id = d.batch_id "
    "JOIN message m ON m.id BETWEEN b.first_message AND b.last_message WHERE decision = 'ready' GROUP BY 1"
)


def over_and_over(act: Callable[[Random], None], draw: Random) -> Callable[[], None]:
    def run() -> None:
        for _ in range(ACTS):
            with suppress(DashboardError, DBAPIError):  # refused, as many a step is in such a crowd, or cut
                act(draw)

    return run


def play(url: str, seed: int, *, cuts: float = 0.01, restart: Callable[[], None] | None = None) -> Turns:
    """Play a seed's schedule in an empty database."""
    clock, turns = Clock(), Turns(seed, cuts=cuts, restart=restart)
    with chance_of(seed), pytest.MonkeyPatch.context() as patch:
        patch.setattr(slots, "SLOTS", 2)
        patch.setattr(connections, "_Cursor", turns.cursor())
        with Ledger.open(url, now=clock) as ledger:
            crowd = Crowd(ledger, clock, turns.stop, pauses=bool(seed % 2))
            acts = [*[crowd.send] * 3, crowd.report, crowd.person, crowd.person, crowd.housekeeping]
            if seed % 2:  # of two that wait for a row, PostgreSQL may let either go first
                acts.append(crowd.report)
            for number, act in enumerate(acts):
                draw = Random(f"{seed} {number}")  # noqa: S311 - a replayable draw
                turns.add(f"{act.__name__} {number}", over_and_over(act, draw))
            turns.play(ledger.database.engine)
            crowd.check()
    return turns


@pytest.mark.parametrize("seed", [*range(3), *only_deep(*range(3, 60))])
def test_in_any_order_nobody_waits_in_a_circle_and_all_stays_true(postgresql_url: str, seed: int) -> None:
    play(postgresql_url, seed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_the_same_holds_when_the_server_is_restarted(start_postgresql: StartPostgresql, seed: int) -> None:
    with start_postgresql() as (url, server):

        def restart() -> None:
            server.stop()
            server.ensure_postgres_running()

        assert "restart" in play(url, seed, restart=restart).order


@pytest.mark.deep
def test_a_schedule_is_the_same_each_time_it_is_played(postgresql_server: str) -> None:
    played = []
    for _ in range(2):
        with new_database(postgresql_server) as url:
            played.append(play(url, 4))
    once, again = played
    assert once.order == again.order
    assert once.waits
    assert once.refused["57P01"]


def batches_first(campaign_row: Callable[..., Any]) -> Callable[..., Any]:
    def lock(connection: Connection, campaign: str, hold: Any = "not") -> Any:
        lock_batches_where(connection, schema.batch.c.campaign_id == campaign)
        return campaign_row(connection, campaign, hold)

    return lock


_WAYS = cycle((True, False))


def forwards_and_back(connection: Connection, batch_ids: Iterable[int]) -> bool:
    return all(batch_row(connection, one).state != "split" for one in sorted(batch_ids, reverse=next(_WAYS)))


def release_but_not_unlock(slot: Any) -> None:
    if slot._connection is not None:
        slot._connection.close()
        slot._connection = None


PLANTED: dict[str, tuple[object, str, Any, str]] = {
    "batches are locked before their campaign": (
        *(control, "campaign_row", batches_first(control.campaign_row)),
        "in a circle|nobody gives back",
    ),
    "batches are locked in no order": (
        *(reports, "lock_batches", forwards_and_back),
        "in a circle|nobody gives back",
    ),
    "a slot is not unlocked": (slots.AdvisorySlot, "release", release_but_not_unlock, "lock"),
    "a turn is not given back": (
        *(advisory, "_SERIALIZE", text("SELECT pg_advisory_lock(:what)")),
        "nobody gives back|advisory lock held",
    ),
}


@pytest.mark.deep
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # who waits for ever is cut off
@each("name", PLANTED)
def test_a_schedule_finds_what_was_planted(postgresql_server: str, name: str) -> None:
    where, attribute, wrong, seen = PLANTED[name]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(AssertionError, match=seen):  # noqa: PT012
        patch.setattr(where, attribute, wrong)
        for seed in range(SCHEDULES_UNTIL_FOUND):
            with new_database(postgresql_server) as url:
                play(url, seed, cuts=0.0)
    gc.collect()  # or the warnings about what was cut off come in another test
