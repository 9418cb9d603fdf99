"""What became of each message, from the log, the service's own database and the contract alone.

Only the standard library. The words are those of the figures' definitions in docs/glossary.md.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from asked import Asked, Cancelled, Decided, Event, Frozen, OptedOut, Person, Reported, Request

SINGLE, PART = 160, 153
TOOK_NOTHING = (401, 429)
REFUSED = 422


def credits_of(text: str) -> int:
    """Contract, section 8."""
    return 1 if len(text) <= SINGLE else -(-len(text) // PART)


@dataclass
class Row:
    """One message, and what is known about it here."""

    asked: Asked
    person: Person
    body: str
    variant: str | None = None
    state: str = "ready"
    at: datetime | None = None
    billed: int | None = None
    sent_again: list[datetime] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    news: dict[str, Any] = field(default_factory=dict)

    @property
    def campaign(self) -> str:
        return self.asked.name

    @property
    def country(self) -> str:
        return self.person.country

    @property
    def price(self) -> Decimal | None:
        return self.asked.prices.get(self.person.country, self.asked.price)

    @property
    def low(self) -> int:
        return self._with_links(self.asked.link[0])

    @property
    def high(self) -> int:
        return self._with_links(self.asked.link[1])

    def _with_links(self, characters: int) -> int:
        return credits_of(re.sub(r"https?://\S+", "x" * characters, self.body))

    @property
    def difference(self) -> int:
        if self.billed is None:
            return 0
        return max(0, self.billed - self.high) + min(0, self.billed - self.low)

    @property
    def accepted(self) -> bool:
        return self.state == "accepted"

    @property
    def handed_over(self) -> bool:
        return self.state in {"accepted", "rejected", "unknown", "abandoned"}

    @property
    def handed_over_at(self) -> datetime | None:
        return self.at if self.handed_over else None

    @property
    def delivered(self) -> bool:
        return "end" in self.told and self.news["delivered_us"] is not None

    @property
    def failed(self) -> bool:
        return "end" in self.told and self.news["failure_reason"] is not None

    @property
    def reason(self) -> str | None:
        return self.news["failure_reason"] if self.failed else None

    @property
    def sent(self) -> bool:
        return bool(self.told) and self.news["sent_us"] is not None

    @property
    def open(self) -> bool:
        return self.accepted and not self.delivered and not self.failed

    @property
    def waiting(self) -> bool:
        return self.accepted and not self.sent and self.asked.scheduled_at is not None

    @property
    def bill_missing(self) -> bool:
        return self.billed is None and self.state in {"accepted", "unknown", "abandoned"}

    @property
    def stage(self) -> str:
        for stage in ("delivered", "failed", "sent"):
            if getattr(self, stage):
                return stage
        if self.asked.scheduled_at is not None and self.state in {"ready", "accepted"}:
            return "scheduled"
        return {"ready": "not sent yet"}.get(self.state, self.state)

    @property
    def cause(self) -> str:
        if self.billed is None:
            left = self.state in {"unknown", "abandoned"}
            return (
                "unknown whether sent" if left else "missing from the answer" if self.accepted else "not sent"
            )
        if not self.low <= self.billed <= self.high:
            return "short link" if "://" in self.body else "unexplained"
        return "short link" if self.low < self.high else "as estimated"


class Recount:
    """The rows of all campaigns, after everything in the log."""

    def __init__(self, log: Iterable[Event], service: Path) -> None:
        with sqlite3.connect(f"file:{service}?mode=ro", uri=True) as books:
            books.row_factory = sqlite3.Row
            self._books = {
                row["uuid"]: dict(row) for row in books.execute("SELECT * FROM messages ORDER BY id")
            }
        books.close()
        self.rows: dict[tuple[str, str], Row] = {}
        self._of_uuid: dict[str, Row] = {}
        self._opted_out: set[str] = set()
        for event in log:
            self._happen(event)

    def of(self, campaign: str | None = None) -> list[Row]:
        return [row for row in self.rows.values() if campaign in {None, row.campaign}]

    def _happen(self, event: Event) -> None:
        match event:
            case Frozen(asked):
                self._freeze(asked)
            case Request():
                self._request(event)
            case Reported(told):
                for uuid, what in told:
                    self._accept(uuid, billed=True).told.add(what)
            case Decided(at, campaign, decision):
                self._decide(at, campaign, decision)
            case OptedOut(phones):
                self._opted_out |= set(phones)
            case Cancelled(campaign):
                self._move(campaign, "ready", "cancelled")
        self._leave_out()

    def _freeze(self, asked: Asked) -> None:
        text = next(iter(asked.texts.values()))
        for person in asked.people:
            body = text.replace("{{name}}", person.name)
            self.rows[asked.name, person.phone] = Row(asked, person, body)

    def _request(self, seen: Request) -> None:
        for phone, uuid in seen.uuids.items():
            row = self._of_uuid[uuid] = self.rows[seen.campaign, phone]
            row.body = seen.bodies[phone]
            row.variant = next(
                (name for name in row.asked.texts if name and row.body.startswith(f"{name}: ")), None
            )
            alone = len(seen.uuids) == 1
            if seen.status in TOOK_NOTHING or (seen.status == REFUSED and not alone):
                continue
            row.at = seen.at
            if uuid in seen.named:
                self._accept(uuid, billed=uuid in seen.billed)
            else:
                row.state = "rejected" if seen.status == REFUSED else "unknown"

    def _accept(self, uuid: str, *, billed: bool) -> Row:
        row = self._of_uuid[uuid]
        row.state, row.news = "accepted", self._books[uuid]
        if billed:
            row.billed = row.news["credits_used"]
            assert row.billed == credits_of(row.news["body"])
        return row

    def _leave_out(self) -> None:
        for row in self.rows.values():
            if row.state == "ready" and row.person.phone in self._opted_out:
                row.state = "abandoned" if row.sent_again else "dropped"

    def _decide(self, at: datetime, campaign: str, decision: str) -> None:
        if decision == "ready":
            for row in self.of(campaign):
                row.sent_again += [at] * (row.state == "unknown")
        self._move(campaign, "unknown", decision)

    def _move(self, campaign: str, before: str, after: str) -> None:
        for row in self.of(campaign):
            if row.state == before:
                row.state = after
