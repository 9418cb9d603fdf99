"""The last row and column in a piece of a worksheet's XML, from all its tags at once.

Nearly all programs write `<row r="7"` and `<c r="C7"`, so the numbers are at known places after each tag and
NumPy reads them together, a hundred times faster than tag by tag. If even one tag is written differently,
this says so, and nothing is guessed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["FAR", "last_used"]

FAR = 10**7
"""Stands for any row or column with more digits or letters than a worksheet can have."""

_PREFIXED = re.compile(rb":(?:c|row)[\s/>]")  # a tag with a namespace's prefix
_ROW, _CELL = b'<row r="', b'<c r="'


class Signs(NamedTuple):
    """A way to write numbers: the lowest sign, its value, how many signs there are, and the most at once."""

    lowest: int
    first: int
    base: int
    most: int


_DIGITS = Signs(ord("0"), 0, 10, 8)
_LETTERS = Signs(ord("A"), 1, 26, 4)
_PADDING = bytes(32)  # so that looking after the last tag stays within bounds

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]


def last_used(xml: bytes) -> tuple[int, int] | None:
    """The last row and the last column, counted from 1; 0 where there is none.

    Args:
        xml: A piece of a worksheet that ends at a tag's end.

    Returns:
        None if a row or cell is written in an unusual way.
    """
    if _PREFIXED.search(xml):
        return None
    content = np.frombuffer(xml + _PADDING, np.uint8)
    begins = np.flatnonzero(content == ord("<"))
    first = content[begins + 1]
    cells, rows = begins[first == ord("c")], begins[first == ord("r")]
    cells = cells[~_is_lower(content[cells + 2])]  # no <col>
    rows = rows[(content[rows + 2] == ord("o")) & (content[rows + 3] == ord("w"))]  # no <rPh>
    rows = rows[~_is_lower(content[rows + 4])]
    if not (_all_begin_with(content, rows, _ROW) and _all_begin_with(content, cells, _CELL)):
        return None
    last_row = _largest(content, rows + len(_ROW), _DIGITS, b'"')
    last_column = _largest(content, cells + len(_CELL), _LETTERS, b"0123456789")
    return None if last_row is None or last_column is None else (last_row, last_column)


def _is_lower(content: Bytes) -> npt.NDArray[np.bool_]:
    """Whether a tag's name continues, as `<col` does after `<c`."""
    return (content >= ord("a")) & (content <= ord("z"))


def _all_begin_with(content: Bytes, places: Places, word: bytes) -> bool:
    """Whether all tags, whose first two signs are known, are written like this."""
    rest = list(enumerate(word))[2:]
    return all(bool((content[places + offset] == letter).all()) for offset, letter in rest)


def _largest(content: Bytes, places: Places, signs: Signs, ends: bytes) -> int | None:
    """The largest of the numbers at these places, 0 if there are none.

    Args:
        content: The bytes.
        places: Where the numbers begin.
        signs: How they are written.
        ends: Signs of which one follows each.

    Returns:
        FAR if one has more signs than any worksheet's; None if one is written differently.
    """
    value: npt.NDArray[np.int64] = np.zeros(len(places), np.int64)
    going_on = np.ones(len(places), np.bool_)
    for offset in range(signs.most):
        sign = content[places + offset]
        is_sign = (sign >= signs.lowest) & (sign < signs.lowest + signs.base)
        if not np.isin(sign[going_on & ~is_sign], np.frombuffer(ends, np.uint8)).all():
            return None
        going_on &= is_sign
        if not going_on.any():
            break
        digit = sign.astype(np.int64) - signs.lowest + signs.first
        value = np.where(going_on, value * signs.base + digit, value)
    return FAR if going_on.any() else int(value.max(initial=0))
