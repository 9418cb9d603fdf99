"""One world with campaigns of every kind, lived through our product, the wire and the sandbox."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from zoneinfo import ZoneInfo

import orjson
import pandas as pd
from asked import Asked, Cancelled, Decided, Event, Frozen, OptedOut, Person, Reported, Told
from fixtures_sandbox import SandboxPeer
from patience import PATIENCE_S
from sending.senders import send
from wire import Wire

from dashboard.campaigns import LinkLength, Prices, Variant, write_messages
from dashboard.ledger import Ledger
from dashboard.ledger.database.states import Decision
from dashboard.reports import read_reports
from dashboard.sending.outcomes import Rules
from dashboard.sending.sender import Sender

PREFIXES = {
    "GB": "+4474009{:05d}",
    "DE": "+49151123{:05d}",
    "FR": "+336123{:05d}",
    "IT": "+3934712{:05d}",
    "ES": "+346123{:05d}",
    "NL": "+316123{:05d}",
    "BE": "+324701{:05d}",
    "AT": "+4366412{:05d}",
    "CH": "+417812{:05d}",
    "SE": "+467012{:05d}",
}
_SAID: dict[Told, dict[str, str | None]] = {
    "sent": {"status": "sent", "delivered_at": None, "failure_reason": None},
    "end": {},
    "denied": {"status": "failed", "delivered_at": None, "failure_reason": "expired"},
}


class Clock:
    """Stands where it is put, and goes on from there."""

    def __init__(self) -> None:
        self.put(datetime.now(UTC))

    def put(self, at: datetime) -> None:
        self._at, self._since = at, time.monotonic()

    def __call__(self) -> datetime:
        return self._at + timedelta(seconds=time.monotonic() - self._since)


@dataclass(frozen=True)
class Times:
    """When things happen: on three days in two months, the second of which begins at `edge` in the east.

    All are a minute after a quarter of an hour: it does not end while something is handed over.
    """

    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def recent(self) -> datetime:
        return self.now - timedelta(minutes=self.now.minute % 15 + 14, seconds=self.now.second)

    @property
    def edge(self) -> datetime:
        first = self.recent.replace(day=1, hour=0, minute=1, second=0, microsecond=0)
        return first - timedelta(minutes=30)

    @property
    def old(self) -> datetime:
        return self.edge - timedelta(days=12, hours=7)

    @property
    def to_come(self) -> datetime:
        return self.now + timedelta(days=30)

    def months(self, zone: str) -> list[str]:
        """All in which anything was handed over, as 2026-11."""
        moments = (self.old, self.edge, self.recent)
        return sorted({f"{at.astimezone(ZoneInfo(zone)):%Y-%m}" for at in moments})


@dataclass
class World:
    """A ledger with a past, and the log of all that happened."""

    ledger: Ledger
    clock: Clock
    peer: SandboxPeer
    url: str
    books: Path
    times: Times = field(default_factory=Times)
    log: list[Event] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wire = Wire(self.peer, self.clock, self.log)
        self._people = people()
        service = self.peer.service(transport=self.wire)
        self._sender = Sender(self.ledger.outbox, service, places=1, rules=Rules())
        self._sender.owner = self.ledger.outbox.register(0)

    def some(self, number: int) -> list[Person]:
        """People whom no other campaign texts."""
        return list(islice(self._people, number))

    def people_of(self, name: str) -> Sequence[Person]:
        return next(
            one.asked.people for one in self.log if isinstance(one, Frozen) and one.asked.name == name
        )

    def make(self, asked: Asked, *, batch_size: int = 10, start: bool = True) -> None:
        """Freeze a campaign, and start it."""
        frame = pd.DataFrame(
            {
                "phone": [one.phone for one in asked.people],
                "name": [one.name for one in asked.people],
                "country": pd.Categorical([one.country for one in asked.people]),
                "line_type": pd.Categorical(["MOBILE"] * len(asked.people)),
            }
        )
        texts = [Variant(name, text) for name, text in asked.texts.items()]
        single = len(texts) == 1
        messages = write_messages(
            frame,
            texts[0].template if single else texts,
            campaign=asked.name,
            schedule=asked.scheduled_at,
            short_link=LinkLength(*asked.link),
        )
        assert messages["problem"].isna().all(), messages["problem"]
        prices = Prices(asked.prices, asked.price, asked.currency) if asked.prices else None
        made = self.ledger.create_campaign(
            asked.name,
            messages,
            batch_size=batch_size,
            price_per_credit=None if prices else asked.price,
            prices=prices,
            currency=asked.currency,
        )
        self.ids[asked.name] = made
        self.log.append(Frozen(asked))
        if start:
            self.ledger.start(made)

    def send(self, name: str, *plan: str, goes_on: bool = True) -> None:
        """Send what is ready, with these things going wrong; a pause is overridden if it `goes_on`."""
        own = self.ids[name]
        self.wire.plan.extend(plan)
        while send(self._sender, own) == "paused" and goes_on:
            self.ledger.resume(own)
        self.ledger.outbox.finish()
        assert not self.wire.plan, "nothing was left to go wrong"

    def resume(self, name: str) -> None:
        self.ledger.resume(self.ids[name])
        self.send(name)

    def opt_out(self, who: Iterable[Person]) -> None:
        phones = [one.phone for one in who]
        self.ledger.add_opt_outs(phones)
        self.log.append(OptedOut(phones))

    def decide(self, name: str, decision: Decision) -> None:
        self.ledger.decide_all(self.ids[name], decision, "ann", "asked the service")
        self.log.append(Decided(self.clock(), name, decision))

    def cancel(self, name: str) -> None:
        self.ledger.cancel(self.ids[name])
        self.log.append(Cancelled(name))

    def tell(self, name: str, told: Told = "end", *, which: slice = slice(None)) -> None:
        """Import reports about some of the messages that the service has, in its order."""
        objects = {one["uuid"]: one for one in self.peer.messages(name)}
        chosen = list(objects.values())[which]
        if told == "denied":
            chosen = [one for one in chosen if one["delivered_at"]]
        chosen = [{**one, **_SAID[told]} for one in chosen]
        self.ledger.record_reports(read_reports(b"\n".join(map(orjson.dumps, chosen))))
        self.log.append(Reported([(one["uuid"], told) for one in chosen]))

    def settled(self) -> None:
        """Wait until the sandbox has no news left, except of what is scheduled."""
        deadline = time.monotonic() + PATIENCE_S
        while any(
            "scheduled_at" not in one and one["status"] in {"pending", "sent"} for one in self.peer.messages()
        ):
            assert time.monotonic() < deadline, "the sandbox keeps something for itself"
            time.sleep(0.05)


def people() -> Iterable[Person]:
    """Any number of people in ten countries, the first countries more often."""
    order = [country for place, country in enumerate(PREFIXES) for _ in range(3 if place < 2 else 1)]
    return (
        Person(PREFIXES[(country := order[n % len(order)])].format(n), country, f"N{n:04d}") for n in count()
    ).__iter__()
