"""The whole promise: the same verdicts as the installed `phonenumbers`, on every input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pandas as pd
import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phone_samples import (
    BUSY_COUNTRIES,
    Sample,
    hostile_texts,
    metadata_examples,
    mixed_column,
    mutated_numbers,
    random_digits,
)
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType, re_util
from tiers import only_deep
from vector_files import vectors

from dashboard.phones import clean_phones

SOAK = [pytest.mark.soak, pytest.mark.timeout(1200)]
ERRORS = {
    NumberParseException.INVALID_COUNTRY_CODE: "INVALID_COUNTRY_CODE",
    NumberParseException.NOT_A_NUMBER: "NOT_A_NUMBER",
    NumberParseException.TOO_SHORT_AFTER_IDD: "TOO_SHORT_AFTER_IDD",
    NumberParseException.TOO_SHORT_NSN: "TOO_SHORT_NSN",
    NumberParseException.TOO_LONG: "TOO_LONG",
}

re_util.enable_pattern_cache()  # the library compiles its expressions again and again otherwise


class Verdict(NamedTuple):
    phone: str | None
    valid: bool
    country: str | None
    line_type: str
    problem: str | None


def by_the_library(text: str | None, country: str | None) -> Verdict:
    try:
        number = phonenumbers.parse(text, country)
    except NumberParseException as error:
        return Verdict(None, False, None, "UNKNOWN", ERRORS[error.error_type])
    valid = phonenumbers.is_valid_number(number)
    return Verdict(
        phonenumbers.format_number(number, PhoneNumberFormat.E164),
        valid,
        phonenumbers.region_code_for_number(number),
        PhoneNumberType.to_string(phonenumbers.number_type(number)),
        None if valid else "INVALID",
    )


def by_us(texts: Iterable[str | None], countries: Iterable[str | None]) -> list[Verdict]:
    frame = clean_phones(pd.Series(list(texts), dtype="str"), pd.Series(list(countries), dtype="str"))
    plain = frame.astype(object).where(frame.notna(), None)
    return [Verdict(*row) for row in plain.itertuples(index=False)]


def mismatches(samples: Iterable[Sample]) -> Iterator[tuple[str | None, str | None, Verdict, Verdict]]:
    texts, countries = zip(*samples, strict=True)
    for text, country, ours in zip(texts, countries, by_us(texts, countries), strict=True):
        theirs = by_the_library(text, country)
        if ours != theirs:
            yield text, country, ours, theirs


def messy_column_everywhere(rows: int, seed: int) -> Iterator[Sample]:
    for text, _ in mixed_column(rows, seed):
        for country in BUSY_COUNTRIES[:15]:
            yield text, country


def every_example() -> list[Sample]:
    return list(dict.fromkeys(metadata_examples()))


@pytest.mark.parametrize(
    "generate",
    [
        pytest.param(lambda: every_example()[::4], id="a quarter of the examples in the metadata"),
        pytest.param(partial(hostile_texts, 2_000, seed=3), id="hostile texts"),
        *only_deep(
            every_example,
            partial(random_digits, 50_000, seed=1),
            partial(mutated_numbers, 50_000, seed=2),
            partial(hostile_texts, 50_000, seed=4),
            partial(messy_column_everywhere, 4_000, seed=4),
        ),
        *(
            pytest.param(partial(texts, 100_000, seed=seed), marks=SOAK)
            for texts in (random_digits, mutated_numbers, hostile_texts)
            for seed in range(100, 107)
        ),
    ],
)
def test_verdicts_are_the_librarys(generate: Callable[[], Iterable[Sample]]) -> None:
    assert list(mismatches(generate()))[:5] == []


TEXTS = st.text(max_size=20) | st.from_regex(
    r"(\+|00)?[0-9]{1,4}[ ()./-]{0,2}[0-9]{2,5}[ -]?[0-9]{2,8}( x[0-9]{1,4})?", fullmatch=True
)


@given(st.lists(st.tuples(TEXTS, st.sampled_from([*BUSY_COUNTRIES, None])), min_size=1, max_size=20))
def test_any_text_gets_the_librarys_verdict(typed: list[Sample]) -> None:
    assert list(mismatches(typed)) == []


def test_texts_that_a_simple_reading_gets_wrong() -> None:
    cases = vectors("phone_traps.csv")
    texts, countries = [case["text"] for case in cases], [case["country"] or None for case in cases]
    ours = by_us(texts, countries)
    assert ours == [by_the_library(*typed) for typed in zip(texts, countries, strict=True)]
    said = [" ".join(filter(None, [one.phone, one.problem or one.country])) for one in ours]
    assert said == [case["verdict"] for case in cases]
