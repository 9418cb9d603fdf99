"""Made-up numbers that the library calls valid: test numbers, and runs of numbers in a row."""

from __future__ import annotations

import pandas as pd
import pytest

from dashboard.contacts import ContactList, clean_contacts, correct_phones


def clean(phones: list[str]) -> ContactList:
    return clean_contacts(pd.DataFrame({"phone": phones}), country="GB")


def marks(contacts: ContactList) -> str:
    """A letter for each row: s for a made-up sequence, t for a test number, . for ok, - for all others."""
    problems = contacts.rows["problem"].astype("object").where(contacts.rows["problem"].notna(), "")
    letters = {"made_up_sequence": "s", "test_number": "t", "": "."}
    return "".join(letters.get(problem, "-") for problem in problems)


def rising(count: int, start: int = 7911_123451, step: int = 1) -> list[str]:
    return [f"0{start + step * n}" for n in range(count)]


@pytest.mark.parametrize(
    ("phones", "expected"),
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


def test_people_may_approve_them() -> None:
    contacts = clean(rising(6))
    assert contacts.sendable.empty
    assert len(contacts.approve().sendable) == 6


def test_a_correction_can_part_a_run_or_complete_one() -> None:
    contacts = clean(rising(5))
    assert marks(correct_phones(contacts, {4: "07400 123456"})) == "....."
    assert marks(correct_phones(clean([*rising(4), "nope"]), {6: "07911 123455"})) == "sssss"


def test_who_refused_stays_refused() -> None:
    frame = pd.DataFrame({"phone": rising(5), "opt out": ["", "yes", "", "", ""]})
    assert clean_contacts(frame, country="GB").rows["status"].tolist() == [
        *("review", "opted_out", "review", "review", "review")
    ]
