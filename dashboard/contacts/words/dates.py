"""Cells that are a date, in whichever spelling: "2024-05-01", "5 May 2024", "1714550400"."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime

from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.spelling import normalise

__all__ = ["agreed_on", "is_date", "is_day_alone", "names_day"]

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_TIME = re.compile(r"[T ]\d{1,2}:\d{2}.*")
_DATE = re.compile(r"\s*(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{8}(?:\d{6})?|\d{10}|\d{13})(?:\D.*)?", re.DOTALL)
_YEAR = re.compile(r"(?:\b|\D)(?:19|20)\d\d(?:\D|$)")
_DAY_OR_MONTH = re.compile(r"\b\d{1,2}\b|[^\W\d_]{3,}")
_LONGEST_DATE = 40
"""Characters; what is longer is a sentence."""
_FIGURES = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_OF_CLOCK = re.compile(r"(?<=\d)\s*(?:[ap]\.?m\.?|t|z|utc|gmt)(?![^\W\d_])", re.IGNORECASE)
_ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+(?:[:/]\d+)?")
_STAMPS = {
    8: (1900_01_01, 2100_12_31),
    10: (946_684_800, 2_208_988_800),
    13: (946_684_800_000, 2_208_988_800_000),
    14: (1900_01_01_000000, 2100_12_31_235959),
}
"""By digits, the first and the last that are a time (of Unix, 2000 to 2040): others are ids or phones."""


def agreed_on(cell: str) -> bool:
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
    days = []
    for order in orders:
        with suppress(ValueError):
            days.append(date(*map(int, order)))
    return bool(days) and max(days) <= datetime.now(UTC).date()


def is_date(cell: str) -> bool:
    """Whether a cell is a date in whichever spelling, past or not: "5 May 2024", "01/05/24", "1714550400".

    Example:
        >>> [is_date(cell) for cell in ("May 1, 2024", "2024-05-01T10:00Z", "3 parcels")]
        [True, True, False]
    """
    if len(cell) > _LONGEST_DATE:
        return False
    return bool(_DATE.fullmatch(cell) or (_YEAR.search(cell) and _DAY_OR_MONTH.search(_YEAR.sub(" ", cell))))


def names_day(text: str) -> bool:
    """Whether a text is a date and no IP address, id or phone, or a remark with one: "Agreed 03/02/2024"."""
    if text.isdecimal():
        first, last = _STAMPS.get(len(text), (1, 0))
        return first <= int(text) <= last
    return is_date(text) and _ADDRESS.fullmatch(text) is None and len(_FIGURES.findall(text)) > 1


def is_day_alone(text: str) -> bool:
    """The same, without words beside it but for its month in any language: "1 stycznia 2024"."""
    if not names_day(text):
        return False
    beside = _WORDS.findall(normalise(_OF_CLOCK.sub(" ", text)))
    is_spelled = len(beside) == 1 and len(_FIGURES.findall(text)) == len(["1", "2024"])
    return is_spelled or words("harmless", "refusal_dated").issuperset(beside)
