"""The cells of the sheet's columns as they are inserted: trimmed, in NFC, and measured. Each is read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.length.alphabet import never_composes, uncommon_bytes
from dashboard.campaigns.length.measures import Bools, Ints, Measures, measure
from dashboard.campaigns.length.normal import as_text_column, begins_composing, normal_column
from dashboard.campaigns.text.fillers import holds_names, without_fillers
from dashboard.contacts.words.answers import says_yes

YES, NO, UNCLEAR = 1, 0, -1
Answers = npt.NDArray[np.int8]

_SAMPLE = 4096
_REPEATED_OFTEN = 8


@dataclass(frozen=True)
class Values:
    """A column of cells, trimmed, in NFC with LF.

    Attributes:
        texts: The cells as large strings; blank ones are "".
        measures: Their lengths.
        blank: Which of them are blank.
        uncommon: The uncommon bytes among them; see `uncommon_bytes`.
        melts: Whether any of them may combine with the text before it.
    """

    texts: pa.Array
    measures: Measures
    blank: Bools
    uncommon: frozenset[int]
    melts: bool

    def at(self, rows: Ints) -> Self:
        """The values of these rows, in this order."""
        texts = self.texts.take(pa.array(rows))
        return replace(self, texts=texts, measures=self.measures.at(rows), blank=self.blank.take(rows))

    def or_else(self, fallback: str) -> Self:
        """The same with this text, already normalised, in place of blank cells."""
        if not self.blank.any():
            return self
        other = constant(fallback)
        return type(self)(
            texts=pc.if_else(pa.array(self.blank), other.texts[0], self.texts),
            measures=self.measures + other.measures.where(self.blank),
            blank=self.blank & other.blank,
            uncommon=self.uncommon | other.uncommon,
            melts=self.melts or other.melts,
        )


@dataclass(frozen=True)
class Column:
    """A column of the contacts: a value for each row, or the distinct ones and each row's place in them."""

    values: Values
    places: Ints | None

    def fill(self, fallback: str, rows: Ints | None) -> Values:
        """The values in these rows (None: in all), with the fallback in place of blank cells."""
        values = self.values.or_else(fallback) if fallback else self.values
        if self.places is None:
            return values if rows is None else values.at(rows)
        return values.at(self.places if rows is None else self.places[rows])

    def answers(self) -> Answers:
        """Whether each row says yes: YES, NO (blank counts as no) or UNCLEAR."""
        encoded = self.values.texts.dictionary_encode()
        by_cell = np.array([_answer(cell) for cell in encoded.dictionary.to_pylist()], np.int8)
        answers: Answers = by_cell[encoded.indices.to_numpy()]
        return answers if self.places is None else answers[self.places]


class Cells:
    """The columns of a frame of contacts, each read once, when it is first needed.

    Where they hold names, fillers such as N/A are blank; `meaning` is what somebody confirmed of the columns.
    """

    def __init__(self, contacts: pd.DataFrame, meaning: Mapping[str, str] | None = None) -> None:
        self._contacts = contacts
        self._meaning = meaning
        self._read: dict[str, Column] = {}

    def __len__(self) -> int:
        return len(self._contacts)

    def __getitem__(self, column: str) -> Column:
        if column not in self._read:
            tidy = _name if holds_names(column, self._meaning) else _tidy
            self._read[column] = _read_column(self._contacts[column], tidy)
        return self._read[column]


def _answer(cell: str) -> int:
    answer = says_yes(cell) if cell else False
    return UNCLEAR if answer is None else int(answer)


def constant(text: str) -> Values:
    """One text, already normalised, standing for a whole column."""
    return _values(pa.array([text], pa.large_string()))


def _read_column(cells: pd.Series, tidy: Callable[[pa.Array], pa.Array]) -> Column:
    """Read a column of any dtype as text."""
    texts = as_text_column(cells)
    if not _repeats(texts):
        return Column(_values(tidy(texts)), None)
    encoded = texts.dictionary_encode(null_encoding="encode")
    return Column(_values(tidy(encoded.dictionary)), encoded.indices.to_numpy())


def _name(texts: pa.Array) -> pa.Array:
    return without_fillers(_tidy(texts))


def _tidy(texts: pa.Array) -> pa.Array:
    return pc.fill_null(normal_column(pc.utf8_trim_whitespace(texts)), "")


def _repeats(texts: pa.Array) -> bool:
    """Whether cells repeat so often that finding the distinct ones pays, judged by the first few thousand."""
    sample = texts.slice(0, _SAMPLE)
    return bool(pc.count_distinct(sample, mode="all").as_py() * _REPEATED_OFTEN < len(sample))


def _values(texts: pa.Array) -> Values:
    uncommon = uncommon_bytes(texts)
    return Values(
        texts=texts,
        measures=measure(texts),
        blank=pc.equal(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False),
        uncommon=uncommon,
        melts=not never_composes(uncommon) and begins_composing(texts),
    )
