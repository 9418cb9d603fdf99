"""Numbers that nobody has: reserved for films, or typed to fill a cell.

fiction.csv lists the mobile numbers that regulators keep for fiction. The library calls some of them
valid, Germany's for example, and others not, such as Britain's 07700 900xxx.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of

__all__ = ["FEWEST_IN_SEQUENCE", "FILLER", "is_filler", "is_for_fiction", "is_in_sequence", "is_test_number"]

FEWEST_IN_SEQUENCE = 5
"""How many numbers in consecutive rows, each one more (or less) than the last, are beyond chance: a household
or a small company entered together has two or three."""

_TAIL = 10**7
_FILLER_TAILS = np.array([*range(0, _TAIL, 1_111_111), 7_654_321, 4_567_890])
"""Last seven digits that repeat one digit, or run to or from the ends of the keypad. Not 1234567: people use
it to show a number of their country, and it may be somebody's number."""

FILLER = re.compile(rf"{'|'.join(f'{digit}{{6,}}' for digit in '0123456789')}|0?123456789?0?|9?876543210?")
"""One digit throughout, or along the keypad from an end."""
_LONG_CODE = r"(?:2[1-689]|3[578]|42|5[09]|6[789]|8[03578]|9[679])\d"
_FILLED = re.compile(rf"(?:{_LONG_CODE}|[17]|(?!{_LONG_CODE})[2-9]\d)(?:{FILLER.pattern})")
"""A filler with a country code before it: one to three digits, by the ITU's list of assigned codes."""
_ENDS = 10**6
_FILLER_ENDS = np.array([*range(0, _ENDS, 111_111), 345_678, 456_789, 567_890, 456_780, 654_321, 543_210])
"""The last six digits of every filler: few numbers end so, and only these are read as texts."""

_NORTH_AMERICA = 10**10
_FICTION = 555_01
"""555-0100 to 555-0199 in every area code; the plan's administrator (NANPA) reserves them for fiction."""

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@cache
def _reserved() -> tuple[Numbers, Numbers]:
    """First and last number of each reserved range, ascending."""
    text = files("dashboard.contacts.numbers").joinpath("fiction.csv").read_text("utf-8")
    ranges = sorted((int(line["first"]), int(line["last"])) for line in csv.DictReader(text.splitlines()))
    first, last = np.array(ranges, np.int64).T
    return first, last


def is_for_fiction(numbers: Numbers) -> Mask:
    """Which numbers (+447700900123 is 447700900123) are reserved for films, books and tests."""
    first, last = _reserved()
    place = np.searchsorted(first, numbers, side="right") - 1
    north_american: Mask = (numbers // _NORTH_AMERICA == 1) & (numbers % _TAIL // 100 == _FICTION)
    return north_american | ((numbers <= last[place]) & (place >= 0))


def is_test_number(numbers: Numbers) -> Mask:
    """Which numbers are reserved for fiction, or look as if typed by someone who had none.

    Example:
        >>> is_test_number(np.array([12025550123, 447377777777, 447911123456])).tolist()
        [True, True, False]
    """
    looks_typed: Mask = np.isin(numbers % _TAIL, _FILLER_TAILS) & (numbers > 0)
    maybe = np.flatnonzero(np.isin(numbers % _ENDS, _FILLER_ENDS) & ~looks_typed)
    looks_typed[maybe] = [_FILLED.fullmatch(str(number)) is not None for number in numbers[maybe]]
    return is_for_fiction(numbers) | looks_typed


def is_filler(digits: pd.Series) -> Mask:
    """Which texts of digits are one digit throughout, or run along the keypad from an end.

    Somebody may have such a number, in Singapore or India for example: it says something only about one
    that is not valid.

    Example:
        >>> is_filler(pd.Series(["0000000", "1234567890", "07400123456"], dtype="str")).tolist()
        [True, True, False]
    """
    found: Mask = pc.match_substring_regex(arrow_of(digits), f"^(?:{FILLER.pattern})$").to_numpy()
    return found


def is_in_sequence(numbers: Numbers) -> Mask:
    """Which numbers are among five or more in a row that go up, or down, by one.

    Args:
        numbers: The numbers of consecutive rows.
    """
    if len(numbers) == 0:
        return np.empty(0, np.bool_)
    rising: Mask = _run_lengths(numbers, step=1) >= FEWEST_IN_SEQUENCE
    return rising | (_run_lengths(numbers, step=-1) >= FEWEST_IN_SEQUENCE)


def _run_lengths(numbers: Numbers, *, step: int) -> Numbers:
    starts = np.concatenate([[True], np.diff(numbers) != step])
    run = np.cumsum(starts) - 1
    lengths: Numbers = np.bincount(run)[run]
    return lengths
