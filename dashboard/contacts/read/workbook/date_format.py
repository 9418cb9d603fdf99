"""Days and times of a cell: a count of days since 1900 or 1904, shown as its number format says.

Days before the first or after the last, and names in another language than English, raise NotFollowedError.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from dashboard.contacts.read.workbook.format_tokens import NotFollowedError, Section, Token

__all__ = ["Moment", "clock_shown", "is_clock", "is_read_as_day", "moment_of"]

_LAST_DAY = 2_958_465  # 31 December 9999
_LEAP_BUG = 60
"""29 February 1900, which never was: Lotus 1-2-3 counted it, and Excel keeps to it."""
_BETWEEN_SYSTEMS = 1_462
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_DAY_S, _HOUR_S, _MINUTE_S, _HALF_DAY_H = 86_400, 3_600, 60, 12
_IN_NUMBERS = re.compile(
    r"(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?:[T ]\d{1,2}:\d{2}.*)?", re.DOTALL
)
"""Day, month and year of four digits: how all that reads dates in cells knows them. "3-Dec-26", read by none,
would be no answer below "STOP", and "03/12/26" no date to compare."""


def is_read_as_day(text: str) -> bool:
    """Whether what reads dates in cells knows this for one."""
    return _IN_NUMBERS.fullmatch(text) is not None


class Moment(NamedTuple):
    """A day, counted as Excel does since 1900, and the time passed in it, in such parts of a second."""

    days: int
    units: int
    decimals: int = 0

    @property
    def date(self) -> tuple[int, int, int]:
        """Year, month and day; Excel shows day 0 as 1900-01-00."""
        if self.days in {0, _LEAP_BUG}:
            return (1900, 1, 0) if self.days == 0 else (1900, 2, 29)
        day = date(1899, 12, 30 + (self.days < _LEAP_BUG)) + timedelta(days=self.days)
        return day.year, day.month, day.day

    @property
    def seconds(self) -> int:
        """Whole seconds since midnight."""
        return self.units // int(10**self.decimals)

    @property
    def day(self) -> str:
        """As ISO 8601 writes it: 2026-12-03."""
        return "{:04}-{:02}-{:02}".format(*self.date)

    @property
    def time(self) -> str:
        """As ISO 8601 writes it, with the seconds if there are any: 14:30."""
        hours, rest = divmod(self.seconds, _HOUR_S)
        seconds = f":{rest % _MINUTE_S:02}" if rest % _MINUTE_S else ""
        return f"{hours:02}:{rest // _MINUTE_S:02}{seconds}"


def moment_of(value: Decimal, decimals: int = 0, *, is_1904: bool) -> Moment:
    """The moment that a count of days stands for, rounded to this many decimals of a second."""
    if not 0 <= value <= _LAST_DAY:
        raise NotFollowedError
    units = int((value * _DAY_S).scaleb(decimals).to_integral_value())
    days, units = divmod(units, _DAY_S * 10**decimals)
    days += _BETWEEN_SYSTEMS * is_1904
    if days > _LAST_DAY:
        raise NotFollowedError
    return Moment(days, units, decimals)


def is_clock(section: Section) -> bool:
    """Whether a section shows days or times."""
    return bool(section.of_system) or section.has("clock", "elapsed")


def clock_shown(value: Decimal, section: Section, *, is_1904: bool) -> str:
    """What such a section shows."""
    if section.has("digit", "general", "%"):
        raise NotFollowedError
    tokens = _with_minutes(section.tokens)
    decimals = max((len(token.text) - 1 for token in tokens if token.kind == "fraction"), default=0)
    at = moment_of(value, decimals, is_1904=is_1904 and not section.has("elapsed"))
    if section.of_system:
        return at.day if section.of_system == "day" else at.time
    names = {"mmm", "mmmm", "mmmmm", "ddd", "dddd"}
    if not section.is_english and any(token.kind == "clock" and token.text in names for token in tokens):
        raise NotFollowedError
    has_half = section.has("half")
    return "".join(_piece(token, at, has_half=has_half) for token in tokens)


def _with_minutes(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with m for minutes (n) where it follows hours or precedes seconds."""
    known, places = list(tokens), [at for at, one in enumerate(tokens) if one.kind in {"clock", "elapsed"}]
    for order, at in enumerate(places):
        before = known[places[order - 1]].text[0] if order else ""
        after = known[places[order + 1]].text[0] if order + 1 < len(places) else ""
        if known[at].kind == "clock" and known[at].text in {"m", "mm"} and (before == "h" or after == "s"):
            known[at] = Token("clock", "n" * len(known[at].text))
    return known


def _piece(token: Token, at: Moment, *, has_half: bool) -> str:
    if token.kind == "fraction":
        return f".{at.units % 10**at.decimals:0{at.decimals}}"
    if token.kind == "half":
        half = "AP"[at.seconds >= _HALF_DAY_H * _HOUR_S]
        return half + token.text[1] * (len(token.text) > len("A/P"))
    if token.kind == "elapsed":
        each = {"h": _HOUR_S, "m": _MINUTE_S, "s": 1}[token.text[0]]
        return f"{(at.days * _DAY_S + at.seconds) // each:0{len(token.text)}}"
    return _of_clock(token.text, at, has_half=has_half) if token.kind == "clock" else token.text


def _of_clock(text: str, at: Moment, *, has_half: bool) -> str:
    year, month, day = at.date
    letter, many = text[0], len(text)
    if letter == "y":
        return f"{year % 100:02}" if many < len("yyy") else str(year)
    if letter in "md" and many >= len("mmm"):
        name = _MONTHS[month - 1] if letter == "m" else _WEEKDAYS[at.days % 7]
        return name[:1] if many > len("mmmm") else name if many == len("mmmm") else name[:3]
    hour = at.seconds // _HOUR_S
    if has_half:
        hour = (hour - 1) % _HALF_DAY_H + 1
    minute, second = at.seconds // _MINUTE_S % 60, at.seconds % 60
    number = {"m": month, "d": day, "h": hour, "n": minute, "s": second}[letter]
    return f"{number:0{min(many, 2)}}"
