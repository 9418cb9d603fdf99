"""`clean_phones` says exactly what the phonenumbers library says, and nothing else."""

from __future__ import annotations

import pandas as pd
import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

from dashboard.contacts import clean_phones
from dashboard.errors import CountryError

# Inputs on which a naive reading goes wrong.
TRAPS = [
    ("02 1202 3561", "IT"),
    ("+44 (0)20 7031 3000", "US"),
    ("00442070313000", "US"),
    ("8~10 44 20 7031 3000", "RU"),
    ("011 15-2345-6789", "AR"),
    ("3234567", "BS"),
    ("01481 256789", "GB"),
    ("+7 701 123 4567", None),
    ("+800 1234 5678", None),
    ("+00442070313000", "GB"),
    ("++44 20 7031 3000", None),
    ("+ +44 20 7031 3000", None),
    ("020 7031 3000 x12", "GB"),
    ("+44 20 7031 3000 / 3001", "GB"),
    ("+44\t20 7031 3000", "GB"),
    ("+44 20 7031 3000\n", "GB"),
    ("1-800-FLOWERS", "US"),
    ("447911123456.0", "GB"),
    ("12", "US"),
    ("", "GB"),
    ("5123456789012345678", "DE"),
    ("tel:020-7031-3000;phone-context=+44", "US"),
]
COUNTRIES = st.sampled_from(["GB", "US", "DE", "FR", "IT", "AR", "RU", "IN", None])
TEXTS = st.one_of(
    st.text(max_size=20),
    st.from_regex(r"(\+|00)?[0-9]{1,4}[ ()./-]{0,2}[0-9]{2,5}[ -]?[0-9]{2,8}( x[0-9]{1,4})?", fullmatch=True),
)


def library_says(text: str, country: str | None) -> tuple[object, ...]:
    try:
        number = phonenumbers.parse(text, country)
    except NumberParseException:
        return (False, None, "UNKNOWN", None)
    return (
        phonenumbers.is_valid_number(number),
        phonenumbers.format_number(number, PhoneNumberFormat.E164),
        PhoneNumberType.to_string(phonenumbers.number_type(number)),
        phonenumbers.region_code_for_number(number),
    )


def we_say(texts: list[str], countries: list[str | None]) -> list[tuple[object, ...]]:
    judged = clean_phones(pd.Series(texts, dtype="str"), pd.Series(countries, dtype="str"))
    judged = judged[["valid", "phone", "line_type", "country"]].astype("object")
    return [tuple(row) for row in judged.where(judged.notna(), None).itertuples(index=False)]


def test_traps_are_judged_as_the_library_judges_them() -> None:
    texts, countries = zip(*TRAPS, strict=True)
    assert we_say(list(texts), list(countries)) == [library_says(*trap) for trap in TRAPS]


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, COUNTRIES), max_size=20))
def test_anything_is_judged_as_the_library_judges_it(typed: list[tuple[str, str | None]]) -> None:
    expected = [library_says(text, country) for text, country in typed]
    assert we_say([text for text, _ in typed], [country for _, country in typed]) == expected


@pytest.mark.parametrize(
    ("text", "country", "problem"),
    [
        ("07911 123456", "GB", None),
        ("07911 12345", "GB", "INVALID"),
        ("07911 123456", None, "INVALID_COUNTRY_CODE"),
        ("hello", "GB", "NOT_A_NUMBER"),
        ("0011", "US", "INVALID"),
        ("011 44", "US", "TOO_SHORT_AFTER_IDD"),
        ("+44 1", "GB", "TOO_SHORT_NSN"),
        ("5123456789012345678", "DE", "TOO_LONG"),
    ],
)
def test_problems_are_in_the_librarys_words(text: str, country: str | None, problem: str | None) -> None:
    judged = clean_phones(pd.Series([text]), country)["problem"].astype("object")
    assert judged.where(judged.notna(), None).tolist() == [problem]


def test_a_country_for_each_text() -> None:
    texts = pd.Series(["0612345678", "0612345678", "0612345678"])
    judged = clean_phones(texts, pd.Series(["FR", "NL", None]))
    assert judged["phone"].astype("object").fillna("").tolist() == ["+33612345678", "+31612345678", ""]


def test_the_index_is_kept() -> None:
    texts = pd.Series(["07911 123456", None, "07911 123456"], index=[7, 3, 7])
    assert clean_phones(texts, "GB").index.tolist() == [7, 3, 7]


@pytest.mark.parametrize("country", ["gb", "UK", "", "Britain", "001"])
def test_a_country_that_is_none_is_refused(country: str) -> None:
    with pytest.raises(CountryError, match="two-letter"):
        clean_phones(pd.Series(["1"]), country)
    with pytest.raises(CountryError, match="two-letter"):
        clean_phones(pd.Series(["1", "2"]), pd.Series(["GB", country]))
