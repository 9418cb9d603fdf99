"""Made-up numbers that the library calls valid: test numbers, and runs of numbers in a row."""

from __future__ import annotations

import pandas as pd
import phonenumbers
import pytest
from each import each
from tiers import only_deep

from dashboard.contacts import ContactList, clean_contacts, correct_phones
from dashboard.contacts.categories import subscribers_of


def clean(phones: list[str]) -> ContactList:
    return clean_contacts(pd.DataFrame({"phone": phones}), country="GB")


def marks(contacts: ContactList) -> str:
    """A letter for each row: s for a made-up sequence, t for a test number, . for ok, - for all others."""
    problems = contacts.rows["problem"].astype("object").where(contacts.rows["problem"].notna(), "")
    letters = {"made_up_sequence": "s", "test_number": "t", "": "."}
    return "".join(letters.get(problem, "-") for problem in problems)


def rising(count: int, start: int = 7911_123451, step: int = 1) -> list[str]:
    return [f"0{start + step * n}" for n in range(count)]


@each(
    "phones, expected",
    [
        (rising(5), "sssss"),
        (rising(5, step=-1), "sssss"),
        (rising(4), "...."),
        (rising(8, step=2), "........"),  # an office that has every other number, sorted
        ([*rising(3), *rising(3, 7911_123461), *rising(4, 7911_123471)], ".........."),  # sorted, with gaps
        (["07400 123456", *rising(5), "07400 123459"], ".sssss."),
        ([*rising(2), "", "n/a", *rising(3, 7911_123453)], "ss--sss"),  # blank rows part nothing
        ([*rising(2), "020 7946 0991", *rising(3, 7911_123453)], "ss-sss"),
        ([*rising(4), "07911 123455 ext 5"], "ssss-"),  # in review already
        ([*rising(3), *rising(3)], "...---"),
        ([*rising(5), *rising(5)], "sssss-----"),  # duplicates are still duplicates
        (["+447911123451", "07911 123452", "+44 (0)7911 123453", "0044 7911 123454", "7911123455"], "sssss"),
        (["+1 202-555-0123", *rising(2)], "t.."),
    ],
)
def test_runs_of_made_up_numbers(phones: list[str], expected: str) -> None:
    assert marks(clean(phones)) == expected


def test_a_correction_can_part_a_run_or_complete_one() -> None:
    contacts = clean(rising(5))
    assert marks(correct_phones(contacts, {4: "07400 123456"})) == "....."
    assert marks(correct_phones(clean([*rising(4), "nope"]), {6: "07911 123455"})) == "sssss"


def test_who_refused_stays_refused() -> None:
    frame = pd.DataFrame({"phone": rising(5), "opt out": ["", "yes", "", "", ""]})
    assert clean_contacts(frame, country="GB").rows["status"].tolist() == [
        *("review", "opted_out", "review", "review", "review")
    ]


FILLERS = [
    *(digit * length for digit in "0123456789" for length in range(6, 12)),
    *("12345678", "123456789", "1234567890", "0123456789", "01234567890"),
    *("87654321", "876543210", "987654321", "9876543210"),
]


def library_knows(filler: str, country: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(filler, country))
    except phonenumbers.NumberParseException:
        return False


@pytest.mark.parametrize("step", [12, *only_deep(1)])
def test_a_number_that_a_country_has_is_never_called_filler(step: int) -> None:
    """In Singapore 8765 4321 is somebody's: a person decides, however it is spelled."""
    countries = [*sorted(phonenumbers.SUPPORTED_REGIONS)[::step], "SG"]
    typed = pd.DataFrame([(filler, country) for country in countries for filler in FILLERS])
    typed.columns = ["phone", "country"]
    rows = clean_contacts(typed, country=None, keep="warn").rows
    valid = [library_knows(filler, country) for filler, country in typed.itertuples(index=False)]
    assert 0 < sum(valid) < len(valid)
    assert ((rows["problem"] == "filler") == ~pd.Series(valid)).all()
    assert (rows["status"] != "ok").all()
    known = rows[valid].reset_index(drop=True)
    again = clean_contacts(known[["phone"]], country=None, keep="warn").rows
    whose, theirs = (subscribers_of(rows["phone"]).tolist() for rows in (again, known))
    assert whose == theirs
    with_area = again["phone"].str.startswith("+1")  # Guam's 12345678 is +1 671 2345678
    assert set(again["status"][~with_area]) == {"review", "invalid"}


def test_an_opt_out_in_an_old_spelling_refuses_a_mexican_number_in_any() -> None:
    old = [f"{prefix} 5512345678" for prefix in ("044", "045", "01", "+52 1", "+52 (1)", "+52 044", "521")]
    sheet = pd.DataFrame({"phone": ["5512345678", "+525512345678", *old, "(044) 5512345678"]})
    rows = clean_contacts(sheet, country="MX", opt_outs=["+52 1 5512345678"]).rows
    assert set(rows["phone"]) == {"+525512345678"}
    assert set(rows["status"]) == {"opted_out"}
