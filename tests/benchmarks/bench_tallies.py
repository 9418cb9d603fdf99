"""What counting costs whoever writes, and what reading the counts takes at any size; see docs/benchmarks.md.

    python tests/benchmarks/bench_tallies.py                      # reading, at 500,000 to 50,000,000 messages
    python tests/benchmarks/bench_tallies.py --against CHECKOUT   # writing, in turns with another checkout

A campaign of any size is read from rows that are made up: of eight kinds of message, sent within a day, with
a thousand unknown batches besides; and one of which nothing has been sent. Figures are CPU, the median of
several looks.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import uuid4

import pandas as pd
from sqlalchemy import Table

sys.path.append(str(Path(__file__).parents[1]))  # after the checkout that writes

SIZES = (500_000, 5_000_000, 50_000_000)
BATCH, CELLS, QUARTERS, UNKNOWN = 200, 8, 96, 1_000
BEGAN_US = 1_795_000_500_000_000
LOOKS, TURNS, WRITTEN, SINGLE, AT_ONCE = 7, 5, 20_000, 300, 12_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", metavar="CHECKOUT", help="a checkout without tallies")
    parser.add_argument("--postgresql", metavar="URL", help="write there, by the clock, --workers at once")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        there = options.postgresql
        print(json.dumps(written_at_once(there, options.workers) if there else written()))
    elif options.against:
        compare(Path(options.against), options.postgresql, options.workers)
    else:
        for size in SIZES:
            read(size)


def compare(other: Path, server: str | None, workers: int) -> None:
    """µs a message (or a report), there and here in turns, and the median of the turns' ratios."""
    here = Path(__file__).parents[2]
    rounds = [
        (_written_by(other, server, workers), _written_by(here, server, workers)) for _turn in range(TURNS)
    ]
    for name in rounds[0][0]:
        without, with_ = (statistics.median(pair[place][name] for pair in rounds) for place in (0, 1))
        ratio = statistics.median(two[name] / one[name] for one, two in rounds)
        print(f"{name:24} {without:9,.1f} {with_:9,.1f} {ratio:6.2f}")


def _written_by(checkout: Path, server: str | None, workers: int) -> dict[str, float]:
    from fixtures_ledger import new_database  # noqa: PLC0415

    with new_database(server) if server else nullcontext() as url:
        there = ["--postgresql", url, "--workers", str(workers)] if url else []
        done = subprocess.run(
            [sys.executable, __file__, "--write", *there],
            env={"PYTHONPATH": f"{checkout}:{checkout / 'tests'}"},
            stdout=subprocess.PIPE,
            check=True,
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def written() -> dict[str, float]:
    """CPU µs of each step on SQLite."""
    from fixtures_ledger import accepted, claim, messages_frame, report  # noqa: PLC0415 - of that checkout

    from dashboard.ledger import Ledger  # noqa: PLC0415

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


def written_at_once(url: str, workers: int) -> dict[str, float]:
    """Wall-clock µs a message on PostgreSQL, with so many workers on one campaign at once."""
    from fixtures_ledger import accepted, messages_frame, report  # noqa: PLC0415

    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.ledger.outbox.claims import Claim, Lane  # noqa: PLC0415

    frame = messages_frame(AT_ONCE, country=pd.Categorical(["GB", "DE", "FR", "ES"] * (AT_ONCE // 4)))
    frame["to"] = [f"+4474{number:08}" for number in range(AT_ONCE)]
    took: dict[str, list[float]] = {"claim": [], "settle": []}
    uuids: list[str] = []
    ledger = Ledger.open(url)
    campaign = ledger.create_campaign("Spring", frame, batch_size=BATCH)
    ledger.start(campaign)

    def work(number: int) -> None:
        own = Ledger.open(url)
        owner = own.outbox.register(number)
        while True:
            start = time.perf_counter()
            got = own.outbox.claim(Lane(campaign, number, workers), owner=owner, ticket=str(uuid4()))
            if not isinstance(got, Claim):
                break
            took["claim"].append(time.perf_counter() - start)
            answer = accepted(got, credits_used=1)
            start = time.perf_counter()
            own.outbox.settle(got, answer)
            took["settle"].append(time.perf_counter() - start)
            uuids.extend(message.uuid or "" for message in got.messages)
        own.close()

    with ThreadPoolExecutor(workers) as threads:
        list(threads.map(work, range(workers)))
    said = [report(uuid, sent_at="2026-11-20T10:00:00Z") for uuid in uuids]
    start = time.perf_counter()
    ledger.record_reports(said)
    reports = (time.perf_counter() - start) * 1e6 / len(said)
    ledger.close()
    medians = {name: statistics.median(each) * 1e6 / BATCH for name, each in took.items()}
    return {f"{name}, {workers} at once": each for name, each in medians.items()} | {"report": reports}


def read(size: int) -> None:
    """CPU ms of what pages read of a campaign: its row, its counts and its course."""
    from dashboard.ledger import Ledger  # noqa: PLC0415

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
    from dashboard.ledger.tallies.tables import course, tally, waiting  # noqa: PLC0415

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
    from dashboard.ledger.tallies.tables import pool  # noqa: PLC0415

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
    from fixtures_ledger import messages_frame  # noqa: PLC0415

    frame = messages_frame(CELLS, country=pd.Categorical(["GB", "DE", "FR", "ES", "IT", "AT", "CH", "PL"]))
    campaign: str = ledger.create_campaign("Spring", frame, batch_size=CELLS)
    ledger.start(campaign)
    return campaign


def _batches(ledger: Any, campaign: str, first: int, many: int, **values: object) -> None:
    from dashboard.ledger.database import schema  # noqa: PLC0415
    from dashboard.ledger.database.writing import insert_stored  # noqa: PLC0415

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
    from dashboard.ledger.database.writing import insert_stored  # noqa: PLC0415

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
