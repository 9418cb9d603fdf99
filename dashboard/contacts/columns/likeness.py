"""Whether the cells of a column look like phones."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["looks_like_phones", "phone_share"]

_SHAPE = re.compile(r"""['"=]*\+?[\d\s().\-/]{7,24}"?(?:\.0)?""")
_DATE_SHAPE = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{4}\b")
_TELLING = re.compile(r"^['\"=]*(?:\+|0|\(0|\(\d{3}\))|\d[\s\-]\d{3}[\s\-]\d{3,4}$|E\+?\d\d$")
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
_MOST = 0.5


def phone_share(cells: Sequence[str]) -> float:
    """Share of the cells that are shaped like a phone: 7 to 15 digits, not a date."""
    return sum(map(_is_shaped, cells)) / len(cells) if cells else 0.0


def looks_like_phones(cells: Sequence[str]) -> bool:
    """Whether a column without a clear header is phones: most cells look it, some have a + or a leading 0.

    Ids and barcodes have as many digits, but neither.
    """
    telling = sum(1 for cell in cells if _TELLING.search(cell))
    return phone_share(cells) >= _MOST and telling >= _MOST * len(cells)


def _is_shaped(cell: str) -> bool:
    if not _SHAPE.fullmatch(cell) or _DATE_SHAPE.match(cell):
        return False
    return _FEWEST_DIGITS <= sum(map(str.isdecimal, cell)) <= _MOST_DIGITS
