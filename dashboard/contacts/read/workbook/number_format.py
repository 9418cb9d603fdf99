"""What a cell that holds a number shows: `0.00` makes 19.9 to 19.90, `"+1 "0` a phone of 7734625081.

Only what contact sheets have is followed (ECMA-376 part 1, 18.8.30 and 18.8.31); nothing is guessed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from unicodedata import category

from dashboard.contacts.read.workbook.date_format import clock_shown, is_clock, is_read_as_day, moment_of
from dashboard.contacts.read.workbook.format_tokens import (
    NotFollowedError,
    Section,
    Token,
    section_of_texts,
    sections,
)

__all__ = ["BUILT_IN", "FOLLOW_SYSTEM", "GENERAL", "Shown", "kept_whole", "shown", "text_shown"]

GENERAL = frozenset({"", "General", "@"})
BUILT_IN: Mapping[int, str] = MappingProxyType(
    {
        0: "General",
        1: "0",
        2: "0.00",
        3: "#,##0",
        4: "#,##0.00",
        9: "0%",
        10: "0.00%",
        11: "0.00E+00",
        12: "# ?/?",
        13: "# ??/??",
        14: "yyyy-mm-dd",
        15: "d-mmm-yy",
        16: "d-mmm",
        17: "mmm-yy",
        18: "h:mm AM/PM",
        19: "h:mm:ss AM/PM",
        20: "h:mm",
        21: "h:mm:ss",
        22: "yyyy-mm-dd hh:mm",
        37: "#,##0;(#,##0)",
        38: "#,##0;(#,##0)",
        39: "#,##0.00;(#,##0.00)",
        40: "#,##0.00;(#,##0.00)",
        45: "mm:ss",
        46: "[h]:mm:ss",
        47: "mm:ss.0",
        48: "##0.0E+0",
        49: "@",
    }
)
"""Formats that files name by number only. 14 and 22 are spelled as each reader's system does, so here as ISO
8601 does; the others that are missing have a currency or letters that only that system knows."""
FOLLOW_SYSTEM = frozenset({14, 22})

_EXACT = Decimal(10) ** 15  # from here on spreadsheet programs lose digits
_PRECISE = Context(prec=60)
_MOST_DECIMALS = 30  # Excel's own limit
_GROUP = 3
_EMPTY = {"0": "0", "?": " ", "#": ""}
"""What a placeholder shows where the number has no digit."""
_HOLDS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
_AS_IT_IS = (Section((Token("general", ""),)),)
_WHOLE = re.compile(r"-?\d+")
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.0+)?|-?\d+\.0+")
_FEWEST_OF_PHONE = 8
"""Digits of whole numbers that are phones rather than amounts: 447,911,123,456 is no spelling of one."""


class Shown(NamedTuple):
    """What is read of a cell, and whether that is what people see."""

    text: str
    is_followed: bool = True


def shown(value: str, code: str, now: str, *, is_1904: bool = False) -> Shown:
    """What a cell shows whose format is this, or the next best: no digit of a whole number is lost.

    Days are shown in their format only if all that reads days knows them so, else as ISO 8601 writes them.

    Args:
        value: The number that the cell holds.
        code: Its number format.
        now: What is read without it, "" where the reader of workbooks takes it for a day beyond all years.
        is_1904: Whether days are counted from 1904 rather than 1900.

    Example:
        >>> shown("19.9", '#,##0.00 "€"', "19.9").text, shown("7734625081", '"+1 "0', "7734625081").text
        ('19.90 €', '+1 7734625081')
        >>> shown("0.5", "# ?/?", "0.5")
        Shown(text='0.5', is_followed=False)
    """
    try:
        number = Decimal(repr(float(value)))
        now = now or f"{number.normalize():f}"
        section, sign = _section_for(number, sections(code) or _AS_IT_IS)
        if is_clock(section):
            return _day_or_time(number, section, is_1904=is_1904)
        return kept_whole((sign + _number(abs(number), section, now.lstrip("-"))).strip(), now)
    except (NotFollowedError, ArithmeticError, ValueError):
        return Shown(now, is_followed=False)


def text_shown(text: str, code: str) -> Shown:
    """What a cell shows that holds a text; the text itself where that is nothing of it.

    Example:
        >>> text_shown("7734625081", '0;-0;0;"+1 "@').text
        '+1 7734625081'
    """
    try:
        tokens = section_of_texts(code).tokens
        told = "".join(text if one.kind == "@" else _literal(one) for one in tokens).strip()
    except NotFollowedError:
        return Shown(text, is_followed="@" not in code.removesuffix(";@"))
    return Shown(told) if text.strip() in told else Shown(text, is_followed=False)


def kept_whole(text: str, now: str) -> Shown:
    """The text shown, unless a whole number has digits that are not in it, or is a phone with commas.

    A number that is no phone may be shown as a word: 1 as "Yes".
    """
    if _WHOLE.fullmatch(now):
        digits = now.lstrip("-")
        if len(digits) >= _FEWEST_OF_PHONE and _GROUPED.fullmatch(text):
            return Shown(now)
        is_word = len(digits) < _FEWEST_OF_PHONE and _is_word(text)
        if digits not in re.sub(r"\D", "", text) and not is_word:
            return Shown(now, is_followed=False)
    return Shown(text) if text else Shown(now, is_followed=False)


def _is_word(text: str) -> bool:
    """Whether a text has no digits, and letters or a sign such as ✓: "Yes", and not "$ -"."""
    return not re.search(r"\d", text) and any(sign.isalpha() or category(sign) == "So" for sign in text)


def _section_for(number: Decimal, found: Sequence[Section]) -> tuple[Section, str]:
    """The section for a number, and the sign that it puts before what the section shows."""
    if not any(one.condition for one in found):
        place = 1 if number < 0 else 2 if number == 0 else 0
        return found[place if place < len(found) else 0], "-" if number < 0 and len(found) == 1 else ""
    if not all(one.condition for one in found[:-1]):
        raise NotFollowedError
    for one in found:
        if one.condition is None or _HOLDS[one.condition[0]](number, Decimal(one.condition[1])):
            is_of_negatives = one.condition and one.condition[0] in {"<", "<="} and one.condition[1] <= 0
            return one, "-" if number < 0 and not is_of_negatives else ""
    raise NotFollowedError


def _day_or_time(value: Decimal, section: Section, *, is_1904: bool) -> Shown:
    at = moment_of(value, is_1904=is_1904)
    try:
        text = clock_shown(value, section, is_1904=is_1904).strip()
    except NotFollowedError:
        text = ""
    has_day = value >= 1
    if text and (not has_day or section.has("elapsed") or section.of_system or is_read_as_day(text)):
        return Shown(text)
    day = f"{at.day} {at.time}" if at.seconds else at.day
    return Shown(day if has_day else at.time, is_followed=False)


class _Layout(NamedTuple):
    """A section's tokens as texts, "" for those that digits take, and which these are."""

    texts: list[str]
    before: list[tuple[int, str]]
    """Where placeholders are before the point, and which."""
    after: list[tuple[int, str]]
    is_grouped: bool
    shift: int
    """How many places the point moves to the right, by percent signs and by commas after the digits."""
    unit: Decimal


