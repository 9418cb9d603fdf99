"""Whatever happens in whatever order: what is kept is what a recount of the messages finds."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import uuid4

import pandas as pd
import pytest
from fixtures_ledger import (
    ON_BOTH_DATABASES,
    Clock,
    accepted,
    claim,
    message_object,
    messages_frame,
    report,
    running,
)
from sqlalchemy import select
from tiers import only_deep

from dashboard.campaigns import Prices
from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.copies.doubt import distrust_copy, mark_as_copy
from dashboard.ledger.outbox import control
from dashboard.ledger.outbox.claims import Claim, Lane
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.reasons import MOST, OTHER
from dashboard.ledger.tallies.tables import course, pool, tally, waiting

COUNT = 24
PRICES = Prices({"GB": Decimal("0.04"), "DE": Decimal("0.07")}, None, "EUR")
TEXTS = ("Hello you", "See https://example.com/spring", "Only 5 € today")


class Play:
    """Campaigns of every kind, and all that can happen to them, drawn from a seed."""

    def __init__(self, ledger: Ledger, clock: Clock, seed: int) -> None:
        self.ledger, self.clock, self.draw = ledger, clock, Random(seed)  # noqa: S311 - a replayable draw
        self.owner = ledger.outbox.register(0)
        self.ledger.add_opt_outs(["+447400900003"])
        self.campaigns = [self.campaign(number) for number in range(2)]
        self.claims: list[Claim] = []

    def campaign(self, number: int) -> str:
        draw = self.draw
        each = [
            {
                "country": draw.choice(["GB", "DE", "FR", None]),
                "line_type": draw.choice(["MOBILE", "FIXED_LINE_OR_MOBILE"]),
                "body": draw.choice(TEXTS),
                "credits_high": draw.randint(1, 3),
                "scheduled_at": draw.choice(
                    [pd.NaT, self.clock.time + timedelta(seconds=draw.randint(1, 9999))]
                ),
            }
            for _ in range(COUNT)
        ]
        columns: dict[str, Any] = {name: pd.Series([one[name] for one in each]) for name in each[0]}
        columns["scheduled_at"] = columns["scheduled_at"].astype("datetime64[us, UTC]")
        columns["handover"] = draw.choice(["service", "hold"])
        frame = messages_frame(COUNT, **columns)
        made = self.ledger.create_campaign(
            "Spring", frame, batch_size=draw.choice([1, 4, 8]), prices=[PRICES, None][number]
        )
        self.ledger.start(made)
        return made

    def step(self) -> None:
        campaign = self.draw.choice(self.campaigns)
        self.clock.advance(self.draw.choice([1, 400, 7200, 86_400]))
        acts = [self.claim] * 4 + [self.answer] * 4 + [self.report] * 4
        acts += [self.decide, self.opt_out, self.crash, self.stop, self.put_back]
        self.draw.choice(acts)(campaign)

    def claim(self, campaign: str) -> None:
        if self.ledger.campaign(campaign).state == "paused":
            self.ledger.resume(campaign)
        got = self.ledger.outbox.claim(Lane(campaign, 0, 1), owner=self.owner, ticket=str(uuid4()))
        if isinstance(got, Claim):
            self.claims.append(got)

    def said(self) -> dict[str, Any]:
        """Bills of every kind, times in and out of order, failures and deliveries that contradict them."""
        draw, now = self.draw, self.clock.time
        ago = f"{now - timedelta(seconds=draw.randint(0, 9999)):%Y-%m-%dT%H:%M:%SZ}"
        one = {"credits_used": draw.choice([0, 1, 2, 3, 7])} if draw.random() < 0.6 else {}
        how = draw.choice([None, "sent_at", "failure_reason", "delivered_at", "scheduled_at"])
        return {
            **one,
            **({how: draw.choice(["blocked", "x" * 300]) if how == "failure_reason" else ago} if how else {}),
        }

    def answer(self, _campaign: str) -> None:
        if not self.claims:
            return
        got = self.claims.pop(self.draw.randrange(len(self.claims)))
        share = self.draw.choice([len(got.messages), self.draw.randint(0, len(got.messages))])
        event = self.draw.choice(["accepted", "accepted", "unknown", "rejected", "split", "ready", "lost"])
        if event == "lost":
            return
        echoed = [message_object(message.uuid or "", **self.said()) for message in got.messages[:share]]
        if event == "accepted":
            self.ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echoed))
        else:
            self.ledger.outbox.settle(got, Settlement("rejected", event, 422, "why"))  # type: ignore[arg-type]

    def report(self, campaign: str) -> None:
        uuids = self.ledger.messages(campaign, columns=["uuid"])["uuid"].tolist()
        self.ledger.record_reports([report(self.draw.choice(uuids), **self.said()) for _ in range(3)])

    def decide(self, campaign: str) -> None:
        for batch in self.ledger.unknown(campaign)["batch"].head(1):
            decision = self.draw.choice(["accepted", "ready", "ready", "abandoned"])
            with suppress(CampaignStateError):  # its request may still be on its way
                self.ledger.decide(int(batch), decision, "Ann", "why")  # type: ignore[arg-type]

    def opt_out(self, _campaign: str) -> None:
        self.ledger.add_opt_outs([f"+447400{900000 + self.draw.randrange(COUNT)}"])

    def crash(self, _campaign: str) -> None:
        self.owner = self.ledger.outbox.register(0)

    def stop(self, campaign: str) -> None:
        if self.draw.random() < 0.2 and self.ledger.campaign(campaign).state in {"running", "paused"}:
            self.ledger.cancel(campaign)
        self.ledger.outbox.finish()
        self.ledger.forget(before=self.clock.time - timedelta(days=3))

    def put_back(self, _campaign: str) -> None:
        """As if this were an older copy: whatever is ready may have been sent."""
        if self.draw.random() < 0.2:
            with self.ledger.database.write() as connection:
                mark_as_copy(connection)
                distrust_copy(connection, None, self.clock.time, opt_outs_kept=True)

    def check(self) -> None:
        with self.ledger.database.read() as connection:
            for campaign in self.campaigns:
                assert recount.wrong(connection, campaign) == []


@ON_BOTH_DATABASES
@pytest.mark.parametrize("seed", [0, *only_deep(1, 2, 3)])
def test_the_tallies_are_what_a_recount_finds(ledger: Ledger, clock: Clock, seed: int) -> None:
    play = Play(ledger, clock, seed)
    play.check()
    for _step in range(60):
        play.step()
        play.check()
    with ledger.database.write() as connection:  # as a ledger from before there were tallies gets them
        for campaign in play.campaigns:
            recount.mend(connection, campaign)
    play.check()


@pytest.mark.parametrize("door", ["start", "start_due", "resume"])
def test_news_from_before_the_start_stays_where_a_recount_finds_it(
    ledger: Ledger, clock: Clock, door: str
) -> None:
    campaign = ledger.create_campaign(
        "Spring", messages_frame(4), batch_size=4
    )  # not started for an older copy
    uuids = ledger.messages(campaign)["uuid"].tolist()
    clock.advance(130)
    at = f"{clock.time:%Y-%m-%dT%H:%M:%SZ}"
    ledger.record_reports([report(uuid, sent_at=at, failure_reason="blocked") for uuid in uuids])
    if door == "start":
        ledger.start(campaign)
    else:
        ledger.schedule(campaign, clock.time + timedelta(seconds=10))
        clock.advance(10 if door == "start_due" else 86_400)
        with ledger.database.write() as connection:
            control.start_due(connection, clock.time)
        if door == "resume":
            ledger.resume(campaign)
    ledger.record_reports([report(uuid, delivered_at=at) for uuid in uuids])
    with ledger.database.read() as connection:
        assert recount.wrong(connection, campaign) == []
    assert ledger.course(campaign)["messages"].tolist() == [4, 4]


SUMS = ["messages", "credits_low", "credits_high", "credits_billed", "difference"]
KEYS = ["campaign", "country", "line_type", "variant", "price_per_credit", "handed_over_at", "state"]


def counted(messages: pd.DataFrame, now: datetime) -> Counter[tuple[Any, ...]]:
    """Messages by the keys of COUNTS, from the messages themselves."""
    found: Counter[tuple[Any, ...]] = Counter()
    for row in messages.to_dict("records"):
        known = {name: None if pd.isna(value) else value for name, value in row.items()}
        stage, own = STAGES.get(str(known["state"]), str(known["state"])), known["scheduled_at"]
        if known["state"] in {"ready", "accepted"} and own and own.ceil("15min") > now:
            stage = "scheduled"
        if known["state"] == "accepted":
            for name, word in NEWS:
                stage = word if known[name] else stage
        at = known["handed_over_at"] and known["handed_over_at"].floor("15min")
        reason = (known["failure_reason"] or "")[:200] if stage == "failed" else None
        low, high, used = (known[name] for name in ("credits_low", "credits_high", "credits_billed"))
        beyond = 0 if used is None else max(used - high, 0) + min(used - low, 0)
        key = tuple(at if name == "handed_over_at" else known[name] for name in KEYS)
        for name, value in zip(SUMS, (1, low, high, used or 0, beyond), strict=True):
            found[*key, stage, known["cause"], reason, name] += int(value)
    return found


STAGES = {"ready": "not sent yet", "sending": "not sent yet"}
NEWS = (("sent_at", "sent"), ("failure_reason", "failed"), ("delivered_at", "delivered"))


def as_counter(counts: pd.DataFrame) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for row in counts.to_dict("records"):
        known = {name: None if pd.isna(value) else value for name, value in row.items()}
        for name in SUMS:
            found[*(known[key] for key in (*KEYS, "stage", "cause", "reason")), name] = known[name]
    return found


@pytest.mark.parametrize("seed_and_parts", [(100, 3), *only_deep((100, 6), (101, 6), (102, 6))])
def test_counts_are_those_of_the_messages(
    ledger: Ledger, clock: Clock, seed_and_parts: tuple[int, int]
) -> None:
    seed, parts = seed_and_parts
    play = Play(ledger, clock, seed)
    for _part in range(parts):
        for _step in range(60 // parts):
            play.step()
        for campaign in (None, *play.campaigns):
            counts, messages = ledger.counts(campaign), ledger.messages(campaign)
            assert as_counter(counts) == counted(messages, clock.time)
            assert not counts.duplicated([*KEYS, "currency", "stage", "cause", "reason"]).any()
        course, news = ledger.course(play.campaigns[0]), ledger.messages(play.campaigns[0])
        delivered, failed = news["delivered_at"].notna(), news["failed_at"].notna()
        sent = delivered | failed | news["sent_at"].notna()
        total = {"sent": sent.sum(), "failed": failed.sum(), "delivered": delivered.sum()}
        assert course.groupby("event")["messages"].sum().to_dict() == {k: n for k, n in total.items() if n}


@pytest.mark.parametrize("steps", [30, *only_deep(60)])
def test_counts_of_a_month_are_those_handed_over_in_it(ledger: Ledger, clock: Clock, steps: int) -> None:
    play = Play(ledger, clock, 7)
    for _step in range(steps):
        play.step()
    middle = ledger.messages()["handed_over_at"].max().floor("15min").to_pydatetime()
    for limits in (
        {"since": middle},
        {"until": middle},
        {"since": middle, "until": middle + timedelta(days=2)},
    ):
        counts, messages = ledger.counts(**limits), ledger.messages(**limits)
        assert as_counter(counts) == counted(messages, clock.time)
        assert len(messages)


def test_a_recount_finds_what_is_wrong(ledger: Ledger, clock: Clock) -> None:
    play = Play(ledger, clock, 0)
    for _step in range(20):
        play.step()
    with ledger.database.write() as connection:
        for table in (tally, course, waiting, pool):
            connection.execute(table.update().values(messages=table.c.messages + 1))
        assert recount.wrong(connection, play.campaigns[0]) == ["waiting", "pool", "tally", "course"]


def sent(ledger: Ledger, count: int) -> tuple[str, list[str]]:
    """A campaign that the service has accepted, and its uuids."""
    campaign = running(ledger, count, batch_size=50)
    owner = ledger.outbox.register(0)
    for _batch in range(count // 50):
        got = claim(ledger, campaign, owner)
        ledger.outbox.settle(got, accepted(got))
    return campaign, ledger.messages(campaign)["uuid"].tolist()


def recounted(ledger: Ledger, campaign: str) -> list[str]:
    with ledger.database.read() as connection:
        return recount.wrong(connection, campaign)


def test_many_reasons_are_counted_together(ledger: Ledger) -> None:
    """Each message fails for a reason of its own, told by two at once; then some arrive after all."""
    campaign, uuids = sent(ledger, 2 * MOST)
    said = [report(uuid, failure_reason=f"failed: {uuid}") for uuid in uuids]
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(ledger.record_reports, (said[0::2], said[1::2])))
    reasons = ledger.counts(campaign).groupby("reason")["messages"].sum()
    assert (len(reasons), int(reasons[OTHER]), int(reasons.sum())) == (MOST + 1, MOST, 2 * MOST)
    assert recounted(ledger, campaign) == []
    ledger.record_reports([report(uuid, delivered_at="2026-11-20T10:06:00Z") for uuid in uuids[::3]])
    ledger.record_reports([report(uuids[1], failure_reason="failed: later", sent_at="2026-11-20T10:06:00Z")])
    assert recounted(ledger, campaign) == []
    assert len(ledger.counts(campaign).groupby("reason")) <= MOST + 1
    with ledger.database.write() as connection:
        recount.mend(connection, campaign)
    assert recounted(ledger, campaign) == []


def test_counted_anew_the_most_frequent_reasons_have_names(ledger: Ledger) -> None:
    campaign, uuids = sent(ledger, MOST + 50)
    for one, said in ((uuids[:MOST], "rare {}"), (uuids[MOST:], "frequent")):
        ledger.record_reports([report(uuid, failure_reason=said.format(uuid)) for uuid in one])
    assert "frequent" not in set(ledger.counts(campaign)["reason"])
    with ledger.database.write() as connection:
        recount.mend(connection, campaign)
    reasons = ledger.counts(campaign).groupby("reason")["messages"].sum()
    assert (int(reasons["frequent"]), int(reasons[OTHER])) == (50, 1)


@pytest.mark.parametrize("size", [1, 7])
def test_what_waits_makes_no_more_rows_for_more_batches(ledger: Ledger, size: int) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(COUNT), batch_size=size)
    with ledger.database.read() as connection:
        assert connection.execute(select(pool.c.messages)).scalars().all() == [COUNT]
        assert connection.execute(select(waiting)).all() == []
    ledger.start(campaign)
    ledger.cancel(campaign)
    assert ledger.counts(campaign)[["state", "messages"]].to_numpy().tolist() == [["cancelled", COUNT]]


@pytest.mark.parametrize("named", ["sent_at", "delivered_at", "scheduled_at"])
def test_another_time_in_each_report_adds_no_rows(ledger: Ledger, named: str) -> None:
    """However often the service changes its mind, a message is counted once."""
    campaign = running(ledger, 2, batch_size=2)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, accepted(got))
    uuid = got.messages[0].uuid or ""
    for number in range(40):
        at = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=20 * number)
        ledger.record_reports([report(uuid, **{named: at.isoformat()})])
    with ledger.database.read() as connection:
        rows = {table: len(connection.execute(select(table)).all()) for table in (tally, course)}
    assert rows[tally] <= 2, "one for each message"
    assert rows[course] <= 2, "one for when it left, one for when it arrived"
    assert recounted(ledger, campaign) == []
