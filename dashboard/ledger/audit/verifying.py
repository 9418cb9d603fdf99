"""Does every row of the audit trail follow from the one before it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, text

from dashboard.ledger.audit.chain import BEGINNING, next_hash, readable
from dashboard.ledger.database.column_types import instant

_TYPES = {"at": int, **dict.fromkeys(("who", "what", "about", "details", "hash"), str)}
_ROWS_AT_ONCE = 5_000
_AS_STORED = text("SELECT number, at, who, what, about, details, hash FROM audit ORDER BY number")


@dataclass(frozen=True)
class Verified:
    """What a check of the trail found.

    Attributes:
        rows: How many rows hold: those before `broken`, or all of them.
        last_hash: The hash of the last of them; kept elsewhere, it shows later that nothing was changed.
        broken: The number of the first row that does not follow from the one before it; None if all do.
        has_kept: Whether one of the rows that hold has the hash that was asked for; True if none was.
    """

    rows: int
    last_hash: str
    broken: int | None
    has_kept: bool

    @property
    def holds(self) -> bool:
        """Whether nothing was changed, as far as the trail can tell."""
        return self.broken is None and self.has_kept


def verify(connection: Connection, kept: str | None = None) -> Verified:
    """Check every row, from the first to the last.

    Args:
        connection: Of one moment.
        kept: A hash that was the last one earlier. Only with it is it noticed if the newest rows were
            deleted, or if all were written again.
    """
    number, before, has_kept = 0, BEGINNING, kept in {None, BEGINNING}
    for row in stored_rows(connection):
        found = readable_as_stored(row)
        if found is None or row.number != number + 1 or next_hash(before, found) != row.hash:
            return Verified(number, before, number + 1, has_kept)
        number, before = row.number, row.hash
        has_kept = has_kept or before == kept
    return Verified(number, before, None, has_kept)


def stored_rows(connection: Connection) -> Iterator[Row[Any]]:
    """All rows, the oldest first, as the database has them: what somebody put there may be of any type."""
    with connection.execute(_AS_STORED, execution_options={"yield_per": _ROWS_AT_ONCE}) as rows:
        yield from rows


def readable_as_stored(row: Row[Any]) -> dict[str, Any] | None:
    """Such a row as the hash covers it; None for one that nobody could have written here."""
    stored = row._asdict()
    if not all(isinstance(stored[name], type_) for name, type_ in _TYPES.items()):
        return None
    try:
        return readable({**stored, "at": instant(row.at)})
    except (ValueError, OverflowError, RecursionError):
        return None
