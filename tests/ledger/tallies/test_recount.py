"""Whatever happens in whatever order: what is kept is what a recount of the messages finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, messages_frame, report, running, taken
from fixtures_ledger import counts as states_of
from simulation.run import play
from simulation.store import Store
from simulation.world import World
from sqlalchemy import select, text
from tiers import draws

from dashboard.errors import LedgerDamagedError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.frames.sums.counted import MOST, OTHER
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.tables import SENT, course, tally

DAY = timedelta(days=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    url = request.getfixturevalue("postgresql_url") if request.param == "postgresql" else None
    with closing(Store(url)) as made:
        yield made


def test_what_is_kept_is_what_a_recount_of_the_messages_finds(store: Store) -> None:
    """At the end of simulated worlds, the first of which are slow and capped; it recounts after each step."""
    for seed in range(2, 2 + (draws(60, first=4) if store.is_sqlite else draws(20, first=2))):
        played = play(seed, store)
        assert not played.invariant, played.what
        check(played.world)


def check(world: World) -> None:
    """What pages and analysts read of tallies and batches, what counts for caps, and the recount itself."""
    ledger, whole = world.ledger, world.ledger.messages(columns=COUNTED)
    for campaign in (None, *world.campaigns):
        counts = ledger.counts(campaign)
        messages = whole if campaign is None else whole[whole["campaign"] == campaign]
        assert as_counter(counts) == counted(messages, world.time)
        assert not counts.duplicated([*KEYS, "currency", "stage", "cause", "reason"]).any()
        if campaign:
            states_of(ledger, campaign)
            check_course(ledger.course(campaign), messages)
    middle = pd.Timestamp(world.time - timedelta(hours=1)).floor("15min").to_pydatetime()
    for limits in ({"since": middle}, {"until": middle}, {"since": middle, "until": middle + 2 * DAY}):
        messages = ledger.messages(**limits, columns=COUNTED)
        assert as_counter(ledger.counts(**limits)) == counted(messages, world.time)
    if world.campaigns and not world.model.restored_ever:  # a copy knows less
        check_used(world, whole)
    check_recount(ledger, world.campaigns)


def check_course(course: pd.DataFrame, messages: pd.DataFrame) -> None:
    delivered, failed = messages["delivered_at"].notna(), messages["failed_at"].notna()
    sent = delivered | failed | messages["sent_at"].notna()
    total = {"sent": sent.sum(), "failed": failed.sum(), "delivered": delivered.sum()}
    found = course.groupby("event")["messages"].sum().to_dict()
    assert found == {event: count for event, count in total.items() if count}


def check_recount(ledger: Ledger, campaigns: list[str]) -> None:
    """It finds what is wrong, and mends it, as a ledger from before there were tallies gets them."""
    more = {table.name: table.update().values(messages=table.c.messages + 1) for table in (tally, course)}
    with ledger.database.write() as connection:
        assert [recount.wrong(connection, campaign) for campaign in campaigns] == [[]] * len(campaigns)
        changed = {name for name, update in more.items() if connection.execute(update).rowcount}
        assert {name for one in campaigns for name in recount.wrong(connection, one)} == changed
        for campaign in campaigns:
            recount.mend(connection, campaign)
            assert recount.wrong(connection, campaign) == []


def check_used(world: World, messages: pd.DataFrame) -> None:
    """By the highest estimate, on each day and altogether."""
    ledger, today = world.ledger, world.time.replace(hour=0, minute=0, second=0, microsecond=0)
    again = pd.concat([sent_again(ledger, campaign) for campaign in world.campaigns])
    with ledger.database.read() as connection:
        for campaign in world.campaigns:
            own, own_again = (frame[frame["campaign"] == campaign] for frame in (messages, again))
            assert used(connection, campaign) == cost(own) + own_again["credits_high"].sum()
        for day in (today - 2 * DAY, today - DAY, today):
            found = used_between(connection, day, day + DAY)
            own = messages[messages["handed_over_at"].between(day, day + DAY, inclusive="left")]
            own_again = again[again["at"].between(day, day + DAY, inclusive="left")]
            assert found == cost(own) + own_again["credits_high"].sum()


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


def test_what_was_counted_by_a_stage_stored_wrongly_is_found(ledger: Ledger) -> None:
    """It is counted as it was stored, and recounted from what the service said."""
    campaign, uuids = sent(ledger, 50)
    with ledger.database.write() as connection:
        connection.execute(schema.result.update().values(stage=SENT))
    ledger.record_reports([report(uuids[0], delivered_at="2026-11-20T10:06:00Z")])
    assert ledger.recount(campaign) == ["tally"]


@ON_BOTH_DATABASES
@pytest.mark.parametrize("is_rolled_up", [False, True])
@pytest.mark.parametrize("damage", ["DELETE FROM cell", "UPDATE cell SET price = '9.99'"])
def test_what_has_no_cell_is_mended(ledger: Ledger, clock: Clock, damage: str, is_rolled_up: bool) -> None:
    """Also where the next cells get the numbers of those that are gone, as SQLite gives them."""
    (first, (uuid, *_)), (second, _) = (sent(ledger, 50) for _ in range(2))
    campaigns, told = [first, second], [report(uuid, delivered_at="2026-11-20T10:06:00Z")]
    ledger.outbox.finish()
    clock.advance(2 * DAY.total_seconds())
    assert not is_rolled_up or ledger.roll_up() == len(campaigns)
    whole = ledger.counts()
    with ledger.database.write() as connection:
        connection.execute(text(damage))
    with pytest.raises(LedgerDamagedError, match="recount --mend"):
        ledger.record_reports(told)
    for campaign in campaigns:
        assert ledger.recount(campaign) == ["tally"]
    for campaign in campaigns:
        ledger.mend(campaign)
        assert ledger.recount(campaign) == []
    pd.testing.assert_frame_equal(ledger.counts(), whole)
    assert (ledger.record_reports(told).taken, ledger.recount(first)) == (1, [])


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
    for _batch in range(count // 50):
        taken(ledger, campaign)
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
    taken(ledger, campaign)
    uuids = ledger.messages(campaign)["uuid"].tolist()
    for number in range(12):
        at = (datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=20 * number)).isoformat()
        ledger.record_reports([report(uuid, **{name: at}) for uuid, name in zip(uuids, named, strict=True)])
    with ledger.database.read() as connection:
        rows = {table: len(connection.execute(select(table)).all()) for table in (tally, course)}
    assert rows[tally] <= 3, "one for each message"
    assert rows[course] <= 3, "one for when each left, one for when one arrived"
    assert ledger.recount(campaign) == []
