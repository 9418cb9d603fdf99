"""Lengths of many texts at once, as the service and as carriers count them.

A text's measures are the sums of its pieces' measures. So a campaign measures the short columns that fill its
template and adds, instead of reading a million whole texts again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from smsutil.codecs import GSM_BASIC_CHARSET, GSM_EXT_CHARSET

from dashboard.campaigns.alphabet import FIRST_NON_ASCII_BYTE, uncommon_bytes

# smsutil counts the escape that announces an extension character as a letter; nobody types it.
GSM_BASIC = frozenset(GSM_BASIC_CHARSET) - {"\x1b"}
GSM_EXTENSION = frozenset(GSM_EXT_CHARSET)
GSM = GSM_BASIC | GSM_EXTENSION

_PLAIN_BYTES = frozenset(ord(c) for c in GSM_BASIC if c.isascii())


def _any_of(characters: frozenset[str], *, but: bool = False) -> str:
    return "[" + "^" * but + "".join(re.escape(c) for c in sorted(characters)) + "]"


_OUTSIDE_GSM = _any_of(GSM, but=True)
_EXTENDED = _any_of(GSM_EXTENSION)
_ASTRAL = r"[\x{10000}-\x{10FFFF}]"

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Measures:
    """Per text (arrays of one length): how much there is of what.

    `characters`: code points. `extended`: GSM extension characters among them, two units each in GSM-7.
    `astral`: characters beyond U+FFFF, two units each in UCS-2. `outside_gsm`: whether any is outside GSM-7.
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


def measure(texts: pa.Array) -> Measures:
    """Measure a column of normal texts; a missing text counts as empty."""
    characters = _ints(pc.fill_null(pc.utf8_length(texts), 0))
    extended = np.zeros(len(texts), np.int64)
    astral = np.zeros(len(texts), np.int64)
    outside = np.zeros(len(texts), bool)
    rows = _rows_to_read(texts)
    if len(rows):
        read = texts.take(pa.array(rows))
        extended[rows] = _ints(pc.count_substring_regex(read, _EXTENDED))
        astral[rows] = _ints(pc.count_substring_regex(read, _ASTRAL))
        outside[rows] = pc.match_substring_regex(read, _OUTSIDE_GSM).to_numpy(zero_copy_only=False)
    return Measures(characters, extended, astral, outside)


def _rows_to_read(texts: pa.Array) -> Ints:
    """Rows that may hold something beside the plain GSM letters of ASCII; mostly few."""
    odd = uncommon_bytes(texts) - _PLAIN_BYTES
    if not odd:
        return np.empty(0, np.int64)
    unusual = pc.is_valid(texts)
    if min(odd) >= FIRST_NON_ASCII_BYTE:
        unusual = pc.and_kleene(unusual, pc.invert(pc.string_is_ascii(texts)))
    return np.flatnonzero(unusual.to_numpy(zero_copy_only=False))


def _ints(column: pa.Array) -> Ints:
    return np.asarray(column.to_numpy(zero_copy_only=False), np.int64)
