"""What values of columns say of people, as somebody answered it: remembered for the next sheets.

An answer is found again by the column's title and the value, so a new value is asked about. A title of one
word or with a number, such as "Code" or "Custom 1", means something else in every program: it is found again
only in sheets with exactly the same columns. Nothing personal is remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, select

from dashboard.arguments import checks_methods
from dashboard.contacts import DATE, ColumnMap, Sheet, header_signature
from dashboard.contacts.columns.questions import MEANINGS, MUST_NOT, OTHERS, REFUSALS, question_of, value_of
from dashboard.contacts.words.spelling import joined, normalise, split_words
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.writing import upsert

_table = schema.remembered_columns
_KIND = "="
"""What keys of answers begin with; those of sheets are digests."""
_UNTITLED = re.compile(r"column \d+")
"""What `read_sheet` calls a column without a title."""
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
class ColumnAnswers(Part):
    """The answers that a ledger remembers, for everybody who uses it.

    Example:
        >>> columns = ledger.column_answers.recall(sheet, guess_columns(sheet))
        >>> columns = columns.answered({"MKT_SUPP_IND": {"Y": "must_not", "N": "nothing"}})
        >>> ledger.column_answers.remember(sheet, columns, who="ann@example.com")
    """

    def recall(self, sheet: Sheet, guessed: ColumnMap, chosen: ColumnMap | None = None) -> ColumnMap:
        """The columns with their open questions answered as they were before; a new value stays open.

        Args:
            sheet: The sheet.
            guessed: What `guess_columns` made of it.
            chosen: The same with what a person chose; the guess if left out.
        """
        found = self.known(sheet, guessed, chosen)
        return (chosen or guessed).answered(
            {column: {value: one.meaning for value, one in by.items()} for column, by in found.items()}
        )

    def known(
        self, sheet: Sheet, guessed: ColumnMap, chosen: ColumnMap | None = None
    ) -> dict[str, dict[str, RememberedAnswer]]:
        """What is remembered of the columns' open questions, by column and value; see `recall`.

        Also of columns that are guessed to say it themselves, if somebody must not be texted by what is
        remembered: with other cells a column that was asked about once may look like one.
        """
        columns = chosen or guessed
        asked = [one.column for one in columns.questions]
        unchosen = guessed.roles.items() & columns.roles.items()
        frame = sheet.with_left_out_rows()[0]
        told = (
            question_of(column, frame[column], columns.answers.get(column, {}), most=len(frame))
            for column in (*asked, *(column for column, _role in unchosen))
        )
        keys = {one.column: _keys(sheet, one.column, one.values) for one in told}
        with self._database.read() as connection:
            found = _by_key(connection)
        known = {
            column: {value: found[key] for value, key in of_values.items() if key in found}
            for column, of_values in keys.items()
        }
        return {
            column: answers
            for column, answers in known.items()
            if column in asked or any(one.meaning == MUST_NOT for one in answers.values())
        }

    def remember(
        self,
        sheet: Sheet,
        columns: ColumnMap,
        *,
        who: str,
        earlier: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Remember the answers that were given, and forget what they contradict where they cannot be kept.

        What may be personal is not kept: nothing of a column with such a value, and no words that only one
        row has. Neither is one spelling that was answered in two ways.

        Args:
            sheet: The sheet.
            columns: Its columns with all answers.
            who: Who gave them.
            earlier: Answers, by column and value, that nobody gave now: as long as they stay as they are they
                change nothing, and one that is gone was taken back, so it is forgotten. Of a column with too
                many values to list that is only one that is asked about again.
        """
        earlier = earlier or {}
        given: dict[str, _Given] = {}
        for column in {**earlier, **columns.answers}:
            given |= _given(sheet, columns, column, earlier.get(column, {}))
        with self._database.write() as connection:
            serialize(connection, Advisory.SETTINGS)
            found = _by_key(connection)
            for key, (said, contrary) in given.items():
                before = found[key].meaning if key in found else None
                if said is not None and said["meaning"] != before:
                    row = {"signature": key, "columns": json.dumps({**said, "who": who})}
                    upsert(connection, _table, {**row, "used_at": self._now()})
                elif said is None and before in contrary:
                    connection.execute(delete(_table).where(_table.c.signature == key))

    def all(self) -> list[RememberedAnswer]:
        """Everything that is remembered, by column and value."""
        with self._database.read() as connection:
            found = _by_key(connection).values()
        return sorted(found, key=lambda one: (one.column.casefold(), one.value.casefold(), one.key))

    def forget(self, key: str) -> None:
        """Forget an answer, so that it is asked again; drafts and saved lists that have it keep it."""
        with self._database.write() as connection:
            gone = connection.execute(delete(_table).where(_table.c.signature == key))
            if gone.rowcount:
                append(connection, "setting", "remembered answer", self._now())


