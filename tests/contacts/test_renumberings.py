"""renumberings.csv, line by line, against the phone library and by a way of its own to write examples."""

from __future__ import annotations

import re

import numpy as np
import pytest
from phonenumbers import (
    PhoneNumberType,
    is_valid_number,
    number_type,
    parse,
    region_codes_for_country_code,
)
from renumbered_phones import LINES, examples

from dashboard.contacts.renumberings import (
    Reading,
    calling_codes,
    countries,
    in_todays_spelling,
    other_spellings,
    readings_of,
)

MOBILE = {PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE}
STILL_TAKEN = {"GA"}
"""Whose old numbers the library calls valid although nobody has them any more."""


def is_taken(phone: str, *, mobile: bool = False) -> bool:
    number = parse(phone)
    return is_valid_number(number) and (not mobile or number_type(number) in MOBILE)


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['country']}-{line['old'].replace(' ', '')}")
def test_a_line(line: dict[str, str]) -> None:
    pairs = list(examples(line))
    olds, news = ([pair[place] for pair in pairs] for place in (0, 1))
    assert line["country"] in region_codes_for_country_code(int(line["old"].split()[0]))
    assert line["source"]
    assert {line["old"].split()[0], line["new"].split()[0]} <= calling_codes()
    assert line["country"] in countries()
    if line["since"]:
        assert re.fullmatch(r"20\d\d(-\d\d-\d\d)?", line["since"])

    numbers, today = (np.array([int(one) for one in some], np.int64) for some in (olds, news))
    assert in_todays_spelling(numbers).tolist() == today.tolist()
    assert in_todays_spelling(today).tolist() == today.tolist(), "a number is renumbered once"
    assert {Reading(one).name for one in readings_of(numbers)} == {line["reading"].upper()}
    assert {Reading(one).name for one in readings_of(today)} == {"TODAYS"}
    spelled = set(other_spellings([*olds, *news]))
    assert spelled >= set(pairs)
    assert spelled >= {(new, old) for old, new in pairs}

    assert any(is_taken(new, mobile=True) for new in news)
    if line["reading"] == "either":
        assert any(is_taken(old) for old in olds)
    elif line["country"] not in STILL_TAKEN:
        assert not any(is_taken(old) for old in olds)
    if line["reading"] == "certain":
        longer = (old + digit for old in olds for digit in "0123456789")
        assert not any(is_taken(one, mobile=True) for one in longer), "it may be one that lacks a digit"


def test_two_old_numbers_are_one_only_where_today_there_is_one() -> None:
    seen: dict[str, str] = {}
    for line in LINES:
        for old, new in examples(line, each=1):
            assert seen.setdefault(old[: len(old) - line["old"].count("x")], new) == new
    assert len(seen) > len(LINES)


def test_numbers_that_nobody_renumbered_have_no_other_spelling() -> None:
    odd = ["", "x", "+9223372036854775808", f"+{'1' * 5_000}"]
    assert other_spellings(["+447400123456", "+12025550123", *odd]) == []
    assert in_todays_spelling(np.array([0, 447400123456])).tolist() == [0, 447400123456]
