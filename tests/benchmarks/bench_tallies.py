"""What counting costs whoever writes, and what reading the counts takes at any size; see docs/benchmarks.md.

    python tests/benchmarks/bench_tallies.py              # reading, of 1,000,000 and 50,000,000 messages
    python tests/benchmarks/bench_tallies.py --write      # writing; in another checkout to compare

What is read is made up: campaigns of a million messages in batches of 200, of eight kinds, sent within five
hours, most delivered within seconds and an eighth over a day; ten batches are unknown, a thousand in the
last. Of fifty, one a day, all but the last are over and summed up. And one of which nothing has been sent.
Figures are CPU, the median of several looks.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import Table, func, select, update

sys.path.append(str(Path(__file__).parents[1]))
from fixtures_ledger import accepted, claim, messages_frame, report

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.database.writing import insert_stored
from dashboard.ledger.freeze.caps import credits_between
from dashboard.ledger.tallies.tables import (
    ACCEPTED,
    DELIVERED,
    FAILED,
    FOLLOWS,
    MOMENT,
    QUARTER,
    SECOND,
    SENT,
    cell,
    course,
    tally,
)

SIZE, CAMPAIGNS = 1_000_000, 50
BATCH, KINDS, LASTS_S = 200, 8, 5 * 3_600
BEGAN_US = 1_795_000_500_000_000
ON_OVERVIEW = ("campaign", "currency", "price_per_credit", "handed_over_at", "state", "stage", "cause")
LOOKS, TURNS, WRITTEN, SINGLE = 7, 5, 20_000, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        rounds = [written() for _turn in range(TURNS)]
        for name in rounds[0]:
            print(f"{name:24} {statistics.median(took[name] for took in rounds):9,.1f} µs")
    else:
        for campaigns in (1, CAMPAIGNS):
            read(campaigns)


def written() -> dict[str, float]:
    """CPU µs of each step on SQLite."""
    frame = messages_frame(WRITTEN, country=pd.Categorical(["GB", "DE", "FR", "ES"] * (WRITTEN // 4)))
    frame["to"] = [f"+4474{number:08}" for number in range(WRITTEN)]
    took = dict.fromkeys(
        ("freeze", "claim", "settle", "report", "the next report", "a report by itself"), 0.0
    )

    def timed(name: str, do: Callable[[], object], count: int) -> object:
        start = time.process_time()
        done = do()
        took[name] += (time.process_time() - start) * 1e6 / count
        return done

    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(f"sqlite:///{folder}/ledger.sqlite")
        campaign = str(
            timed("freeze", lambda: ledger.create_campaign("Spring", frame, batch_size=BATCH), WRITTEN)
        )
        ledger.start(campaign)
        owner, uuids = ledger.outbox.register(0), []
        for _batch in range(WRITTEN // BATCH):
            got = timed("claim", lambda: claim(ledger, campaign, owner), WRITTEN)
            answer = accepted(got, credits_used=1)  # type: ignore[arg-type]
            timed("settle", lambda got=got, answer=answer: ledger.outbox.settle(got, answer), WRITTEN)
            uuids += [message.uuid or "" for message in got.messages]  # type: ignore[attr-defined]
        for name, field in (("report", "sent_at"), ("the next report", "delivered_at")):
            said = [
                report(uuid, **{field: f"2026-11-20T10:00:{number % 60:02}Z"})
                for number, uuid in enumerate(uuids)
            ]
            timed(name, lambda said=said: ledger.record_reports(said), WRITTEN)
        for uuid in uuids[:SINGLE]:
            said = [report(uuid, delivered_at="2026-11-20T10:06:00Z")]
            timed("a report by itself", lambda said=said: ledger.record_reports(said), SINGLE)
        ledger.close()
    return took


def read(campaigns: int) -> None:
    """CPU ms of what pages read: of the last campaign, of one that waits, and of all."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(f"sqlite:///{folder}/ledger.sqlite")
        for place in range(campaigns):
            last = sent(ledger, place, unknown=10 if place + 1 < campaigns else 1_000)
            if place + 1 < campaigns:
                _end(ledger, last)
                took = _cpu_ms(ledger.roll_up)
        if campaigns > 1:
            print(f"{campaigns * SIZE:12,} messages {'roll_up':33} {took:8.1f} ms")
        looks: dict[str, Callable[[], object]] = {
            f"{name} of {words}": lambda look=look, which=which: look(which)
            for words, which in (("one being sent", last), ("one that waits", waits(ledger)), ("all", None))
            for name, look in (
                ("campaigns", ledger.campaigns if which is None else ledger.campaign),
                ("counts", ledger.counts),
                ("course", ledger.course),
            )
        }
        month = EPOCH + timedelta(microseconds=BEGAN_US, days=20)
        looks |= {
            "campaigns of all": ledger.campaigns,
            "counts of a month": lambda: ledger.counts(since=month),
            "counts of it, as on the overview": lambda: ledger.counts(since=month, keys=ON_OVERVIEW),
            "coming": ledger.coming,
            "unknown_total of one": lambda: ledger.unknown_total(last),
            "credits_between of a day": partial(used_on_the_first_day, ledger),
        }
        for name, look in looks.items():
            median = statistics.median(_cpu_ms(look) for _look in range(LOOKS))
            print(f"{campaigns * SIZE:12,} messages {name:33} {median:8.1f} ms")
        ledger.close()


