"""Caps count each message with its bill, or else its highest estimate, wherever its batch stands by now."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import uuid4

import pandas as pd
import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    Clock,
    accepted,
    claim,
    echo,
    message_object,
    messages_frame,
    report,
    running,
    upgraded,
)
from tiers import only_deep

from dashboard.errors import CampaignError, CampaignStateError
from dashboard.ledger import Caps, Ledger, Limits
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.outbox.claims import Claim, Lane
from dashboard.ledger.outbox.settle import Settlement

AT_THE_SERVICE = {"sending", "unknown", "abandoned"}
DAY = timedelta(days=1)
Days = tuple[datetime, datetime]
EVER = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


RECOUNTED = ["state", "credits_high", "credits_billed"]


def recount(messages: pd.DataFrame) -> int:
    """What counts of these messages, one after the other; shares no code with the ledger."""
    total = 0
    for message in messages.itertuples():
        bill = 0 if pd.isna(message.credits_billed) else int(message.credits_billed)
        if message.state == "accepted":
            total += bill if bill > 0 else int(message.credits_high)
        elif message.state in AT_THE_SERVICE:
            total += int(message.credits_high)
    return total


def sent_again(ledger: Ledger, days: Days = EVER) -> dict[str, int]:
    """What was unknown when a person decided to send it again, by campaign, if it was requested then."""
    total = dict.fromkeys(ledger.campaigns()["campaign"], 0)
    for campaign in total:
        notes = ledger.attempts(campaign)
        claims = notes[notes["event"] == "claimed"].set_index(["batch", "attempt"])["at"]
        for decision in ledger.decisions(campaign).itertuples():
            at = claims[decision.batch, decision.attempt]
            if decision.decision == "ready" and days[0] <= at < days[1]:
                total[campaign] += int(decision.credits_high)
    return total


def used_of(ledger: Ledger, campaign: str) -> int:
    with ledger.database.read() as connection:
        return used(connection, campaign)


def used_on(ledger: Ledger, days: Days) -> tuple[int, int]:
    """As claims count it, and recounted."""
    with ledger.database.read() as connection:
        found = used_between(connection, *days)
    messages = ledger.messages(since=days[0], until=days[1], columns=RECOUNTED)
    return found, recount(messages) + sum(sent_again(ledger, days).values())


class Play:
    """Campaigns under caps, and all that can happen to their batches, drawn from a seed."""

    def __init__(self, ledger: Ledger, clock: Clock, seed: int) -> None:
        self.ledger, self.clock, self.draw = ledger, clock, Random(seed)  # noqa: S311 - a replayable draw
        self.cap, self.day = self.draw.randint(15, 60), self.draw.randint(30, 90)
        ledger.outbox.set_limits(Limits(credits_per_campaign=self.cap, credits_per_day=self.day))
        self.owner = ledger.outbox.register(0)
        self.campaigns = [self._campaign() for _ in range(2)]
        self.claims: list[Claim] = []
        high = ledger.messages(columns=["uuid", "credits_high"])
        self.high = dict(zip(high["uuid"], high["credits_high"].tolist(), strict=True))

    def _campaign(self) -> str:
        high = [self.draw.randint(1, 4) for _ in range(24)]
        frame = messages_frame(24).assign(credits_high=high)
        campaign = self.ledger.create_campaign("Spring", frame, batch_size=self.draw.choice([1, 4, 8]))
        self.ledger.start(campaign)
        return campaign

    def step(self) -> None:
        campaign = self.draw.choice(self.campaigns)
        self.clock.advance(self.draw.choice([1, 400, 7200, 20_000]))
        if self.ledger.campaign(campaign).state == "paused":
            self.ledger.resume(campaign)
        acts = [self._claim] * 4 + [self._answer] * 4 + [self._decide, self._report, self._opt_out]
        self.draw.choice(acts)(campaign)

    def _claim(self, campaign: str) -> None:
        got = self.ledger.outbox.claim(Lane(campaign, 0, 1), owner=self.owner, ticket=str(uuid4()))
        if isinstance(got, Claim):
            self.claims.append(got)

    def _bill(self, uuid: str) -> dict[str, int]:
        bill = self.draw.choice([None, None, 0, self.draw.randint(1, self.high[uuid])])
        return {} if bill is None else {"credits_used": bill}

    def _answer(self, _campaign: str) -> None:
        if not self.claims:
            return
        got = self.claims.pop(self.draw.randrange(len(self.claims)))
        share = self.draw.randint(0, len(got.messages)) if self.draw.random() < 0.5 else len(got.messages)
        echoed = [
            message_object(message.uuid or "", **self._bill(message.uuid or ""))
            for message in got.messages[:share]
        ]
        event = self.draw.choice(["accepted", "accepted", "unknown", "rejected", "split", "ready", "lost"])
        if event == "lost":
            return
        if event in {"accepted", "unknown"}:
            settlement = Settlement("accepted", "accepted", 200, echoed=echoed)
        else:
            state = {"rejected": "rejected", "split": "split", "ready": "ready"}[event]
            settlement = Settlement("rejected", state, 422, "why")  # type: ignore[arg-type]
        self.ledger.outbox.settle(got, settlement)

    def _decide(self, campaign: str) -> None:
        for batch in self.ledger.unknown(campaign)["batch"].head(1):
            decision = self.draw.choice(["accepted", "ready", "ready", "abandoned"])
            with suppress(CampaignStateError):  # its request may still be on its way
                self.ledger.decide(int(batch), decision, "Ann", "why")  # type: ignore[arg-type]

    def _report(self, campaign: str) -> None:
        messages = self.ledger.messages(campaign, states=["accepted", "unknown"], columns=["uuid"])
        if len(messages):
            uuid = str(messages["uuid"].iloc[self.draw.randrange(len(messages))])
            self.ledger.record_reports([report(uuid, sent_at="2026-11-20T10:00:00Z", **self._bill(uuid))])

    def _opt_out(self, _campaign: str) -> None:
        self.ledger.add_opt_outs([f"+447400{900000 + self.draw.randrange(24)}"])

    def check(self) -> None:
        for campaign in self.campaigns:
            found = used_of(self.ledger, campaign)
            messages = self.ledger.messages(campaign, columns=RECOUNTED)
            assert found == recount(messages) + sent_again(self.ledger)[campaign]
            assert found <= self.cap, "more went out than the cap of a campaign allows"
        today = self.clock.time.replace(hour=0, minute=0, second=0, microsecond=0)
        for start in (today - 2 * DAY, today - DAY, today):
            found, expected = used_on(self.ledger, (start, start + DAY))
            assert found == expected
        waiting = self.ledger.messages(states=["ready"])["credits_high"].sum()
        assert self.ledger.credits_between(today, today + DAY) == found + waiting


@pytest.mark.parametrize("seed_and_every", [(0, 16), *only_deep((0, 4), (1, 4), (2, 4))])
def test_what_counts_as_used_is_what_a_recount_of_the_messages_finds(
    ledger: Ledger, clock: Clock, seed_and_every: tuple[int, int]
) -> None:
    """Bills for some, halves, refusals, second tries: never more than the caps, by the highest estimate."""
    seed, every = seed_and_every
    play = Play(ledger, clock, seed)
    for step in range(48):
        play.step()
        if (step + 1) % every == 0:
            play.check()


def test_a_message_without_a_bill_is_not_free_beside_others_with_one(ledger: Ledger) -> None:
    """The service bills one message of each answer; the rest count with their highest estimate."""
    ledger.outbox.set_limits(Limits(credits_per_campaign=100))
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 500)
    while ledger.campaign(campaign).state == "running":
        got = ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=str(uuid4()))
        if isinstance(got, Claim):
            first, rest = echo(got, only=slice(0, 1), credits_used=1), echo(got, only=slice(1, None))
            ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=[*first, *rest]))
    assert ledger.campaign(campaign).accepted == 50, "five batches of 1 + 9 × 2 credits, and no sixth"
    assert used_of(ledger, campaign) == 95


def test_what_was_accepted_of_a_batch_counts_after_the_rest_was_refused(ledger: Ledger, clock: Clock) -> None:
    ledger.outbox.set_limits(Limits(credits_per_campaign=14))
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 12, batch_size=4)
    got = claim(ledger, campaign, owner)
    part = accepted(got, only=slice(0, 3), credits_used=2)
    ledger.outbox.settle(got, Settlement("partly accepted", "unknown", 200, echoed=part.echoed))
    clock.advance(600)
    ledger.decide(got.batch_id, "ready", "Ann", "why")
    ledger.outbox.settle(claim(ledger, campaign, owner), Settlement("rejected", "rejected", 422, "why"))
    assert used_of(ledger, campaign) == 10, "three bills of 2, and 2 for each request for the fourth"
    following = ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=str(uuid4()))
    assert not isinstance(following, Claim)
    assert "10 are used, at most, and the next batch may take 8" in (ledger.campaign(campaign).reason or "")


@pytest.mark.parametrize("tries", [1, 3, *only_deep(2)])
def test_what_is_sent_again_counts_for_every_time_that_nobody_knows_of(
    ledger: Ledger, clock: Clock, tries: int
) -> None:
    """The service may have billed each request."""
    cap = 10 * tries
    ledger.outbox.set_limits(Limits(credits_per_campaign=cap))
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 5, batch_size=5)
    for number in range(tries):
        got = claim(ledger, campaign, owner)
        assert used_of(ledger, campaign) == 10 * (number + 1)
        ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
        clock.advance(600)
        ledger.decide(got.batch_id, "ready", "Ann", "why")
        assert used_of(ledger, campaign) == 10 * (number + 1)
    assert not isinstance(ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=str(uuid4())), Claim)
    assert f"{cap} are used, at most" in (ledger.campaign(campaign).reason or "")


def test_what_is_handed_over_before_and_after_midnight_counts_on_its_own_day(
    ledger: Ledger, clock: Clock
) -> None:
    clock.advance(15 * 3600 - 600)  # ten minutes before midnight
    owner, campaign = ledger.outbox.register(0), running(ledger, 8, batch_size=8)
    got = claim(ledger, campaign, owner)
    part = accepted(got, only=slice(0, 3), credits_used=1)
    ledger.outbox.settle(got, Settlement("partly accepted", "unknown", 200, echoed=part.echoed))
    today = clock.advance(1200).replace(hour=0, minute=0)
    ledger.decide(got.batch_id, "ready", "Ann", "why")
    ledger.resume(campaign)
    again = claim(ledger, campaign, owner)
    assert used_on(ledger, (today - DAY, today)) == (13, 13), "three bills of 1, and five perhaps for 2"
    assert used_on(ledger, (today, today + DAY)) == (10, 10)
    ledger.outbox.settle(again, Settlement("too large", "split", 413))
    assert used_on(ledger, (today, today + DAY)) == (0, 0)
    for _half in range(2):
        half = claim(ledger, campaign, owner)
        ledger.outbox.settle(half, accepted(half, credits_used=1))
    assert used_on(ledger, (today - DAY, today)) == (13, 13)
    assert used_on(ledger, (today, today + DAY)) == (5, 5)
    assert used_of(ledger, campaign) == 18


def test_what_is_given_up_counts_for_the_cap_at_the_freeze_too(ledger: Ledger, clock: Clock) -> None:
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 10)
    got = claim(ledger, campaign, owner)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    ledger.decide(got.batch_id, "abandoned", "Ann", "why")
    day = clock.time.replace(hour=0)
    caps = Caps(per_campaign=None, per_day=39, day_from=day, day_to=day + DAY)
    assert ledger.credits_between(day, day + DAY) == 20
    with pytest.raises(CampaignError, match="only 19 of today's 39"):
        ledger.create_campaign("Summer", messages_frame(10, "Summer"), batch_size=5, caps=caps)


def test_what_waits_of_a_campaign_started_before_its_time_counts_today(ledger: Ledger, clock: Clock) -> None:
    campaign = ledger.create_campaign(
        "Spring", messages_frame(10), batch_size=5, scheduled_at=clock.time + 3 * DAY
    )
    day = clock.time.replace(hour=0)
    assert ledger.credits_between(day, day + DAY) == 0
    ledger.start(campaign)
    assert ledger.credits_between(day, day + DAY) == 20


@ON_BOTH_DATABASES
def test_an_older_ledger_is_counted_once(ledger_url: str) -> None:
    ledger = upgraded(ledger_url, KNOWN_BEFORE)
    with ledger.database.read() as connection:
        assert used(connection, "c") == recount(ledger.messages()) == 3 + 4 + 5
    ledger.close()


KNOWN_BEFORE = """
INSERT INTO campaign (id, name, state, shorten_links, batch_size, currency, first_message, last_message,
    credits_low, credits_high, created_at)
VALUES ('c', 'Spring', 'running', true, 10, 'EUR', 1, 4, 4, 20, 1);

INSERT INTO batch (id, campaign_id, seq, first_message, last_message, messages, credits_low, credits_high,
    state, accepted, dropped, credits_billed)
VALUES (1, 'c', 0, 1, 4, 4, 4, 20, 'unknown', 2, 1, 3);

INSERT INTO message (id, uuid, "to", body, credits_low, credits_high)
VALUES (1, 'one', '+447400900001', 'Hi', 1, 5), (2, 'two', '+447400900002', 'Hi', 1, 4),
    (3, 'three', '+447400900003', 'Hi', 1, 6), (4, 'four', '+447400900004', 'Hi', 1, 5);

INSERT INTO result (message_id, state, echoed, status, credits_used, stage, changed_at)
VALUES (1, 'accepted', true, 'pending', 3, 0, 5000000), (2, 'accepted', true, 'pending', NULL, 0, 5000000),
    (3, 'dropped', false, NULL, NULL, 0, 5000000);
"""
"""Rows of version 5, each statement after a blank line."""
