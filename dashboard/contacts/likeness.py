"""Do the cells of a column look like phones?"""

from __future__ import annotations

import pandas as pd

__all__ = ["looks_like_phones", "phone_share"]

_SHAPE = r"""^['"=]*\+?[\d\s().\-/]{7,24}"?(?:\.0)?$"""
_DATE_SHAPE = r"^\d{4}-\d\d?-\d\d?|^\d\d?[./-]\d\d?[./-]\d{4}\b"
_TELLING = r"^['\"=]*(?:\+|0|\(0|\(\d{3}\))|\d[\s\-]\d{3}[\s\-]\d{3,4}$|E\+?\d\d$"
_MOST = 0.5


def phone_share(cells: pd.Series) -> float:
    """Share of the cells that have the shape of a phone: 7 to 15 digits, no date."""
    if cells.empty:
        return 0.0
    digits = cells.str.count(r"\d")
    shaped = cells.str.fullmatch(_SHAPE) & digits.between(7, 15) & ~cells.str.contains(_DATE_SHAPE)
    return float(shaped.mean())


def looks_like_phones(cells: pd.Series) -> bool:
    """Whether a column without a telling header is phones: most have the shape, and some a + or leading 0.

    Ids and barcodes have as many digits, but neither.
    """
    return phone_share(cells) >= _MOST and float(cells.str.contains(_TELLING).mean()) >= _MOST
