"""The gate that all claims pass: a pace over all campaigns and processes, pauses and limits.

The pace is GCRA (the generic cell rate algorithm, ITU-T I.371): `next_at` is when the next batch is due if
everyone keeps to the pace; a batch may go up to TOLERANCE early, so that waking a little late does not slow
the pace down.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.database.locks import gate_row
from dashboard.ledger.database.prepared import Prepared

TOLERANCE = timedelta(seconds=0.1)
FIRST_BACKOFF_S = 1.0
LONGEST_BACKOFF_S = 60.0
LONGEST_PAUSE_S = 3600.0
"""A service that asks for a longer pause is tried again after an hour."""

_NOW = Prepared(select(schema.gate).where(schema.gate.c.id == 1))

CLOCK_STEP = timedelta(seconds=60)
"""A clock behind the gate by more than this was set back; less is the difference between two machines."""


CAPS = ("credits_per_campaign", "credits_per_day")


@dataclass(frozen=True, slots=True)
class Limits:
    """When a running campaign pauses by itself, and says why; see pausing.py.

    Attributes:
        failure_share: More than this share of its newest messages was refused, is unknown or is reported as
            failed, from 0 to 1; None for never.
        credits_per_campaign: It may use more credits; None for no cap.
        credits_per_day: All campaigns may use more credits in a day (UTC); None for no cap.
        pauses_on_opt_outs: People it still had to text were put on the list of opt-outs.
    """

    failure_share: float | None = None
    credits_per_campaign: int | None = None
    credits_per_day: int | None = None
    pauses_on_opt_outs: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """When the next request may go out; see the table `gate`."""

    messages_per_second: float = 0.0
    next_at: datetime = EPOCH
    closed_until: datetime = EPOCH
    closed_at: datetime = EPOCH
    reason: str | None = None
    strikes: int = 0
    touched_at: datetime = EPOCH
    failure_share: float | None = None
    credits_per_campaign: int | None = None
    credits_per_day: int | None = None
    pauses_on_opt_outs: bool | None = None

    @property
    def has_caps(self) -> bool:
        """Whether credits are capped, so that claims take turns."""
        return self.credits_per_campaign is not None or self.credits_per_day is not None

    def opens_at(self, now: datetime) -> datetime | None:
        """When the next batch may go, None for at once."""
        paced = self.next_at - TOLERANCE if self.messages_per_second else EPOCH
        at = max(paced, self.closed_until)
        return at if at > now else None

    def after(self, messages: int, now: datetime) -> Gate:
        """The gate, which has a pace, after this many messages have gone through it."""
        took = timedelta(seconds=messages / self.messages_per_second)
        return replace(self, next_at=max(self.next_at, now) + took, touched_at=now)

    def closed(
        self, *, reason: str, for_s: float | None, claimed_at: datetime, now: datetime, jitter: float
    ) -> Gate:
        """The gate after an answer (or a failed connection) that makes everyone wait.

        Args:
            reason: A sentence for people.
            for_s: How long the service asks for; None, or no time at all, makes it longer each time in a row.
            claimed_at: When the batch was claimed. Batches that were under way when the gate closed do not
                count as another time in a row.
            now: The time.
            jitter: About 1.0, so that several processes do not return at the same moment.
        """
        strikes = self.strikes + (claimed_at > self.closed_at)
        if for_s is None or for_s <= 0:
            for_s = jitter * min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** (min(strikes, 16) - 1))
        until = now + timedelta(seconds=min(max(for_s, 0.05), LONGEST_PAUSE_S))
        return replace(
            self,
            closed_until=max(self.closed_until, until),
            closed_at=now,
            reason=reason,
            strikes=strikes,
            touched_at=now,
        )

    def stepped_back(self, now: datetime) -> bool:
        """Whether the clock was set back since the gate was last changed."""
        return self.touched_at - now > CLOCK_STEP

    def moved_back(self, now: datetime) -> Gate:
        """The gate with its times set back like the clock; otherwise it would stay shut."""
        behind = self.touched_at - now
        return replace(
            self,
            next_at=self.next_at - behind,
            closed_until=self.closed_until - behind,
            closed_at=self.closed_at - behind,
            touched_at=now,
        )


_WRITE = Prepared(
    update(schema.gate)
    .where(schema.gate.c.id == 1)
    .values({one.name: bindparam(one.name) for one in fields(Gate)})
)


def read_gate(connection: Connection) -> Gate:
    """The gate as it is now."""
    return Gate(*_NOW.one(connection)[1:])


def lock_gate(connection: Connection, now: datetime) -> Gate:
    """The gate, which nobody else changes in this transaction."""
    gate = Gate(*gate_row(connection)[1:])
    if gate.stepped_back(now):
        gate = gate.moved_back(now)
        write_gate(connection, gate)
    return gate


def create_gate(connection: Connection) -> None:
    """Create the gate of a new ledger, open and without a pace."""
    connection.execute(insert(schema.gate).values(id=1, **asdict(Gate())))


def write_gate(connection: Connection, gate: Gate) -> None:
    """Store the gate; the caller locked it in this transaction."""
    _WRITE(connection, **asdict(gate))


def set_limits(connection: Connection, limits: Limits, now: datetime) -> None:
    """Set the limits for all campaigns; they take effect with the next claim or answer."""
    write_gate(connection, replace(lock_gate(connection, now), **asdict(limits)))


def bring_limits(connection: Connection, limits: Limits, now: datetime, *, keeps_caps: bool) -> None:
    """Set the limits of a process that begins to send.

    Where it brings no cap, the one that marketers decided counts, as it is in this very transaction: whoever
    read it before may have read an older one.

    Args:
        connection: A write transaction.
        limits: What it brings.
        now: The time.
        keeps_caps: Where nobody has decided on a cap either, leave the one that was set.
    """
    serialize(connection, Advisory.SETTINGS)
    gate, decided = lock_gate(connection, now), _decided_caps(connection)
    values = asdict(limits)
    for name in CAPS:
        if values[name] is None:
            values[name] = decided.get(name)
        if values[name] is None and keeps_caps:
            values[name] = getattr(gate, name)
    write_gate(connection, replace(gate, **values))


def _decided_caps(connection: Connection) -> dict[str, int | None]:
    """The caps that marketers decided on, by name; see kept_settings.py."""
    table = schema.setting.c
    query = select(table.name, table.value).where(table.name.in_(CAPS), table.person == "")
    return {name: json.loads(value) for name, value in connection.execute(query.order_by(table.id))}


def set_cap(connection: Connection, name: str, cap: int | None, now: datetime) -> None:
    """Set one of `CAPS` for all campaigns, or remove it; it takes effect with the next claim."""
    changed: dict[str, Any] = {name: cap}
    write_gate(connection, replace(lock_gate(connection, now), **changed))


def set_pace(connection: Connection, messages_per_second: float, now: datetime) -> None:
    """Set the pace across all campaigns; it takes effect with the next claim."""
    gate = lock_gate(connection, now)
    if gate.messages_per_second != messages_per_second:
        write_gate(connection, replace(gate, messages_per_second=messages_per_second, next_at=EPOCH))
