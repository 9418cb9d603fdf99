"""Putting phones right: only these rows are read again, and the whole list agrees with cleaning it anew."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Keep,
    Sheet,
    clean_contacts,
    correct_phones,
    read_sheet,
)
from dashboard.errors import OptionError

CELLS = st.sampled_from(
    [
        *("07911 123456", "07911123457", "+447911123456", "nope", "", "07911 123458 / 07911 123459"),
        *("020 7946 0000", "4.47911E+11", "07911 123456 ext 1", "0044 7911 123457"),
    ]
)
ANSWERS = st.sampled_from(["yes", "no", "", "perhaps"])


def sheet_of(rows: list[tuple[str, str, str]]) -> Sheet:
    frame = pd.DataFrame(rows, columns=["Mobile", "Work phone", "SMS consent"], dtype="str")
    return Sheet(name="", frame=frame, rows=pd.Series(range(5, 5 + len(frame)), dtype="int64"))


def checked(sheet: Sheet, keep: Keep) -> ContactList:
    columns = ColumnMap(phones=("Mobile", "Work phone"), consents=("SMS consent",))
    return clean_contacts(sheet, country="GB", columns=columns, opt_outs=["+447911123459"], keep=keep)


@settings(max_examples=draws(60, 3))
@given(
    st.lists(st.tuples(CELLS, CELLS, ANSWERS), min_size=1, max_size=12),
    st.dictionaries(st.integers(4, 18), CELLS, max_size=4),
    st.sampled_from(["first", "last", "warn"]),
)
def test_it_ends_as_if_the_sheet_had_been_right_from_the_start(
    rows: list[tuple[str, str, str]], fixes: dict[int, str], keep: Keep
) -> None:
    sheet = sheet_of(rows)
    fixes = {row: text for row, text in fixes.items() if row in set(sheet.rows)}
    corrected = correct_phones(checked(sheet, keep), fixes)
    right = [(fixes.get(number, row[0]), *row[1:]) for number, row in enumerate(rows, 5)]
    anew = checked(sheet_of(right), keep)
    pd.testing.assert_frame_equal(corrected.rows, anew.rows, check_categorical=False)
    pd.testing.assert_frame_equal(corrected.sendable, anew.sendable, check_categorical=False)


@pytest.fixture(scope="module")
def contacts() -> ContactList:
    return clean_contacts(read_sheet(b"Mobile\nnope\n07911123456\n"), country="GB")


def test_the_list_as_it_was_stays(contacts: ContactList) -> None:
    corrected = correct_phones(contacts, {2: "07911 123457"})
    assert corrected.rows["status"].tolist() == ["ok", "ok"]
    assert corrected.rows["raw_phone"].tolist() == ["07911 123457", "07911123456"]
    assert contacts.rows["status"].tolist() == ["invalid", "ok"]
    assert correct_phones(corrected, {3: "nope"}).rows["status"].tolist() == ["ok", "invalid"]
    assert correct_phones(contacts, {}) is contacts
    assert correct_phones(contacts, {2: "07911 123\ud83d457"}).rows["status"][0] == "invalid"


@each("fixes", [{99: "07911 123457"}, {2: "07911 123457", 1: "x"}, {447911123457: "x"}])
def test_a_row_that_is_not_there_is_not_corrected_in_silence(
    contacts: ContactList, fixes: dict[int, str]
) -> None:
    with pytest.raises(OptionError, match="no such row") as said:
        correct_phones(contacts, fixes)
    assert "447911" not in str(said.value)
    with pytest.raises(OptionError, match="no such row"):
        contacts.approve(fixes)
    assert contacts.approve([2]).counts() == contacts.counts()


@each(
    "keep, statuses",
    [
        ("first", ["ok", "duplicate", "duplicate"]),
        ("last", ["duplicate", "duplicate", "ok"]),
        ("warn", ["ok", "review", "review"]),
    ],
)
def test_of_rows_with_one_number(keep: Keep, statuses: list[str]) -> None:
    sheet = read_sheet(b"Mobile\n07911123456\n+44 7911 123456\n07911 123456\n")
    contacts = clean_contacts(sheet, country="GB", keep=keep)
    assert contacts.rows["status"].tolist() == statuses
    kept = 4 if keep == "last" else 2
    assert contacts.rows.loc[contacts.rows["row"] != kept, "duplicate_of"].tolist() == [kept, kept]
    assert set(contacts.rows["problem"].dropna()) == {"duplicate"}
    assert len(contacts.approve().sendable) == (3 if keep == "warn" else 1)
