"""A large ledger, as months of sending would leave it: `python tests/benchmarks/big_ledger.py FILE`.

Fictional, seeded, written row by row past the rules of sending (which would take hours), so for measuring
only. One campaign holds a fifth of all messages, and the others the rest in equal parts.
"""

from __future__ import annotations

import argparse
import os
import random
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, insert

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import insert_columns
from dashboard.ledger.evidence.merging import append_events
from dashboard.ledger.evidence.reading import event_of

BATCH = 100
ROWS_AT_ONCE = 20_000
REASONS = ("unknown subscriber", "handset switched off", "blocked by carrier", "expired")
COUNTRIES = ("GB",) * 7 + ("IE",) * 2 + ("FR", "DE")
PRICE = Decimal("0.045")
Row = dict[str, Any]


def main() -> None:
    """Write the ledger asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--messages", type=int, default=5_000_000)
    parser.add_argument("--campaigns", type=int, default=200)
    chosen = parser.parse_args()
    began = time.perf_counter()
    write(chosen.file, chosen.messages, chosen.campaigns)
    size = chosen.file.stat().st_size / 1e6
    print(f"{chosen.messages:,} messages in {chosen.campaigns} campaigns, {size:,.0f} MB, ", end="")
    print(f"{time.perf_counter() - began:.0f} s")


def write(file: Path, messages: int, campaigns: int) -> None:
    """Write a new ledger; the oldest campaign is the largest, the newest is being sent."""
    os.umask(0o077)  # the dashboard does not start with a ledger that others can read
    ledger = Ledger.open(f"sqlite:///{file.as_posix()}")
    dice, first = random.Random(7), 1  # noqa: S311 - figures to measure with, not secrets
    large = messages // 5
    sizes = [large, *[(messages - large) // (campaigns - 1)] * (campaigns - 1)]
    for place, size in enumerate(sizes):
        started = datetime.now(UTC) - timedelta(hours=10 * (campaigns - 1 - place), minutes=5)
        with ledger.database.write() as connection:
            _campaign(connection, Campaign(place, first, size, started, place == campaigns - 1, dice))
        ledger.mend(f"{place + 1:032x}")  # what is added up for the pages
        first += size
    ledger.close()


class Campaign:
    """One campaign's rows."""

    def __init__(
        self, place: int, first: int, size: int, started: datetime, running: bool, dice: random.Random
    ) -> None:
        self.id = f"{place + 1:032x}"
        self.name = f"Campaign {place + 1}"
        self.first, self.size, self.started, self.running, self.dice = first, size, started, running, dice
        self.sent = size // 2 if running else size  # the second half of a running one is still to be sent

    def row(self) -> Row:
        return {
            "id": self.id,
            "name": self.name,
            "state": "running" if self.running else "done",
            "source": "contacts.csv",
            "shorten_links": True,
            "price_per_credit": PRICE,
            "currency": "EUR",
            "first_message": self.first,
            "last_message": self.first + self.size - 1,
            "created_at": self.started - timedelta(minutes=5),
            "started_at": self.started,
            "finished_at": None if self.running else self.started + timedelta(hours=1),
        }

    def rows(self) -> Iterator[tuple[Row, Row | None]]:
        """Each message, with what the service said of it."""
        for place in range(self.size):
            number = self.first + place
            message = {
                "id": number,
                "uuid": str(uuid.UUID(int=self.dice.getrandbits(128), version=4)),
                "row": place + 2,
                "to": f"+44740{number:07d}",
                "body": f"Hi Ann{number % 1000}, our spring sale starts on Saturday. Your code: S{number}",
                "credits_low": 1,
                "credits_high": 1,
                "country": self.dice.choice(COUNTRIES),
                "line_type": "MOBILE",
            }
            yield message, self.said(number, place) if place < self.sent else None

    def said(self, number: int, place: int) -> Row:
        sent = self.started + timedelta(milliseconds=5 * place)
        failed = self.dice.random() < 0.05
        return {
            "message_id": number,
            "state": "accepted",
            "echoed": True,
            "status": "failed" if failed else "delivered",
            "failure_reason": self.dice.choice(REASONS) if failed else None,
            "credits_used": 1,
            "created_at": sent,
            "sent_at": sent,
            "delivered_at": None if failed else sent + timedelta(seconds=self.dice.expovariate(0.1)),
            "stage": 2 if failed else 3,
            "evidence_at": sent,
            "changed_at": sent,
            "handed_over_at": sent,
            "failed_at": sent if failed else None,
        }

    def batch(self, start: int, results: list[Row]) -> Row:
        size = min(BATCH, self.first + self.size - start)
        handed = bool(results)
        return {
            "campaign_id": self.id,
            "seq": (start - self.first) // BATCH,
            "first_message": start,
            "last_message": start + size - 1,
            "messages": size,
            "credits_low": size,
            "credits_high": size,
            "state": "accepted" if handed else "ready",
            "attempt": int(handed),
            "claimed_at": self.started if handed else None,
            "settled_at": self.started if handed else None,
            "accepted": len(results),
        }


def _campaign(connection: Connection, campaign: Campaign) -> None:
    connection.execute(insert(schema.campaign), [campaign.row()])
    text = {"campaign_id": campaign.id, "variant": "", "name": campaign.name, "template": "Hi"}
    connection.execute(insert(schema.campaign_text), [text | {"template_version": campaign.id * 2}])
    rows = campaign.rows()
    while part := list(islice(rows, ROWS_AT_ONCE)):
        results = [result for _, result in part if result is not None]
        starts = range(0, len(part), BATCH)
        said = [[result for _, result in part[start : start + BATCH] if result] for start in starts]
        batches = [
            campaign.batch(part[start][0]["id"], each) for start, each in zip(starts, said, strict=True)
        ]
        _insert(connection, schema.message, [message for message, _ in part])
        connection.execute(insert(schema.batch), batches)
        if results:
            _insert(connection, schema.result, results)
            append_events(connection, [event_of(said) for result in results for said in _heard(result)])


def _insert(connection: Connection, table: Table, rows: list[Row]) -> None:
    insert_columns(connection, table, {name: [row[name] for row in rows] for name in rows[0]})


def _heard(result: Row) -> Iterator[Row]:
    """Every status that led to the last one."""
    before = result | {"failure_reason": None}
    yield before | {"stage": 0, "status": "pending"}
    yield before | {"stage": 1, "status": "sent", "echoed": False}
    yield result | {"echoed": False}


if __name__ == "__main__":
    main()
