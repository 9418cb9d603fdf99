"""Numbers that became others: countries that renumbered their mobile lines, or have two spellings for them.

renumberings.csv has a line for each change since 2000, in digits with the country's calling code: x is any
digit, [68] one of these, and what stands in brackets stays what it was. The country is the one whose numbers
the old ones are, or would be, and `reading` says what becomes of them:

- certain: nobody has such a number any more, and none of today's becomes one by losing a digit;
- ask: it is read as the new number, and a person is asked: today's numbers that lack a digit look the same;
- either: there still are such numbers, so it is left as it is; the two are one person's all the same.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from enum import IntEnum
from functools import cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "Reading",
    "calling_codes",
    "countries",
    "every_spelling",
    "in_todays_spelling",
    "other_spellings",
    "readings_of",
    "spellings",
]

Numbers = npt.NDArray[np.int64]
_LONGEST = len("+") + 15
"""Of a phone in E.164 (ITU-T E.164, 6.1); longer ones would not be numbers of 64 bits either."""
_SOME = re.compile(r"\[[0-9-]+\]")
_SPAN = re.compile(r"(\d)-(\d)")


class Reading(IntEnum):
    """What an old number is read as; `TODAYS` of one that is not old."""

    TODAYS = 0
    CERTAIN = 1
    ASK = 2
    EITHER = 3


class _Old(NamedTuple):
    """Old numbers, as ranges that do not overlap, ascending: first, last, how much is added, the reading."""

    first: Numbers
    last: Numbers
    added: Numbers
    reading: Numbers


@cache
def _lines() -> tuple[dict[str, str], ...]:
    text = files("dashboard.contacts").joinpath("renumberings.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def countries() -> frozenset[str]:
    """The countries whose old numbers are known."""
    return frozenset(line["country"] for line in _lines())


@cache
def calling_codes() -> frozenset[str]:
    """The calling codes that old and new numbers begin with."""
    return frozenset(line[spelling].split()[0] for line in _lines() for spelling in ("old", "new"))


@cache
def _old() -> _Old:
    ranges = sorted(one for line in _lines() for one in _ranges(line))
    return _Old(*np.array(ranges, np.int64).T)


def _ranges(line: dict[str, str]) -> Iterator[tuple[int, int, int, int]]:
    old, new = (line[spelling].replace(" ", "") for spelling in ("old", "new"))
    for digits in product(*map(_digits, _SOME.findall(old))):
        before, now = (_with(digits, spelling) for spelling in (old, new))
        first = int(before.replace("x", "0"))
        added = int(now.replace("x", "0")) - first
        yield first, int(before.replace("x", "9")), added, Reading[line["reading"].upper()]


def _digits(some: str) -> list[str]:
    """The digits that brackets stand for: [1-35] is 1, 2, 3, 5."""
    spelled = _SPAN.sub(lambda span: "".join(map(str, range(int(span[1]), int(span[2]) + 1))), some)
    return list(spelled.strip("[]"))


def _with(digits: Iterable[str], spelling: str) -> str:
    left = iter(digits)
    return _SOME.sub(lambda _some: next(left), spelling)


def _among(first: Numbers, last: Numbers, numbers: Numbers) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """The range that each number may be in, and whether it is."""
    place = np.maximum(np.searchsorted(first, numbers, side="right") - 1, 0)
    return place, (first[place] <= numbers) & (numbers <= last[place])


def in_todays_spelling(numbers: Numbers) -> Numbers:
    """Numbers, old ones as they are spelled today; what is either becomes one of the two.

    So two numbers are one person's if this makes them equal.

    Example:
        >>> in_todays_spelling(np.array([22997123456, 2290197123456, 447400123456])).tolist()
        [2290197123456, 2290197123456, 447400123456]
    """
    old = _old()
    place, is_old = _among(old.first, old.last, numbers)
    return numbers + np.where(is_old, old.added[place], 0)


def readings_of(numbers: Numbers) -> Numbers:
    """What is to become of each number, as `Reading`.

    Example:
        >>> [Reading(one).name for one in readings_of(np.array([22997123456, 9745123456, 447400123456]))]
        ['CERTAIN', 'ASK', 'TODAYS']
    """
    old = _old()
    place, is_old = _among(old.first, old.last, numbers)
    return np.where(is_old, old.reading[place], Reading.TODAYS)


@cache
def _new() -> tuple[Numbers, Numbers, list[Numbers]]:
    """The ranges of today's numbers that had other spellings, and for each, what was added to get there.

    There are as many arrays of these as one number had spellings, with 0 for none.
    """
    old = _old()
    begins, place = np.unique(old.first + old.added, return_inverse=True)
    ends = np.zeros(len(begins), np.int64)
    ends[place] = old.last + old.added
    added = [np.zeros(len(begins), np.int64) for _ in range(np.bincount(place).max())]
    for range_, more in zip(place, old.added, strict=True):
        next(one for one in added if not one[range_])[range_] = more
    return begins, ends, added


def other_spellings(phones: Iterable[str]) -> list[tuple[str, str]]:
    """Phones in E.164 that had, or have, other spellings, each with one of these; several times if need be.

    Example:
        >>> other_spellings(["+22997123456", "+447400123456"])
        [('+22997123456', '+2290197123456')]
    """
    known = [phone for phone in phones if len(phone) <= _LONGEST and phone[1:].isdecimal()]
    numbers = np.array([int(phone[1:]) for phone in known], np.int64)
    today = in_todays_spelling(numbers)
    begins, ends, added = _new()
    place, had_others = _among(begins, ends, today)
    spelled = [(today, today != numbers)]
    for more in added:
        old = today - more[place]
        spelled.append((old, had_others & (more[place] != 0) & (old != numbers)))
    return [
        (known[one], f"+{spelling[one]}") for spelling, counts in spelled for one in np.flatnonzero(counts)
    ]


def every_spelling(phones: Collection[str]) -> list[tuple[str, str]]:
    """Phones in E.164, each with itself, and then those that `other_spellings` has."""
    return [*zip(phones, phones, strict=True), *other_spellings(phones)]


def spellings(phone: str) -> list[str]:
    """A phone in E.164, as it is given first, and then in its other spellings."""
    return [spelling for _phone, spelling in every_spelling([phone])]
