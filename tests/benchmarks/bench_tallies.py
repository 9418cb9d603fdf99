"""What counting costs whoever writes, and what reading the counts takes at any size; see docs/benchmarks.md.

    python tests/benchmarks/bench_tallies.py                      # reading, at 500,000 to 50,000,000 messages
    python tests/benchmarks/bench_tallies.py --against CHECKOUT   # writing, in turns with another checkout

A campaign of any size is read from rows that are made up: of eight kinds of message, sent within a day, the
last thousand batches still waiting. Figures are CPU, the median of several looks.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))

SIZES = (500_000, 5_000_000, 50_000_000)
BATCH, CELLS, QUARTERS, WAITING = 200, 8, 96, 1_000
BEGAN_US = 1_795_000_500_000_000
LOOKS, TURNS, WRITTEN, SINGLE = 7, 5, 20_000, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", metavar="CHECKOUT", help="a checkout without tallies")
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        print(json.dumps(written()))
    elif options.against:
        compare(Path(options.against))
    else:
        for size in SIZES:
            read(size)


def compare(other: Path) -> None:
    """CPU µs a message (or a report), there and here in turns, and the median of the turns' ratios."""
    here, rounds = Path(__file__).parents[2], []
    for _turn in range(TURNS):
        one, two = (
            json.loads(
                subprocess.run(
                    [sys.executable, __file__, "--write"],
                    env={"PYTHONPATH": f"{checkout}:{checkout / 'tests'}"},
                    capture_output=True,
                    check=True,
                ).stdout
            )
            for checkout in (other, here)
        )
        rounds.append((one, two))
    for name in rounds[0][0]:
        without, with_ = (statistics.median(pair[place][name] for pair in rounds) for place in (0, 1))
        ratio = statistics.median(two[name] / one[name] for one, two in rounds)
        print(f"{name:24} {without:9,.1f} {with_:9,.1f} {ratio:6.2f}")


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


def read(size: int) -> None:
    """CPU ms of a campaign's counts and course."""
    from dashboard.ledger import Ledger  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(f"sqlite:///{folder}/ledger.sqlite")
        campaign, rows = made_up(ledger, size)
        for name, look in (("counts", ledger.counts), ("course", ledger.course)):
            took = []
            for _look in range(LOOKS):
                start = time.process_time()
                found = look(campaign)
                took.append((time.process_time() - start) * 1e3)
            print(
                f"{size:12,} messages  {rows:9,} rows  {name:8} {statistics.median(took):8.1f} ms", len(found)
            )
        ledger.close()


def made_up(ledger: object, size: int) -> tuple[str, int]:
    """A campaign's tallies as they are after a day, however many messages each row stands for."""
    from fixtures_ledger import messages_frame  # noqa: PLC0415

    from dashboard.ledger.database import schema  # noqa: PLC0415
    from dashboard.ledger.database.writing import insert_stored  # noqa: PLC0415
    from dashboard.ledger.tallies.tables import course, tally, waiting  # noqa: PLC0415

    frame = messages_frame(CELLS, country=pd.Categorical(["GB", "DE", "FR", "ES", "IT", "AT", "CH", "PL"]))
    campaign = ledger.create_campaign("Spring", frame, batch_size=CELLS)  # type: ignore[attr-defined]
    ledger.start(campaign)  # type: ignore[attr-defined]
    batches = range(2, 2 + WAITING)
    with ledger.database.write() as connection:  # type: ignore[attr-defined]
        first = [CELLS + 1 + number * BATCH for number in range(WAITING)]
        same = {"campaign_id": campaign, "state": "ready", "messages": BATCH, "credits_low": BATCH}
        columns = {name: [value] * WAITING for name, value in {**same, "credits_high": BATCH}.items()}
        places = {"id": batches, "seq": batches, "first_message": first, "last_message": first}
        insert_stored(connection, schema.batch, {**places, **columns})
        tables = {
            waiting: [
                (batch, cell, 0, BATCH // CELLS, BATCH // CELLS, BATCH // CELLS)
                for batch in batches
                for cell in range(1, CELLS + 1)
            ],
            tally: list(_tally(size)),
            course: [
                (campaign, 0, stage, BEGAN_US + span * 60_000_000, size // 1_440)
                for stage in (1, 2, 3)
                for span in range(1_440)
            ],
        }
        for table, rows in tables.items():
            names = [column.name for column in table.columns]
            insert_stored(connection, table, dict(zip(names, zip(*rows, strict=True), strict=True)))
    return campaign, sum(map(len, tables.values()))


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
