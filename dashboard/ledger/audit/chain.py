"""The chain: each row's hash covers the row and the hash before it, so no row can change alone.

    hash = SHA-256(hash of the row before + the row as canonical JSON)

The first row follows 64 zeros. Canonical JSON is ASCII with sorted keys and no spaces, so that anybody can
work it out again from an export without this program.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, insert, select

from dashboard.ledger.audit.acting import current, system_user
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.prepared import Prepared

BEGINNING = "0" * 64

_TABLE = schema.audit
_LAST = Prepared(select(_TABLE.c.number, _TABLE.c.hash).order_by(_TABLE.c.number.desc()).limit(1))
_ADD = Prepared(insert(_TABLE), names=[column.name for column in _TABLE.columns])

Detail = bool | int | str | list[str]
"""Numbers, ids and our own words. Never what somebody typed: no number, name, text or key."""


def append(
    connection: Connection,
    verb: Verb,
    about: str,
    now: datetime,
    *,
    who: str | None = None,
    details: Mapping[str, Detail] | None = None,
) -> None:
    """Add a row, in the transaction of the change that it records.

    Call it last: from here to the commit nobody else can add one.

    Args:
        connection: A write transaction.
        verb: What was done.
        about: The id of what it was done to: of a campaign, a list or a draft, a setting's name, an address.
        now: The time.
        who: Who did it; whoever is acting, if left out.
        details: A few facts more.
    """
    act = current()
    if act is not None:
        if not act.takes(verb):
            return
        act.told = True
    serialize(connection, Advisory.AUDIT)
    last = _LAST.first(connection)
    number, before = (last.number, last.hash) if last else (0, BEGINNING)
    row = {
        "number": number + 1,
        "at": now,
        "who": who if who is not None else act.who if act else system_user(),
        "what": verb,
        "about": about,
        "details": canonical(dict(details or {})),
    }
    _ADD(connection, **row, hash=next_hash(before, readable(row)))


def minute(at: datetime) -> str:
    """A time as the details have it."""
    return at.astimezone(UTC).isoformat(timespec="minutes")


def readable(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the hash covers it, and as it is exported: the time as ISO 8601 in UTC, the details as JSON.

    Raises:
        ValueError: The details are not in the form in which they were written.
    """
    at: datetime = row["at"]
    details = json.loads(row["details"])
    if canonical(details) != row["details"]:
        raise ValueError("not canonical")
    return {
        "number": row["number"],
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "who": row["who"],
        "what": row["what"],
        "about": row["about"],
        "details": details,
    }


def next_hash(before: str, row: Mapping[str, Any]) -> str:
    """The hash of a row, as `readable` gives it, that follows one with this hash."""
    return sha256((before + canonical(row)).encode("ascii")).hexdigest()


def canonical(value: object) -> str:
    """The one JSON of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