@lru_cache(maxsize=4_096)
def _layout(tokens: tuple[Token, ...]) -> _Layout:
    kinds = [token.kind for token in tokens]
    places = [at for at, kind in enumerate(kinds) if kind == "digit"]
    point = kinds.index(".") if "." in kinds else places[-1] + 1
    before = [(at, tokens[at].text) for at in places if at < point]
    after = [(at, tokens[at].text) for at in places if at > point]
    commas = {at for at, kind in enumerate(kinds) if kind == ","}
    grouping = {at for at in commas if before and at < before[-1][0]}
    if len(after) > _MOST_DECIMALS or not before or "/" in kinds[places[0] : places[-1]]:
        raise NotFollowedError
    if any(kinds[at - 1] not in {"digit", ","} for at in commas - grouping):
        raise NotFollowedError
    taken = commas | set(places)
    return _Layout(
        ["" if at in taken else _literal(token) for at, token in enumerate(tokens)],
        before,
        after,
        is_grouped=bool(grouping),
        shift=2 * kinds.count("%") - _GROUP * len(commas - grouping),
        unit=Decimal(1).scaleb(-len(after)),
    )


def _number(amount: Decimal, section: Section, general: str) -> str:
    """The amount as the section's placeholders take it."""
    if not section.has("digit") or section.has("general"):
        return "".join(general if one.kind == "general" else _literal(one) for one in section.tokens)
    layout = _layout(section.tokens)
    if layout.shift:
        amount = _PRECISE.scaleb(amount, layout.shift)
    if amount >= _EXACT:
        raise NotFollowedError
    whole, _, decimals = f"{amount.quantize(layout.unit, ROUND_HALF_UP, _PRECISE):f}".partition(".")
    texts = layout.texts.copy()
    for (at, _sign), text in zip(layout.before, _whole_digits(whole.lstrip("0"), layout), strict=True):
        texts[at] = text
    needed = len(decimals.rstrip("0"))
    for order, ((at, sign), digit) in enumerate(zip(layout.after, decimals, strict=True)):
        texts[at] = digit if order < needed else _EMPTY[sign]
    return "".join(texts)


def _whole_digits(digits: str, layout: _Layout) -> list[str]:
    """What each placeholder before the point shows; the first takes all digits that the others do not."""
    more = len(digits) - len(layout.before)
    if more < 0:
        parts = [*(_EMPTY[sign] for _at, sign in layout.before[:-more]), *digits]
    else:
        parts = [digits[: more + 1], *digits[more + 1 :]]
    return _grouped(parts) if layout.is_grouped else parts


def _grouped(parts: list[str]) -> list[str]:
    used, found = 0, []
    for part in reversed(parts):
        text = ""
        for digit in reversed(part):
            text = digit + "," * (used > 0 and used % _GROUP == 0 and digit != " ") + text
            used += 1
        found.append(text)
    return found[::-1]


def _literal(token: Token) -> str:
    if token.kind not in {"literal", "%", ".", "/"}:
        raise NotFollowedError
    return token.text
