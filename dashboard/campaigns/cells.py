"""The cells of the sheet's columns as they are inserted: trimmed, in NFC, and measured. Each is read once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.alphabet import never_composes, uncommon_bytes
from dashboard.campaigns.measures import Bools, Ints, Measures, measure
from dashboard.campaigns.normal import as_text_column, begins_composing, normal_column
from dashboard.contacts.answers import says_yes

YES, NO, UNCLEAR = 1, 0, -1

_SAMPLE = 4096
_REPEATED_OFTEN = 8


@dataclass(frozen=True)
class Values:
    """A column of cells, spaces around them taken away, in NFC with LF.

    Attributes:
        texts: The cells as large strings; blank ones are "".
        measures: Their lengths.
        blank: Which of them are blank.
        uncommon: The uncommon bytes among them; see `uncommon_bytes`.
        melts: Whether any of them may melt into what stands before it.
    """

    texts: pa.Array
    measures: Measures
    blank: Bools
    uncommon: frozenset[int]
    melts: bool

    def at(self, rows: Ints | pa.Array) -> Self:
        """The values of these rows, in this order."""
        numbers = pa.array(rows)
        places = numbers.to_numpy()
        texts = self.texts.take(numbers)
        return replace(self, texts=texts, measures=self.measures.at(places), blank=self.blank.take(places))

    def or_else(self, fallback: str) -> Self:
        """The same with this text, already normal, in place of blank cells."""
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


class Cells:
    """The columns of a frame of contacts, each read when it is asked for, and once."""

    def __init__(self, contacts: pd.DataFrame) -> None:
        self._contacts = contacts
        self._read: dict[str, Values] = {}

    def __len__(self) -> int:
        return len(self._contacts)

    def __getitem__(self, column: str) -> Values:
        if column not in self._read:
            self._read[column] = read_values(self._contacts[column])
        return self._read[column]

    def answers(self, column: str) -> npt.NDArray[np.int8]:
        """Whether each cell says yes: YES, NO (blank counts as no) or UNCLEAR."""
        encoded = self[column].texts.dictionary_encode()
        by_cell = np.array([_answer(cell) for cell in encoded.dictionary.to_pylist()], np.int8)
        answers: npt.NDArray[np.int8] = by_cell[encoded.indices.to_numpy()]
        return answers


def _answer(cell: str) -> int:
    answer = says_yes(cell) if cell else False
    return UNCLEAR if answer is None else int(answer)


def constant(text: str) -> Values:
    """One text, already normal, that stands for a whole column."""
    return _values(pa.array([text], pa.large_string()))


def read_values(column: pd.Series) -> Values:
    """Read a column of any dtype as text. What is read are its distinct cells where they repeat often."""
    texts = as_text_column(column)
    if not _repeats(texts):
        return _values(_tidy(texts))
    encoded = texts.dictionary_encode(null_encoding="encode")
    return _values(_tidy(encoded.dictionary)).at(encoded.indices)


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
