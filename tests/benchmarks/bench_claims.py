"""What a claim takes past batches that are held until their own time: docs/benchmarks.md.

    python tests/benchmarks/bench_claims.py
    python tests/benchmarks/bench_claims.py --held 200000

The batches that are held come first in the campaign, as after a night in which nobody was to be texted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from sqlalchemy import update

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench_sending import postgresql, sqlite
from clocks import timed
from fixtures_ledger import Clock, claim, many_batches

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema

CLAIMS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--held", type=int, default=60_000)
    asked = parser.parse_args()
    for database in (sqlite, postgresql):
        for held in (0, asked.held):
            with database() as url:
                measure(url, held, database.__name__)


def measure(url: str, held: int, database: str) -> None:
    clock = Clock()
    with closing(Ledger.open(url, now=clock)) as ledger:
        campaign = many_batches(ledger, held + 2 * CLAIMS)
        until = {"due_at": clock.time + timedelta(hours=1)}
        with ledger.database.write() as connection:
            connection.execute(update(schema.batch).where(schema.batch.c.seq < held).values(until))
        owner = ledger.outbox.register(0)
        found = milliseconds(lambda: claim(ledger, campaign, owner))
        with ledger.database.write() as connection:
            ready = update(schema.batch).where(schema.batch.c.state == "ready")
            connection.execute(ready.values(until))
        nothing = milliseconds(lambda: ledger.outbox.claim(campaign, owner=owner, ticket=str(uuid4())))
        looks = milliseconds(ledger.outbox.to_send)
    print(f"| {database} | {held:,} | {found:.1f} | {nothing:.1f} | {looks:.1f} |", flush=True)


def milliseconds(work: Callable[[], object]) -> float:
    """The median by the clock."""
    return 1000 * statistics.median(timed(work)[0] for _ in range(CLAIMS))


if __name__ == "__main__":
    main()
