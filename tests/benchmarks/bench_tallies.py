"""What counting costs whoever writes, and what reading the counts takes at any size; see docs/benchmarks.md.

    python tests/benchmarks/bench_tallies.py                      # reading, at 500,000 to 50,000,000 messages
    python tests/benchmarks/bench_tallies.py --write              # writing; in another checkout to compare

A campaign of any size is read from rows that are made up: of eight kinds of message, sent within a day, with
a thousand unknown batches besides; and one of which nothing has been sent. Figures are CPU, the median of
several looks.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import Table

sys.path.append(str(Path(__file__).parents[1]))
from fixtures_ledger import accepted, claim, messages_frame, report

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import insert_stored
from dashboard.ledger.tallies.tables import course, pool, tally, waiting

SIZES = (500_000, 5_000_000, 50_000_000)
BATCH, CELLS, QUARTERS, UNKNOWN = 200, 8, 96, 1_000
BEGAN_US = 1_795_000_500_000_000
LOOKS, TURNS, WRITTEN, SINGLE = 7, 5, 20_000, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        rounds = [written() for _turn in range(TURNS)]
        for name in rounds[0]:
            print(f"{name:24} {statistics.median(took[name] for took in rounds):9,.1f} µs")
    else:
        for size in SIZES:
            read(size)


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


def read(size: int) -> None:
    """CPU ms of what pages read of a campaign: its row, its counts and its course."""
    for made_up in (sent, waits):
        with tempfile.TemporaryDirectory() as folder:
            ledger = Ledger.open(f"sqlite:///{folder}/ledger.sqlite")
            campaign = made_up(ledger, size)
            for look in (ledger.campaign, ledger.counts, ledger.course):
                took = []
                for _look in range(LOOKS):
                    start = time.process_time()
                    look(campaign)
                    took.append((time.process_time() - start) * 1e3)
                name, median = f"{made_up.__name__:6} {look.__name__:9}", statistics.median(took)
                print(f"{size:12,} messages {name} {median:8.1f} ms")
            ledger.close()


def sent(ledger: object, size: int) -> str:
    """A campaign as it is after a day, however many messages each row stands for; a thousand are unknown."""
    campaign = _campaign(ledger)
    many = size // BATCH
    _batches(ledger, campaign, 2, many, state="accepted", accepted=BATCH, credits_billed=BATCH)
    _batches(ledger, campaign, 2 + many, UNKNOWN, state="unknown")
    _rows(
        ledger,
        {
            waiting: [
                (2 + many + batch, cell, 0, *[BATCH // CELLS] * 3)
                for batch in range(UNKNOWN)
                for cell in range(1, CELLS + 1)
            ],
            tally: list(_tally(size)),
            course: [
                (campaign, 0, stage, BEGAN_US + span * 60_000_000, size // 1_440)
                for stage in (1, 2, 3)
                for span in range(1_440)
            ],
        },
    )
    return campaign


def waits(ledger: object, size: int) -> str:
    """A campaign of which nothing has been sent, its messages due in any quarter of an hour of a day."""
    campaign = _campaign(ledger)
    _batches(ledger, campaign, 2, size // BATCH, state="ready", pooled=True)
    part = size // (CELLS * QUARTERS)
    _rows(
        ledger,
        {
            pool: [
                (cell, 0, BEGAN_US + place * 900_000_000, part, part, part)
                for cell in range(1, CELLS + 1)
                for place in range(1, 1 + QUARTERS)
            ]
        },
    )
    return campaign


def _campaign(ledger: Any) -> str:
    frame = messages_frame(CELLS, country=pd.Categorical(["GB", "DE", "FR", "ES", "IT", "AT", "CH", "PL"]))
    campaign: str = ledger.create_campaign("Spring", frame, batch_size=CELLS)
    ledger.start(campaign)
    return campaign


def _batches(ledger: Any, campaign: str, first: int, many: int, **values: object) -> None:
    ids = range(first, first + many)
    starts = [number * BATCH for number in ids]
    same = {"campaign_id": campaign, "messages": BATCH, "credits_low": BATCH, "credits_high": BATCH, **values}
    with ledger.database.write() as connection:
        insert_stored(
            connection,
            schema.batch,
            {
                **{name: [value] * many for name, value in same.items()},
                "id": ids,
                "seq": ids,
                "first_message": starts,
                "last_message": starts,
            },
        )


def _rows(ledger: Any, tables: Mapping[Table, Sequence[tuple[object, ...]]]) -> None:
    with ledger.database.write() as connection:
        for table, rows in tables.items():
            names = [column.name for column in table.columns]
            insert_stored(connection, table, dict(zip(names, zip(*rows, strict=True), strict=True)))


def _tally(size: int) -> Iterator[tuple[object, ...]]:
    many = size // (CELLS * QUARTERS * 10)
    for cell in range(1, CELLS + 1):
        for place in range(QUARTERS):
            key = (cell, 0, BEGAN_US + place * 900_000_000)
            for stage, cause, reason in (
                *((stage, cause, "") for stage in (0, 1, 3) for cause in (2, 3)),
                *((2, 3, f"reason {number}") for number in range(4)),
            ):
                yield (*key, stage, cause, 0, reason, many, many, many, many, 0)


if __name__ == "__main__":
    main()