def _by_key(connection: Connection) -> dict[str, RememberedAnswer]:
    rows = connection.execute(select(_table).where(_table.c.signature.startswith(_KIND)))
    return {
        row.signature: RememberedAnswer(row.signature, **json.loads(row.columns), at=row.used_at)
        for row in rows
    }


_Given = tuple[dict[str, Any] | None, set[str]]
"""What is to be kept of an answer, None if it cannot be; and the meanings that it contradicts."""


def _given(sheet: Sheet, columns: ColumnMap, column: str, earlier: Mapping[str, str]) -> dict[str, _Given]:
    """What was said now of a column's values, by their keys; nothing of those that stay as they were."""
    now = columns.answers.get(column, {})
    left = _left(columns, column)
    lists_all = {OTHERS, REFUSALS}.isdisjoint({*now, *left})
    spellings: dict[str, list[str]] = {}
    for value, key in _keys(sheet, column, {**earlier, **now}).items():
        spellings.setdefault(key, []).append(value)
    personal, is_bare = _personal(sheet, columns, column), _is_bare(column)
    given = {}
    for key, values in spellings.items():
        if all(earlier.get(value) == now.get(value) for value in values):
            continue
        if not lists_all and {*now, *left}.isdisjoint(values):  # it was not drawn
            continue
        meanings = {now[value] for value in values if value in now}
        taken_back = {earlier[value] for value in values if value not in now}
        said = None
        if len(meanings) == 1 and not taken_back and not personal.intersection(values):
            (meaning,) = meanings
            said = {"column": column, "value": values[-1], "meaning": meaning, "same_columns": is_bare}
        contrary = taken_back | {one for one in MEANINGS if meanings - {one}}
        given[key] = said, contrary
    return given


def _personal(sheet: Sheet, columns: ColumnMap, column: str) -> set[str]:
    """The values of a column of which nothing is kept: all of them if one may hold a number or an address."""
    values = {*columns.answers.get(column, ())}
    if any(map(_may_be_personal, values | _left(columns, column))):
        return values
    words = {value for value in values if value != DATE and len(value.split()) > 1}
    if not words or column not in sheet.frame:
        return words
    rows = sheet.frame[column].map(value_of).value_counts()
    return {value for value in words if rows.get(value, 0) <= 1}


def _left(columns: ColumnMap, column: str) -> set[str]:
    """The values that are asked about still."""
    return {value for one in columns.questions if one.column == column for value in one.values}


def _keys(sheet: Sheet, column: str, values: Iterable[str]) -> dict[str, str]:
    """The key of each value; none if this column cannot be told from others."""
    scope = header_signature(sheet) if _is_bare(column) else ""
    if scope is None or _has_number(column) or _UNTITLED.fullmatch(column):
        return {}
    title = joined(column) or column
    return {value: _KIND + _digest(scope, title, _folded(value)) for value in values}


def _is_bare(title: str) -> bool:
    """Whether a title is one word or has a number, and so does not say what its column is about."""
    if any(map(str.isdigit, title)):
        return True
    pieces = [piece for group in split_words(title) for piece in group]
    return sum(len(piece) > 1 for piece in pieces) < 2  # noqa: PLR2004


def _folded(value: str) -> str:
    """A value in one spelling; signs and digits are kept: "-1" is yes in Access, and 1 is something else."""
    return normalise(value) if value.replace(" ", "").isalpha() else value.casefold()


def _may_be_personal(value: str) -> bool:
    return value in {OTHERS, REFUSALS} or len(value) > _LONGEST or _has_number(value)


def _has_number(text: str) -> bool:
    """Whether a text holds a phone, an id or an e-mail address."""
    return "@" in text or sum(map(str.isdigit, text)) >= _DIGITS


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:-1]
