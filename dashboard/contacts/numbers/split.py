"""The numbers of a phone cell, one by one."""

from __future__ import annotations

import re

__all__ = ["FEWEST_DIGITS", "MOST_DIGITS", "count_digits", "part"]

_ALWAYS = re.compile(r"\s*(?:;(?!\s*ext)|:::|\||<br\s*/?>|[\r\n]+)\s*", re.IGNORECASE)
_BETWEEN_NUMBERS = (
    re.compile(r"\s*[/\\,&\t•·、]\s*|\s\+\s+(?=0)|(?<=\d)\s*(?=\+)|(?<=\d)\s{2,}(?=0)"),
    re.compile(r"\s*[()\[\]{}]\s*"),
)
_AT_EDGE = re.compile(r"^\s*[\t()\[\]{}/\\,&•·、]|[\t()\[\]{}/\\,&•·、]\s*$")
_BETWEEN_LONG_NUMBERS = (re.compile(r"\s+-\s+"), re.compile(r"\s+(?=0)"), re.compile(r"\s+"))
_NO_DIGIT = re.compile(r"\D+")
FEWEST_DIGITS = 7
"""With fewer digits it is not a number that can be texted."""
_FEWEST_OF_LONG = 9
MOST_DIGITS = 15
"""The most digits a number has (E.164): more are two numbers, or none."""


def part(text: str) -> list[str]:
    """Split numbers at signs that always separate, and at others if each side is long enough to be a number.

    Example:
        >>> part("07911 123456 (020 7946 0991)")
        ['07911 123456', '020 7946 0991']
        >>> part("0151/23456789")
        ['0151/23456789']
    """
    if count_digits(text) < 2 * FEWEST_DIGITS and not (_ALWAYS.search(text) or _AT_EDGE.search(text)):
        return [text]  # as most cells do: too short for two
    parts = [piece for piece in _ALWAYS.split(text) if count_digits(piece)] or [text]
    for separator in _BETWEEN_NUMBERS:
        parts = [piece for whole in parts for piece in _split(whole, separator, FEWEST_DIGITS)]
    for separator in _BETWEEN_LONG_NUMBERS:
        parts = [piece for whole in parts for piece in _split_too_long(whole, separator)]
    return parts


def count_digits(text: str) -> int:
    """How many digits there are in a text."""
    return len(_NO_DIGIT.sub("", text)) if text.isascii() else sum(map(str.isdecimal, text))


def _split(text: str, separator: re.Pattern[str], fewest: int) -> list[str]:
    pieces = [piece for piece in separator.split(text) if piece]
    return pieces if pieces and all(count_digits(piece) >= fewest for piece in pieces) else [text]


def _split_too_long(text: str, separator: re.Pattern[str]) -> list[str]:
    return _split(text, separator, _FEWEST_OF_LONG) if count_digits(text) > MOST_DIGITS else [text]
