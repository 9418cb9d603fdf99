"""Lengths of many texts at once, as the service and as carriers count them.

A text's measures are the sums of its pieces' measures. So a campaign measures the short columns that fill its
template and adds them up, instead of reading a million whole texts again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from smsutil.codecs import GSM_BASIC_CHARSET, GSM_EXT_CHARSET

from dashboard.campaigns.length.alphabet import is_ascii, uncommon_bytes

# smsutil counts the escape that precedes an extension character as a letter; nobody types it.
GSM_BASIC = frozenset(GSM_BASIC_CHARSET) - {"\x1b"}
GSM_EXTENSION = frozenset(GSM_EXT_CHARSET)
GSM = GSM_BASIC | GSM_EXTENSION

_PLAIN_BYTES = frozenset(ord(c) for c in GSM_BASIC if c.isascii())
_FIRST_BYTES_OF_EXTENDED = frozenset(c.encode()[0] for c in GSM_EXTENSION)
_FIRST_BYTES_OF_ASTRAL = frozenset(range(0xF0, 0xF5))


def _any_of(characters: frozenset[str], *, but: bool = False) -> str:
    return "[" + "^" * but + "".join(re.escape(c) for c in sorted(characters)) + "]"


ANY_GSM = _any_of(GSM) + "+"
_OUTSIDE_GSM = _any_of(GSM, but=True)
_EXTENDED = _any_of(GSM_EXTENSION)
_ASTRAL = r"[\x{10000}-\x{10FFFF}]"

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Measures:
    """What each text contains, in numbers. Arrays of equal length, or of length 1 if all texts agree.

    `characters`: code points. `extended`: GSM extension characters among them, two units each in GSM-7.
    `astral`: characters beyond U+FFFF, two units each in UCS-2. `outside_gsm`: whether any character is
    outside GSM-7.
    """

    characters: Ints
    extended: Ints
    astral: Ints
    outside_gsm: Bools

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.characters + other.characters,
            self.extended + other.extended,
            self.astral + other.astral,
            self.outside_gsm | other.outside_gsm,
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The measures of several columns, each of its column's length, one after the other."""
        return cls(*map(np.concatenate, zip(*(part.arrays() for part in parts), strict=True)))

    def at(self, rows: Ints) -> Self:
        """The measures of these texts, in this order."""
        return type(self)(*(array if len(array) == 1 else array.take(rows) for array in self.arrays()))

    def where(self, chosen: Bools) -> Self:
        """These measures for the chosen texts, zero for the others."""
        return type(self)(*(array * chosen for array in self.arrays()))

    def of_length(self, length: int) -> Self:
        """The same, with all arrays of this length."""
        return type(self)(*(np.broadcast_to(array, length) for array in self.arrays()))

    def arrays(self) -> list[npt.NDArray[Any]]:
        """The measures in their order."""
        return [getattr(self, field.name) for field in fields(self)]


def measure(texts: pa.Array) -> Measures:
    """Measure a column of normalised texts; a missing text counts as empty."""
    uncommon = uncommon_bytes(texts)
    characters = pc.binary_length(texts) if is_ascii(uncommon) else pc.utf8_length(texts)
    return Measures(
        ints(pc.fill_null(characters, 0)),
        _count(texts, _EXTENDED, is_possible=bool(uncommon & _FIRST_BYTES_OF_EXTENDED)),
        _count(texts, _ASTRAL, is_possible=bool(uncommon & _FIRST_BYTES_OF_ASTRAL)),
        _count(texts, _OUTSIDE_GSM, is_possible=not uncommon <= _PLAIN_BYTES) > 0,
    )


def ints(column: pa.Array) -> Ints:
    """A column of whole numbers, none missing, as int64."""
    return np.asarray(column.to_numpy(zero_copy_only=False), np.int64)


def _count(texts: pa.Array, pattern: str, *, is_possible: bool) -> Ints:
    if not is_possible:
        return np.zeros(1, np.int64)
    return ints(pc.fill_null(pc.count_substring_regex(texts, pattern), 0))
