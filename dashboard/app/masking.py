"""Phone numbers as people read them who may not see them: `+44••••••3456`. Pure."""

from __future__ import annotations

import re

import pandas as pd

DOT = "•"
SHOWN_DIGITS = 4
FEWEST_HIDDEN = 4
FEWEST_DIGITS = 7
"""Fewer digits make no phone number, and years, prices and dates without separators have fewer than that."""

_TWO_DIGITS = frozenset(
    f"{first}{second}"
    for first, seconds in {
        2: "07",
        3: "0123469",
        4: "013456789",
        5: "12345678",
        6: "0123456",
        8: "1246",
        9: "0123458",
    }.items()
    for second in seconds
)
"""ITU-T E.164: country codes of two digits; 1 and 7 have one, all others three."""

_BETWEEN = r"[\s().\-\u2010-\u2015\u2212\u2060\u200b/]{0,4}"
_NUMBER = re.compile(rf"(\+{_BETWEEN})?\d(?:{_BETWEEN}\d){{{FEWEST_DIGITS - 1},}}")
_DAY = re.compile(r"\d{4}-[01]\d-[0-3]\d(?:[ T][0-2]\d(?::?[0-5]\d){0,2})?")


def masked(text: str) -> str:
    """The text with whatever in it looks like a phone number masked, in any spelling.

    Example:
        >>> masked("Call +44 7400 123456 or 07400-123456")
        'Call +44••••••3456 or •••••••3456'
    """
    return _NUMBER.sub(_mask, text)


def _mask(found: re.Match[str]) -> str:
    if _DAY.fullmatch(found[0]):
        return found[0]
    digits = re.sub(r"\D", "", found[0])
    code = _country_code(digits) if found[1] else ""
    own = digits[len(code) :]
    shown = max(0, min(SHOWN_DIGITS, len(own) - FEWEST_HIDDEN))
    return f"{'+' if found[1] else ''}{code}{DOT * (len(own) - shown)}{own[len(own) - shown :]}"


def _country_code(digits: str) -> str:
    if digits[0] in "17":
        return digits[0]
    return digits[:2] if digits[:2] in _TWO_DIGITS else digits[:3]


OF_OURS = frozenset({"uuid", "campaign", "batch", "list", "hash"})
"""Columns of ids, which may have as many digits and are nobody's number."""


def masked_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the numbers in its texts masked; ids, times and amounts stay as they are."""
    texts = [
        name
        for name, kind in frame.dtypes.items()
        if name not in OF_OURS
        and not pd.api.types.is_numeric_dtype(kind)
        and not pd.api.types.is_datetime64_any_dtype(kind)
    ]
    return frame.assign(**{str(name): _masked_column(frame[name]) for name in texts})


def _masked_column(texts: pd.Series) -> pd.Series:
    as_objects = texts.astype("object")
    words = [masked(each) if isinstance(each, str) else each for each in as_objects]
    column = pd.Series(words, index=texts.index, dtype="object", name=texts.name)
    is_category = isinstance(texts.dtype, pd.CategoricalDtype)
    return column.astype("category" if is_category else texts.dtype)
