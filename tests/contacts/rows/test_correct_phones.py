"""Putting phones right: only these rows are read again, and the whole list agrees with cleaning it anew."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws, only_deep

from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Keep,
    Sheet,
    answer_questions,
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


RIGHT = ["07400 123456", "07400 223457", "07400 323458", "07400 423459"]


def of_cells(cells: list[str], title: str = "", hidden: int = 0) -> ContactList:
    frame = pd.DataFrame({"Mobile": cells, "Name": ["Ann" if cell in RIGHT else "" for cell in cells]})
    rows = pd.Series(range(2, 2 + len(cells)))
    sheet = Sheet("", frame, rows, hidden_rows=frozenset({hidden}), above=((title,),))
    return clean_contacts(sheet.without_hidden_rows(), country="GB")


MORE = only_deep((2, "Do not text", 0), (4, "Do not text", 2), (2, "", 3), (4, "", 0))


@pytest.mark.parametrize("how", [(2, "", 5), (4, "", 2), *MORE])
def test_lines_are_heard_anew(how: tuple[int, str, int]) -> None:
    """A cell that stands alone in its row is taken for a line, until there is a phone in it."""
    fix, title, hidden = how
    cells = ["nope", RIGHT[0], "VIP", RIGHT[1]]
    corrected = correct_phones(of_cells(cells, title, hidden), {fix: RIGHT[2]}).rows["status"]
    cells[fix - 2] = RIGHT[2]
    assert corrected.tolist() == of_cells(cells, title, hidden).rows["status"].tolist()


def test_a_line_that_refuses_does_so_when_its_cell_is_corrected() -> None:
    contacts = of_cells([RIGHT[0], "may want to opt out:", RIGHT[1]])
    assert "ok" not in correct_phones(contacts, {3: RIGHT[2]}).rows["status"].tolist()[1:]
    contacts = of_cells([RIGHT[0], "nope", RIGHT[1]])
    answered = answer_questions(contacts, dict.fromkeys(contacts.questions["question"], "must_not"))
    assert correct_phones(answered, {3: RIGHT[2]}).rows["status"].tolist()[2] == "opted_out"


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
