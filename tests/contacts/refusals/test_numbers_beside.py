"""A number among the words of a row without a phone: the row refuses for it, wherever it is in the list."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors, comparable
from one_sheet import phones

from dashboard.contacts import ColumnMap, clean_contacts, correct_phones
from dashboard.contacts.refusals.numbers_beside import numbers_beside

LINES = {
    "Do not text {}": "opted_out",
    "Do not text: {}": "opted_out",
    "{} opted out": "opted_out",
    "STOP {}": "opted_out",
    "{} (no SMS)": "opted_out",
    "1. Opted out 2024-05-01: {}.": "opted_out",
    "Please note that Bo (2 kids) asked on 3 May not to be texted at {}": "opted_out",
    "Bo Jones {} opted out": "review",
    "{} moved away": "ok",
}
PHONES = dict(zip(LINES, phones(len(LINES)), strict=True))
NAMED = [line.format(f"0{PHONES[line][3:7]} {PHONES[line][7:]}") for line in LINES]
PEOPLE = [["Bo Jones", phone, "Hull"] for phone in PHONES.values()]
HEADER, OTHER = ["Name", "Mobile", "Town"], ["Ann", phones(len(LINES) + 1)[-1], "Hull"]


def through_both(rows: list[list[str]], path: Path) -> tuple[list[str], int]:
    """The statuses of those who have a phone, and how many rows reach nobody; the same by both doors."""
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    contacts, streamed = both_doors(path, country="GB")
    assert comparable(contacts.rows).equals(streamed)
    return contacts.rows.loc[contacts.rows["phone"].notna(), "status"].tolist(), contacts.unreached


@pytest.mark.parametrize("column", [0, 2])
@pytest.mark.parametrize("is_above", [True, False])
def test_a_line_that_names_a_number_refuses_for_it_and_for_nobody_else(
    column: int, is_above: bool, tmp_path: Path
) -> None:
    lines = [["", "", ""] for _ in NAMED]
    for line, text in zip(lines, NAMED, strict=True):
        line[column] = text
    around = [*lines, HEADER, *PEOPLE] if is_above else [HEADER, *PEOPLE, *lines]
    found, unreached = through_both([*around, OTHER], tmp_path / "list.csv")
    assert dict(zip(LINES, found, strict=False)) == LINES
    assert (found[-1], unreached) == ("ok", 0)


def test_what_a_line_said_of_a_number_stays_when_its_row_gets_a_phone() -> None:
    rows = [*PEOPLE[:1], ["Bo", "", f"opted out, {PHONES['Do not text {}']}"]]
    contacts = clean_contacts(pd.DataFrame(rows, columns=["Name", "Mobile", "Notes"]), country="GB")
    corrected = correct_phones(contacts, {3: OTHER[1]})
    assert corrected.rows["status"].tolist() == ["opted_out"] * 2


def test_what_may_refuse_for_a_number_is_asked() -> None:
    rows = [*PEOPLE[:1], [f"{PHONES['Do not text {}']} may opt out soon", "", ""]]
    contacts = clean_contacts(pd.DataFrame(rows, columns=HEADER), country="GB")
    assert contacts.questions[["words", "rows"]].to_numpy().tolist() == [[rows[1][0], 1]]


DANISH = {
    "ingen SMS til 20 12 34 56": [4520123456],
    "STOP 20123456, +45 31 22 33 44": [4520123456, 4531223344],
    "Opted out 2024-05-01": [],
    "Do not text 31.12.2024 12:30": [],
    "Do not text 31/12/24 12:30": [],
    "order 20123456": [],
    "STOP A20123456": [],
    "20123456@example.com opted out": [],
    "20123456": [],
}
"""Where numbers have eight digits, as dates do."""


def test_dates_and_ids_are_no_numbers() -> None:
    frame = pd.DataFrame({"Mobile": "", "Name": list(DANISH)}, dtype="str")
    found = numbers_beside(frame, ColumnMap(phones=("Mobile",)), "DK", among_words=True)
    told = pd.Series(found.own).groupby(found.rows).agg(list)
    assert dict(zip(DANISH, told.reindex(range(len(DANISH)), fill_value=[]), strict=True)) == DANISH


PERSONS = ["Bo Jones opted out", "NB: Bo has opted out", "Opted out: Bo Jones", "Bo Jones has opted out"]


def test_a_line_that_names_a_person_is_told(tmp_path: Path) -> None:
    rows = [HEADER, OTHER, *([line, "", ""] for line in PERSONS)]
    assert through_both(rows, tmp_path / "list.csv") == (["ok"], len(PERSONS))
