"""Cells that `repair` returns unchanged, found in whole columns: one by one they would take far longer."""

from __future__ import annotations

from functools import reduce

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.numbers.repair import MOST_CHARACTERS
from dashboard.contacts.numbers.split import MOST_DIGITS

__all__ = ["looks_made_up", "needs_no_repair", "plain_digits", "plain_spaces"]

_SIMPLE = r"^\+?\(?[0-9](?:[0-9 .()-]*[0-9])?$"
_NOT_SIMPLE = (  # simple signs, but perhaps two numbers, a decimal, an amount or a date
    r"[0-9]  +0|^\+?[0-9]{6,15}\.0+$|^\(?(?:0|[1-9][0-9]*)\.[0-9]+$|^\+0\.[0-9]+$"
    r"|^[1-9][0-9]{0,2}(?:\.[0-9]{3}){3,}$"
    r"|^[0-9]{4}[-.][0-9]{1,2}[-.][0-9]{1,2}$|^[0-9]{1,2}[-.][0-9]{1,2}[-.](?:19|20)[0-9]{2}$"
)
_BLANKS = r"[\x{00a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}]"
_HYPHENS = r"[\x{2010}-\x{2015}\x{ff0d}]"
_TAILS = [*(6 * digit for digit in "0123456789"), "345678", "456789", "567890", "456780", "654321", "543210"]
"""Last digits of fillers and of rounded numbers."""


def needs_no_repair(cells: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Which cells `repair` returns unchanged: plain digits, blanks and - . ( ), perhaps after a plus.

    It may miss some, but never names a wrong one.
    """
    simple = pc.and_not(
        pc.match_substring_regex(cells, _SIMPLE), pc.match_substring_regex(cells, _NOT_SIMPLE)
    )
    digits = pc.replace_substring_regex(cells, "[^0-9]", "")
    telling = pa.array(looks_made_up(digits))
    length = pc.binary_length(digits)
    one_number = pc.and_(pc.greater_equal(length, len(_TAILS[0])), pc.less_equal(length, MOST_DIGITS))
    bounded = pc.and_(one_number, pc.less(pc.binary_length(cells), MOST_CHARACTERS))
    sure: npt.NDArray[np.bool_] = pc.and_(pc.and_not(simple, telling), bounded).to_numpy()
    return sure


def plain_digits(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """The digits of cells with nothing else than blanks between them and perhaps a plus; others are missing.

    Most phones are written so. All such cells are among those that need no repair, and this takes a fraction
    of the time that it takes to find those.
    """
    typed = pc.replace_substring(cells, " ", "")
    digits = pc.ascii_ltrim(typed, "+")
    length, plus = pc.binary_length(digits), pc.starts_with(cells, "+")
    begun = pc.add(length, plus.cast(pa.int32()))
    conditions = (
        pc.ascii_is_decimal(digits),
        pc.equal(pc.binary_length(typed), begun),
        pc.greater_equal(length, len(_TAILS[0])),
        pc.less_equal(length, MOST_DIGITS),
        pc.less(pc.binary_length(cells), MOST_CHARACTERS),
        pc.invert(pc.starts_with(cells, "+ ")),
        pc.invert(pc.starts_with(cells, " ")),
        pc.invert(pc.ends_with(cells, " ")),
        pc.invert(pc.match_substring(cells, "  ")),
        pc.invert(pa.chunked_array([pa.array(looks_made_up(digits))])),
    )
    return pc.if_else(reduce(pc.and_, conditions), digits, pa.scalar(None, pa.large_string()))


def plain_spaces(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells as `repair` first reads them: no blanks around, and every blank and hyphen in ASCII."""
    others = pc.invert(pc.string_is_ascii(cells))
    if pc.any(others).as_py():
        spaced = pc.replace_substring_regex(cells.filter(others), _BLANKS, " ")
        hyphened = pc.replace_substring_regex(spaced, _HYPHENS, "-")
        whole = [column.combine_chunks() for column in (cells, others, hyphened)]
        cells = pa.chunked_array([pc.replace_with_mask(*whole)])
    return pc.utf8_trim_whitespace(cells)


def looks_made_up(digits: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Which texts end in digits like those of a filler or a rounded number."""
    tails = pc.utf8_slice_codeunits(digits, -len(_TAILS[0]))
    telling: npt.NDArray[np.bool_] = pc.is_in(tails, pa.array(_TAILS, pa.large_string())).to_numpy()
    return telling
