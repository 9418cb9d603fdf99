"""Whatever happens in whatever order: what is kept is what a recount of the messages finds."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any
from uuid import uuid4

import pandas as pd
import pytest
from fixtures_ledger import Clock, accepted, claim, message_object, messages_frame, report, running
from sqlalchemy import select
from tiers import draws

from dashboard.campaigns import Prices
from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.copies.doubt import distrust_copy, mark_as_copy
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.frames.sums.counted import MOST, OTHER
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.tables import course, tally

COUNT = 24
DAY = timedelta(days=1)
PRICES = Prices({"GB": Decimal("0.04"), "DE": Decimal("0.07")}, None, "EUR")
TEXTS = ("Hello you", "See https://example.com/spring", "Only 5 € today")


class Play:
    """Campaigns of every kind, and all that can happen to them, drawn from a seed.

    Where caps hold, no bill is above the estimate, no message has a time of its own or is reported before it
    was requested, and no older copy of the ledger comes back: more may be used then than a cap allows.
    """

    def __init__(self, ledger: Ledger, clock: Clock, seed: int, *, caps_hold: bool) -> None:
        self.ledger, self.clock, self.draw = ledger, clock, Random(seed)  # noqa: S311 - a replayable draw
        self.caps_hold, self.cap = caps_hold, self.draw.randint(15, 60)
        if caps_hold:
            caps = Limits(credits_per_campaign=self.cap, credits_per_day=self.draw.randint(30, 90))
            ledger.outbox.set_limits(caps)
        self.owner = ledger.outbox.register(0)
        self.ledger.add_opt_outs(["+447400900003"])
        self.campaigns = [self.campaign(prices) for prices in (PRICES, None)]
        self.claims: list[Claim] = []
        found = ledger.messages(columns=["uuid", "credits_high"])
        self.high = dict(zip(found["uuid"], found["credits_high"].tolist(), strict=True))
        self.told_of = [] if caps_hold else found["uuid"].tolist()

    def campaign(self, prices: Prices | None) -> str:
        draw = self.draw
        times = [pd.NaT, self.clock.time + timedelta(seconds=draw.randint(1, 9999))]
        kinds: dict[str, list[Any]] = {
            "country": ["GB", "DE", "FR", None],
            "line_type": ["MOBILE", "FIXED_LINE_OR_MOBILE"],
            "body": [*TEXTS],
            "credits_high": [1, 2, 3, 4],
            "scheduled_at": times[: 1 if self.caps_hold else 2],
        }
        columns = {name: pd.Series(draw.choices(values, k=COUNT)) for name, values in kinds.items()}
        columns["scheduled_at"] = pd.to_datetime(columns["scheduled_at"], utc=True)
        frame = messages_frame(COUNT, **columns, handover=draw.choice(["service", "hold"]))
        made = self.ledger.create_campaign("Spring", frame, batch_size=draw.choice([1, 4, 8]), prices=prices)
        self.ledger.start(made)
        return made

    def step(self) -> None:
        campaign = self.draw.choice(self.campaigns)
        self.clock.advance(self.draw.choice([1, 400, 7200, 20_000, 86_400]))
        acts = [self.claim] * 4 + [self.answer] * 4 + [self.report] * 4
        acts += [self.decide, self.opt_out, self.crash, self.stop, self.put_back]
        self.draw.choice(acts)(campaign)

    def claim(self, campaign: str) -> None:
        if self.ledger.campaign(campaign).state == "paused":
            self.ledger.resume(campaign)
        got = self.ledger.outbox.claim(campaign, owner=self.owner, ticket=str(uuid4()))
        if isinstance(got, Claim):
            self.claims.append(got)
            self.told_of += [message.uuid or "" for message in got.messages]

    def said(self, uuid: str) -> dict[str, Any]:
        """Bills of every kind, times in and out of order, failures and deliveries that contradict them."""
        draw, now = self.draw, self.clock.time
        ago = f"{now - timedelta(seconds=draw.randint(0, 9999)):%Y-%m-%dT%H:%M:%SZ}"
        most = self.high[uuid] if self.caps_hold else 7
        bill = {"credits_used": draw.randint(0, most)} if draw.random() < 0.6 else {}
        how = draw.choice([None, "sent_at", "failure_reason", "delivered_at", "scheduled_at"])
        news = draw.choice(["blocked", "x" * 300]) if how == "failure_reason" else ago
        return {**bill, **({how: news} if how else {})}

    def answer(self, _campaign: str) -> None:
        if not self.claims:
            return
        got = self.claims.pop(self.draw.randrange(len(self.claims)))
        share = self.draw.choice([len(got.messages), self.draw.randint(0, len(got.messages))])
        event = self.draw.choice(["accepted", "accepted", "unknown", "rejected", "split", "ready", "lost"])
        if event == "lost":
            return
        uuids = [message.uuid or "" for message in got.messages[:share]]
        echoed = [message_object(uuid, **self.said(uuid)) for uuid in uuids]
        if event == "accepted":
            self.ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echoed))
        else:
            self.ledger.outbox.settle(got, Settlement("rejected", event, 422, "why"))  # type: ignore[arg-type]

    def report(self, _campaign: str) -> None:
        uuids = self.draw.choices(self.told_of, k=3) if self.told_of else []
        self.ledger.record_reports([report(uuid, **self.said(uuid)) for uuid in uuids])

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
        self.ledger.roll_up(over_for=self.draw.choice([timedelta(), DAY]))
        self.ledger.forget(before=self.clock.time - 3 * DAY)

    def put_back(self, _campaign: str) -> None:
        """As if this were an older copy: whatever is ready may have been sent."""
        if self.draw.random() < 0.2 and not self.caps_hold:
            with self.ledger.database.write() as connection:
                mark_as_copy(connection)
                distrust_copy(connection, self.clock.time, opt_outs_kept=True)

    def check(self) -> None:
        """The tallies, the counts made of them, the course, and what counts for caps."""
        self.check_tallies()
        whole = self.ledger.messages(columns=COUNTED)
        for campaign in (None, *self.campaigns):
            counts = self.ledger.counts(campaign)
            messages = whole if campaign is None else whole[whole["campaign"] == campaign]
            assert as_counter(counts) == counted(messages, self.clock.time)
            assert not counts.duplicated([*KEYS, "currency", "stage", "cause", "reason"]).any()
            if campaign:
                self.check_course(campaign, messages)
        if self.caps_hold:
            self.check_used(whole)

    def check_tallies(self) -> None:
        with self.ledger.database.read() as connection:
            for campaign in self.campaigns:
                assert recount.wrong(connection, campaign) == []

    def check_course(self, campaign: str, messages: pd.DataFrame) -> None:
        delivered, failed = messages["delivered_at"].notna(), messages["failed_at"].notna()
        sent = delivered | failed | messages["sent_at"].notna()
        total = {"sent": sent.sum(), "failed": failed.sum(), "delivered": delivered.sum()}
        found = self.ledger.course(campaign).groupby("event")["messages"].sum().to_dict()
        assert found == {event: count for event, count in total.items() if count}

    def check_used(self, messages: pd.DataFrame) -> None:
        """Never more than the caps, by the highest estimate, on each day and altogether."""
        today = self.clock.time.replace(hour=0, minute=0, second=0, microsecond=0)
        again = pd.concat([sent_again(self.ledger, campaign) for campaign in self.campaigns])
        with self.ledger.database.read() as connection:
            for campaign in self.campaigns:
                own, own_again = (frame[frame["campaign"] == campaign] for frame in (messages, again))
                found = used(connection, campaign)
                assert found == cost(own) + own_again["credits_high"].sum()
                assert found <= self.cap, "more went out than the cap of a campaign allows"
            for day in (today - 2 * DAY, today - DAY, today):
                found = used_between(connection, day, day + DAY)
                own = messages[messages["handed_over_at"].between(day, day + DAY, inclusive="left")]
                own_again = again[again["at"].between(day, day + DAY, inclusive="left")]
                assert found == cost(own) + own_again["credits_high"].sum()
        waits = messages.loc[messages["state"] == "ready", "credits_high"].sum()
        assert self.ledger.credits_between(today, today + DAY) == found + waits


def cost(messages: pd.DataFrame) -> int:
    """What counts of these messages, one after the other; shares no code with the ledger."""
    total = 0
    for message in messages[["state", "credits_high", "credits_billed"]].itertuples():
        bill = 0 if pd.isna(message.credits_billed) else int(message.credits_billed)
        if message.state == "accepted":
            total += bill or int(message.credits_high)
        elif message.state in {"sending", "unknown", "abandoned"}:
            total += int(message.credits_high)
    return total


def sent_again(ledger: Ledger, campaign: str) -> pd.DataFrame:
    """What was unknown when a person decided to send it again, and when it was requested before."""
    notes = ledger.attempts(campaign).query("event == 'claimed'")[["batch", "attempt", "at"]]
    decisions = ledger.decisions(campaign).query("decision == 'ready'").drop(columns="at")
    return decisions.merge(notes, on=["batch", "attempt"], how="left").assign(campaign=campaign)


DEEP = [pytest.param(*one, marks=pytest.mark.deep) for one in product(("sqlite", "postgresql"), [1, 2])]


@pytest.mark.parametrize(
    ("ledger_url", "seed"), [("sqlite", 0), ("postgresql", 3), *DEEP], indirect=["ledger_url"]
)
def test_what_is_kept_is_what_a_recount_of_the_messages_finds(
    ledger: Ledger, clock: Clock, seed: int
) -> None:
    play = Play(ledger, clock, seed, caps_hold=seed % 2 == 0)
    play.check_tallies()
    for _part in range(draws(12, first=2)):
        for _step in range(draws(5, first=20)):
            play.step()
        play.check()
    middle = ledger.messages()["handed_over_at"].max().floor("15min").to_pydatetime()
    for limits in ({"since": middle}, {"until": middle}, {"since": middle, "until": middle + 2 * DAY}):
        messages = ledger.messages(**limits, columns=COUNTED)
        assert as_counter(ledger.counts(**limits)) == counted(messages, clock.time)
        assert len(messages)
    with ledger.database.write() as connection:  # as a ledger from before there were tallies gets them
        for campaign in play.campaigns:
            recount.mend(connection, campaign)
    play.check_tallies()
    with ledger.database.write() as connection:
        changed = {
            table.name: connection.execute(table.update().values(messages=table.c.messages + 1)).rowcount
            for table in (tally, course)
        }
        wrong = {name for campaign in play.campaigns for name in recount.wrong(connection, campaign)}
    assert wrong == {name for name, rows in changed.items() if rows}


def test_news_from_before_the_start_stays_where_a_recount_finds_it(ledger: Ledger, clock: Clock) -> None:
    """Not started, for an older copy, though the service has heard of its messages."""
    campaign = ledger.create_campaign("Spring", messages_frame(4), batch_size=4)
    uuids = ledger.messages(campaign)["uuid"].tolist()
    clock.advance(130)
    at = f"{clock.time:%Y-%m-%dT%H:%M:%SZ}"
    ledger.record_reports([report(uuid, sent_at=at, failure_reason="blocked") for uuid in uuids])
    ledger.start(campaign)
    ledger.record_reports([report(uuid, delivered_at=at) for uuid in uuids])
    assert ledger.recount(campaign) == []
    assert ledger.course(campaign)["messages"].tolist() == [4, 4]


SUMS = ["messages", "credits_low", "credits_high", "credits_billed", "difference"]
KEYS = ["campaign", "country", "line_type", "variant", "price_per_credit", "handed_over_at", "state"]
NEWS = (("sent_at", "sent"), ("failure_reason", "failed"), ("delivered_at", "delivered"))
COUNTED = [*KEYS, *SUMS[1:4], *dict(NEWS), "scheduled_at", "failed_at", "cause"]


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


def as_counter(counts: pd.DataFrame) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for row in counts.to_dict("records"):
        known = {name: None if pd.isna(value) else value for name, value in row.items()}
        for name in SUMS:
            found[*(known[key] for key in (*KEYS, "stage", "cause", "reason")), name] = known[name]
    return found


def sent(ledger: Ledger, count: int) -> tuple[str, list[str]]:
    """A campaign that the service has accepted, and its uuids."""
    campaign = running(ledger, count, batch_size=50)
    owner = ledger.outbox.register(0)
    for _batch in range(count // 50):
        got = claim(ledger, campaign, owner)
        ledger.outbox.settle(got, accepted(got))
    return campaign, ledger.messages(campaign)["uuid"].tolist()


def test_many_reasons_are_counted_together(ledger: Ledger) -> None:
    """Each message fails for a reason of its own, and some arrive after all; the frequent ones have names."""
    campaign, uuids = sent(ledger, MOST + 50)
    ledger.record_reports([report(one, failure_reason=f"failed: {place}") for place, one in enumerate(uuids)])
    reasons = ledger.counts(campaign).groupby("reason")["messages"].sum()
    assert (len(reasons), int(reasons[OTHER]), int(reasons.sum())) == (MOST + 1, 50, MOST + 50)
    at = "2026-11-20T10:06:00Z"
    ledger.record_reports([report(one, delivered_at=at) for one in uuids[::3]])
    ledger.record_reports([report(one, failure_reason="late", sent_at=at) for one in uuids[1:9]])
    reasons = ledger.counts(campaign).groupby("reason")["messages"].sum()
    assert reasons["late"] == len([*uuids[1:3], *uuids[4:6], *uuids[7:9]])
    assert ledger.recount(campaign) == []


def test_another_time_in_each_report_adds_no_rows(ledger: Ledger) -> None:
    """However often the service changes its mind, a message is counted once."""
    named = ["sent_at", "delivered_at", "scheduled_at"]
    campaign = running(ledger, 3, batch_size=3)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, accepted(got))
    uuids = ledger.messages(campaign)["uuid"].tolist()
    for number in range(12):
        at = (datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=20 * number)).isoformat()
        ledger.record_reports([report(uuid, **{name: at}) for uuid, name in zip(uuids, named, strict=True)])
    with ledger.database.read() as connection:
        rows = {table: len(connection.execute(select(table)).all()) for table in (tally, course)}
    assert rows[tally] <= 3, "one for each message"
    assert rows[course] <= 3, "one for when each left, one for when one arrived"
    assert ledger.recount(campaign) == []