def used_on_the_first_day(ledger: Ledger) -> int:
    day = EPOCH + timedelta(microseconds=BEGAN_US)
    with ledger.database.read() as connection:
        return credits_between(connection, day, day + timedelta(days=1))


def _cpu_ms(do: Callable[[], object]) -> float:
    start = time.process_time()
    do()
    return (time.process_time() - start) * 1e3


def sent(ledger: Ledger, place: int, *, unknown: int) -> str:
    """A campaign that has been sent, a few minutes after its last request; some batches are unknown."""
    campaign, first, cells = _campaign(ledger, place)
    dice, began = random.Random(place), BEGAN_US + place * 86_400 * SECOND  # noqa: S311 - figures to measure with
    with ledger.database.write() as connection:
        started = update(schema.campaign).where(schema.campaign.c.id == campaign)
        connection.execute(started.values(started_at=EPOCH + timedelta(microseconds=began)))
    tallied, happened = Counter[tuple[Any, ...]](), Counter[tuple[Any, ...]]()
    many = SIZE // BATCH - unknown
    for batch in range(first, first + many):
        left = began + (batch - first) * LASTS_S * SECOND // many
        for _message in range(BATCH):
            stage = dice.choices((DELIVERED, FAILED, SENT, ACCEPTED), (90, 5, 4, 1))[0]
            reason = f"reason {dice.randrange(4)}" if stage == FAILED else ""
            quarter = left // QUARTER * QUARTER
            tallied[dice.choice(cells), stage, quarter, 3, 0, reason, batch] += 1
            gone = left + dice.randrange(20) * SECOND
            late = dice.expovariate(0.2) if dice.random() < 0.875 else 10 ** dice.uniform(1.5, 5)
            if stage != ACCEPTED:
                happened[campaign, SENT, gone // MOMENT * MOMENT, batch] += 1
            if stage in {DELIVERED, FAILED}:
                happened[campaign, stage, (gone + int(late * SECOND)) // MOMENT * MOMENT, batch] += 1
    for batch in range(first + many, first + many + unknown):
        for kind in cells:
            tallied[kind, FOLLOWS, 0, 0, 0, "", batch] += BATCH // KINDS
    _batches(ledger, campaign, first, many, began, state="accepted", accepted=BATCH)
    _batches(ledger, campaign, first + many, unknown, began, state="unknown")
    _rows(ledger, tally, {key: (n, n, n, n, n, 0) for key, n in tallied.items()})
    _rows(ledger, course, {key: (n,) for key, n in happened.items()})
    return campaign


def waits(ledger: Ledger) -> str:
    """A campaign of which nothing has been sent, its messages due in any quarter of an hour of a day."""
    campaign, first, cells = _campaign(ledger, CAMPAIGNS)
    many = SIZE // BATCH
    _batches(ledger, campaign, first, many, None, state="ready")
    part = BATCH // KINDS
    tallied = {
        (kind, FOLLOWS, 0, 0, BEGAN_US + batch % 96 * QUARTER, "", batch): (part, part, part, 0, 0, 0)
        for batch in range(first, first + many)
        for kind in cells
    }
    _rows(ledger, tally, tallied)
    return campaign


def _campaign(ledger: Ledger, place: int) -> tuple[str, int, list[int]]:
    """Its id, the first batch that is free, and its cells."""
    countries = pd.Categorical(["GB", "DE", "FR", "ES", "IT", "AT", "CH", "PL"])
    frame = messages_frame(KINDS, "Spring", country=countries, first=KINDS * place)
    campaign = ledger.create_campaign("Spring", frame, batch_size=KINDS)
    ledger.start(campaign)
    with ledger.database.read() as connection:
        first = connection.execute(select(func.max(schema.batch.c.id))).scalar_one() + 1
        cells = connection.execute(select(cell.c.id).where(cell.c.campaign_id == campaign)).scalars().all()
    return campaign, first, list(cells)


def _end(ledger: Ledger, campaign: str) -> None:
    with ledger.database.write() as connection:
        done = update(schema.campaign).where(schema.campaign.c.id == campaign)
        connection.execute(done.values(state="done", finished_at=EPOCH + timedelta(microseconds=BEGAN_US)))


def _batches(
    ledger: Ledger, campaign: str, first: int, many: int, claimed_at: int | None, **values: object
) -> None:
    ids = range(first, first + many)
    starts = [number * BATCH for number in ids]
    same = {"campaign_id": campaign, "messages": BATCH, "credits_low": BATCH, "credits_high": BATCH, **values}
    same |= {"claimed_at": claimed_at, "first_claimed_at": claimed_at}
    rows: dict[str, Any] = {name: [value] * many for name, value in same.items()}
    rows |= {"id": ids, "seq": ids, "first_message": starts, "last_message": starts}
    with ledger.database.write() as connection:
        insert_stored(connection, schema.batch, rows)


def _rows(ledger: Ledger, table: Table, sums: Mapping[tuple[Any, ...], tuple[int, ...]]) -> None:
    names = [column.name for column in table.columns]
    rows = sorted((*key, *numbers) for key, numbers in sums.items())
    with ledger.database.write() as connection:
        insert_stored(connection, table, dict(zip(names, zip(*rows, strict=True), strict=True)))


if __name__ == "__main__":
    main()
