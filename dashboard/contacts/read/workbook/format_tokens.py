"""The pieces of a number format, such as `[<=9999999]###-####;(###) ###-####` (ECMA-376 part 1, 18.8.31).

Whatever else a format holds raises NotFollowedError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

__all__ = ["NotFollowedError", "Section", "Token", "section_of_texts", "sections"]

_MOST_CHARACTERS = 255  # Excel's own limit
_MOST_OF_NUMBERS = 3
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<blank>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<half>AM/PM|A/P)|(?<=s)(?P<fraction>\.0{1,3})|(?<=s\])(?P<after>\.0{1,3})|(?P<clock>yyyy|yy?|m{1,5}|d{1,4}|hh?|ss?)"
    r"|(?P<digit>[0#?])|(?P<sign>[,.%/;@])|(?P<other>[^A-Za-z\"\\_*\[])",
    re.IGNORECASE | re.DOTALL,
)
_COLOUR = re.compile(r"Black|Blue|Cyan|Green|Magenta|Red|White|Yellow|Color ?\d+", re.IGNORECASE)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_CURRENCY = re.compile(r"\$([^-]*)(?:-(.*))?", re.DOTALL)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_LOCALE = re.compile(r"[0-9A-Fa-f]{1,8}")
_ENGLISH, _LANGUAGE = 9, 0x3FF
_PLAIN_SIGNS = 0x0101
"""A locale's upper half: digits as they are here, and the calendar that most of the world has."""
_OF_SYSTEM = {"f800": "day", "f400": "time", "x-sysdate": "day", "x-systime": "time"}


class NotFollowedError(ValueError):
    """The format has something that is not followed here."""


class Token(NamedTuple):
    """A piece: literal, general, clock, half (of the day), elapsed, fraction (of a second), digit, a sign."""

    kind: str
    text: str


@dataclass(slots=True)
class Section:
    """What a format says of some numbers: of those that meet its condition, if it has one."""

    tokens: tuple[Token, ...] = ()
    condition: tuple[str, float] | None = None
    is_english: bool = True
    of_system: str = ""
    """Day or time, in the reader's own system's spelling."""

    def has(self, *kinds: str) -> bool:
        """Whether it has any such token."""
        return any(token.kind in kinds for token in self.tokens)


def sections(code: str) -> list[Section]:
    """The sections that are for numbers."""
    return [one for one in _every_section(code) if not one.has("@")]


def section_of_texts(code: str) -> Section:
    """The section that is for texts: the last with their place in it, or the fourth; else as typed."""
    *others, last = _every_section(code)
    return last if last.has("@") or len(others) == _MOST_OF_NUMBERS else Section((Token("@", "@"),))


@lru_cache(maxsize=4_096)
def _every_section(code: str) -> list[Section]:
    if len(code) > _MOST_CHARACTERS:
        raise NotFollowedError
    found, place = [Section()], 0
    while place < len(code):
        match = _TOKEN.match(code, place)
        if match is None:
            raise NotFollowedError
        place = match.end()
        kind, text = str(match.lastgroup), match[str(match.lastgroup)]
        if text == ";" and kind == "sign":
            found.append(Section())
        elif kind == "bracket":
            _bracket(text, found[-1])
        elif kind != "fill":
            found[-1].tokens += (_token(kind, text),)
    return found


def _token(kind: str, text: str) -> Token:
    if kind in {"quoted", "escaped", "other"}:
        return Token("literal", text)
    if kind == "blank":
        return Token("literal", " ")
    if kind == "after":
        return Token("fraction", text)
    return Token(text if kind == "sign" else kind, text.lower() if kind == "clock" else text)


def _bracket(text: str, section: Section) -> None:
    condition, currency = _CONDITION.fullmatch(text), _CURRENCY.fullmatch(text)
    if condition:
        section.condition = (condition[1], float(condition[2]))
    elif currency:
        section.tokens += (Token("literal", currency[1]),)
        _locale((currency[2] or "").lower(), section)
    elif _ELAPSED.fullmatch(text):
        section.tokens += (Token("elapsed", text.lower()),)
    elif not _COLOUR.fullmatch(text):
        raise NotFollowedError


def _locale(name: str, section: Section) -> None:
    section.of_system = section.of_system or _OF_SYSTEM.get(name, "")
    if section.of_system or not name:
        return
    if not _LOCALE.fullmatch(name):
        section.is_english = name.startswith("en")
        return
    number = int(name, 16)
    if (number >> 16) & ~_PLAIN_SIGNS:
        raise NotFollowedError
    section.is_english = not number & _LANGUAGE or number & _LANGUAGE == _ENGLISH
