"""What was asked for and what happened, in plain values: all that the recount is told. Nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal

Told = Literal["sent", "end", "denied"]
"""What a report said: that a message was sent, all that the service knows, or the contrary of a delivery."""


@dataclass(frozen=True)
class Person:
    phone: str
    country: str
    name: str


@dataclass(frozen=True)
class Asked:
    """A campaign as it was asked for.

    Attributes:
        people: Whom to text.
        texts: By name; a single text has none.
        price: Of a credit, in countries without a price of their own in `prices`.
        link: Characters of the shortest and the longest short link, as far as anybody knows.
    """

    name: str
    people: Sequence[Person]
    texts: Mapping[str, str]
    price: Decimal | None = None
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    currency: str = "EUR"
    scheduled_at: datetime | None = None
    link: tuple[int, int] = (15, 35)


@dataclass(frozen=True)
class Frozen:
    asked: Asked


@dataclass
class Request:
    """A request as it went over the wire, and what came back.

    Attributes:
        at: When, by the ledger's clock.
        campaign: The campaign's name.
        bodies: The texts, by phone.
        uuids: The same for the ids.
        status: Of the answer; None if none came.
        named: Ids in the answer.
        billed: Those of them whose bill was in the answer.
    """

    at: datetime
    campaign: str
    bodies: Mapping[str, str]
    uuids: Mapping[str, str]
    status: int | None = None
    named: frozenset[str] = frozenset()
    billed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reported:
    """Reports: what each told about a message, by its id."""

    told: Sequence[tuple[str, Told]]


@dataclass(frozen=True)
class Decided:
    """A person decided about all unknown messages of a campaign."""

    at: datetime
    campaign: str
    decision: Literal["accepted", "ready", "abandoned"]


@dataclass(frozen=True)
class OptedOut:
    phones: Sequence[str]


@dataclass(frozen=True)
class Cancelled:
    campaign: str


Event = Frozen | Request | Reported | Decided | OptedOut | Cancelled
