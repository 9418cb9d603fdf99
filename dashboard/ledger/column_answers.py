"""What values of columns say of people, as somebody answered it: remembered for the next sheets.

An answer is found again by the column's title and the value, so a new value is asked about. A title of one
word, such as "Code", means something else in every program: it is found again only in sheets with exactly the
same columns. Nothing personal is remembered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, select

from dashboard.arguments import checks_methods
from dashboard.contacts import ColumnMap, Sheet, header_signature
from dashboard.contacts.vocabulary.known_words.spelling import joined, normalise, split_words
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.writing import upsert

_table = schema.remembered_columns
_KIND = "="
"""What keys of answers begin with; those of sheets are digests."""
_LONGEST = 30
_DIGITS = 7
"""So many make a phone, an id or a date of birth."""


@dataclass(frozen=True)
class RememberedAnswer:
    """What a value of a column says of people.

    Attributes:
        key: Names it.
        column: The column's title, as it was when the answer was given.
        value: The value; "" is a blank cell and `DATE` any date.
        meaning: "may" (be texted), "must_not" or "nothing".
        same_columns: Whether it counts only in sheets with exactly the same columns.
        who: Who said so last.
        at: When, in UTC.
    """

    key: str
    column: str
    value: str
    meaning: str
    same_columns: bool
    who: str
    at: datetime


@checks_methods()
class ColumnAnswers:
    """The answers that a ledger remembers, for everybody who uses it.

    Example:
        >>> columns = ledger.column_answers.recall(sheet, guess_columns(sheet))
        >>> columns = columns.answered({"MKT_SUPP_IND": {"Y": "must_not", "N": "nothing"}})
        >>> ledger.column_answers.remember(sheet, columns, who="ann@example.com")
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def recall(self, sheet: Sheet, columns: ColumnMap) -> ColumnMap:
        """The columns with their open questions answered as they were before; a new value stays open."""
        found = self.known(sheet, columns)
        return columns.answered(
            {column: {value: one.meaning for value, one in by.items()} for column, by in found.items()}
        )

    def known(self, sheet: Sheet, columns: ColumnMap) -> dict[str, dict[str, RememberedAnswer]]:
        """What is remembered of the columns' open questions, by column and value."""
        keys = {one.column: _keys(sheet, one.column, one.values) for one in columns.questions}
        found = self._find({key for of_values in keys.values() for key in of_values.values()})
        return {
            column: {value: found[key] for value, key in of_values.items() if key in found}
            for column, of_values in keys.items()
        }

    def remember(self, sheet: Sheet, columns: ColumnMap, *, who: str) -> None:
        """Remember the columns' answers; not those of a column of which a value may be personal."""
        given: dict[str, RememberedAnswer] = {}
        for column, meanings in columns.answers.items():
            left = [value for one in columns.questions if one.column == column for value in one.values]
            if not any(map(_may_be_personal, [*meanings, *left])):
                given |= _answers(sheet, column, meanings, who, self._now())
        before = {key: one.meaning for key, one in self._find(given).items()}
        changed = [one for key, one in given.items() if before.get(key) != one.meaning]
        if changed:
            with self._database.write() as connection:
                for one in changed:
                    upsert(connection, _table, _row(one))

    def all(self) -> list[RememberedAnswer]:
        """Everything that is remembered, by column and value."""
        with self._database.read() as connection:
            rows = connection.execute(select(_table).where(_table.c.signature.startswith(_KIND)))
            found = [
                RememberedAnswer(row.signature, **json.loads(row.columns), at=row.used_at) for row in rows
            ]
        return sorted(found, key=lambda one: (one.column.casefold(), one.value.casefold(), one.key))

    def forget(self, key: str) -> None:
        """Forget an answer, so that it is asked again; drafts and saved lists that have it keep it."""
        with self._database.write() as connection:
            gone = connection.execute(delete(_table).where(_table.c.signature == key))
            if gone.rowcount:
                append(connection, "setting", "remembered answer", self._now())

    def _find(self, keys: Collection[str]) -> dict[str, RememberedAnswer]:
        return {one.key: one for one in self.all() if one.key in keys} if keys else {}


def _answers(
    sheet: Sheet, column: str, meanings: Mapping[str, str], who: str, at: datetime
) -> dict[str, RememberedAnswer]:
    """A column's answers by their keys; without values of one spelling that were answered differently."""
    keys = _keys(sheet, column, meanings)
    told: dict[str, set[str]] = {}
    for value, key in keys.items():
        told.setdefault(key, set()).add(meanings[value])
    return {
        key: RememberedAnswer(key, column, value, meanings[value], _is_bare(column), who, at)
        for value, key in keys.items()
        if len(told[key]) == 1
    }


def _row(one: RememberedAnswer) -> dict[str, Any]:
    said = {name: value for name, value in asdict(one).items() if name not in {"key", "at"}}
    return {"signature": one.key, "columns": json.dumps(said), "used_at": one.at}


def _keys(sheet: Sheet, column: str, values: Iterable[str]) -> dict[str, str]:
    """The key of each value; none if this column cannot be told from others."""
    scope = header_signature(sheet) if _is_bare(column) else ""
    if scope is None or _has_number(column):
        return {}
    title = joined(column) or column
    return {value: _KIND + _digest(scope, title, _folded(value)) for value in values}


def _is_bare(title: str) -> bool:
    """Whether a title is one word, and so too little to say what its column is about."""
    pieces = [piece for group in split_words(title) for piece in group]
    return sum(len(piece) > 1 and not piece.isdigit() for piece in pieces) < 2  # noqa: PLR2004


def _folded(value: str) -> str:
    """A value in one spelling; signs and digits are kept: "-1" is yes in Access, and 1 is something else."""
    return normalise(value) if value.replace(" ", "").isalpha() else value.casefold()


def _may_be_personal(value: str) -> bool:
    return len(value) > _LONGEST or _has_number(value)


def _has_number(text: str) -> bool:
    """Whether a text holds a phone, an id or an e-mail address."""
    return "@" in text or sum(map(str.isdigit, text)) >= _DIGITS


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:-1]
