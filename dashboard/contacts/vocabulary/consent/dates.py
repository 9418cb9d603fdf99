"""Cells that are a date, in whichever spelling: "2024-05-01", "5 May 2024", "1714550400"."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

__all__ = ["agreed_on", "is_date"]

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_TIME = re.compile(r"[T ]\d{1,2}:\d{2}.*")
_DATE = re.compile(r"\s*(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{8}(?:\d{6})?|\d{10}|\d{13})(?:\D.*)?", re.DOTALL)
_YEAR = re.compile(r"(?:\b|\D)(?:19|20)\d\d(?:\D|$)")
_DAY_OR_MONTH = re.compile(r"\b\d{1,2}\b|[^\W\d_]{3,}")
_LONGEST_DATE = 40
"""Characters; what is longer is a sentence."""


def agreed_on(cell: str, today: date | None = None) -> bool:
    """Whether a cell is a date that is not in the future, in whichever order day and month come.

    Example:
        >>> agreed_on("2024-05-01"), agreed_on("05/31/2024 10:00"), agreed_on("yes")
        (True, True, False)
    """
    text = _TIME.sub("", cell.strip())
    first, last = _YEAR_FIRST.fullmatch(text), _YEAR_LAST.fullmatch(text)
    if first:
        orders = [first.groups()]
    elif last:
        one, other, year = last.groups()
        orders = [(year, one, other), (year, other, one)]
    else:
        return False
    days = [day for order in orders if (day := _day(*map(int, order))) is not None]
    return bool(days) and max(days) <= (today or datetime.now(UTC).date())


def is_date(cell: str) -> bool:
    """Whether a cell is a date in whichever spelling, past or not: "5 May 2024", "01/05/24", "1714550400".

    Example:
        >>> [is_date(cell) for cell in ("May 1, 2024", "2024-05-01T10:00Z", "3 parcels")]
        [True, True, False]
    """
    if len(cell) > _LONGEST_DATE:
        return False
    return bool(_DATE.fullmatch(cell) or (_YEAR.search(cell) and _DAY_OR_MONTH.search(_YEAR.sub(" ", cell))))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
