"""Who did what and when, to be read, checked and taken along."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import Row, Select, func, select

from dashboard.arguments import as_json, checks_methods
from dashboard.campaigns.when.moments import Moment, moment
from dashboard.contacts import write_csv
from dashboard.errors import LedgerError
from dashboard.ledger.audit.chain import Detail, append, canonical
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.audit.verifying import Verified, readable_as_stored, stored_rows, verify
from dashboard.ledger.database import schema
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.column_types import as_stored
from dashboard.ledger.frames.typed import frame
from dashboard.output import whole
from dashboard.words import _

_audit = schema.audit.c


@checks_methods()
class AuditTrail(Part):
    """The audit trail of a ledger: rows that are added and never change.

    Example:
        >>> ledger.audit.entries(what="start")[["at", "who", "about"]]
        >>> ledger.audit.verify().holds
        True
    """

    def tell(
        self, verb: Verb, about: str, details: Mapping[str, Detail] | None = None, *, who: str | None = None
    ) -> None:
        """Add a row about what was done outside the ledger, such as a file that was handed out.

        Args:
            verb: What was done.
            about: The id of what it was done to.
            details: A few facts more: numbers, ids and our own words.
            who: Who did it; whoever is acting, or else the system's user, if left out.

        Raises:
            OptionError: JSON cannot hold the details.
        """
        plain: dict[str, Detail] = json.loads(as_json("details", dict(details or {})))
        with self._database.write() as connection:
            append(connection, verb, about, self._now(), who=who, details=plain)

    def entries(
        self,
        *,
        who: str | None = None,
        what: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        limit: int | None = None,
        skip: int = 0,
    ) -> pd.DataFrame:
        """One row per thing that was done, the newest first.

        Args:
            who: Only what this person did.
            what: Only this verb.
            since: Only from this time on.
            until: Only before this time.
            limit: At most this many.
            skip: Leave out this many of the newest.
        """
        columns = as_stored(schema.audit, "number", "at", "who", "what", "about", "details", "hash")
        query = _chosen(select(*columns), who, what, since, until)
        query = query.order_by(_audit.number.desc()).limit(limit).offset(skip)
        with self._database.read() as connection:
            return frame("Ledger.audit.entries(...)", connection.execute(query))

    def count(
        self,
        *,
        who: str | None = None,
        what: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> int:
        """How many `entries` there are in all."""
        query = _chosen(select(func.count(_audit.number)), who, what, since, until)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def people(self) -> list[str]:
        """Everybody who did something, by name."""
        query = select(_audit.who).distinct().order_by(_audit.who)
        with self._database.read() as connection:
            return list(connection.execute(query).scalars())

    def verify(self, kept: str | None = None) -> Verified:
        """Check that every row follows from the one before it.

        Args:
            kept: A hash that was the last one earlier, kept elsewhere.
        """
        with self._database.read() as connection:
            return verify(connection, kept)

    def write(self, target: str | Path) -> int:
        """Write the whole trail to a file, replacing an existing one; returns how many rows.

        Args:
            target: Ends in `.csv`, or in `.jsonl`: a row per line, from which its hash can be worked out.

        Raises:
            LedgerError: It ends otherwise.
            OutputError: It cannot be written.
        """
        path = Path(target)
        if path.suffix.lower() == ".csv":
            found = self.entries()
            write_csv(found.iloc[::-1], path)
            return len(found)
        if path.suffix.lower() != ".jsonl":
            raise LedgerError(_("The history is written as .csv or .jsonl. Choose one of these endings."))
        rows = 0
        with (
            whole(path) as part,
            part.open("w", encoding="ascii") as lines,
            self._database.read() as connection,
        ):
            for row in stored_rows(connection):
                lines.write(f"{_line(row)}\n")
                rows += 1
        return rows


def _line(row: Row[Any]) -> str:
    """A row as canonical JSON with its hash; one that somebody spoilt as it is, for `verify` to point out."""
    found = readable_as_stored(row)
    spoilt = {name: str(value) for name, value in row._asdict().items()}
    return canonical(spoilt if found is None else {**found, "hash": row.hash})


def _chosen(
    query: Select[*tuple[Any, ...]],
    who: str | None,
    what: str | None,
    since: Moment | None,
    until: Moment | None,
) -> Select[*tuple[Any, ...]]:
    if who is not None:
        query = query.where(_audit.who == who)
    if what is not None:
        query = query.where(_audit.what == what)
    if since is not None:
        query = query.where(_audit.at >= moment("since", since))
    if until is not None:
        query = query.where(_audit.at < moment("until", until))
    return query
