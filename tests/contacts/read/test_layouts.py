"""Layouts of real exports (tests/vectors/layouts): header, rows and phone columns, in order."""

from __future__ import annotations

import pandas as pd
from each import each
from vector_files import VECTORS, vectors

from dashboard.contacts import ColumnMap, Sheet, clean_contacts, guess_columns, read_sheet

LAYOUTS = VECTORS / "layouts"
CASES = vectors("layouts.csv")


def read(case: dict[str, str]) -> tuple[Sheet, ColumnMap]:
    sheet = read_sheet(LAYOUTS / case["file"])
    return sheet, guess_columns(sheet)


@each("case", CASES)
def test_a_real_layout_is_read_right(case: dict[str, str]) -> None:
    sheet, columns = read(case)
    assert sheet.header_row == (int(case["header_row"]) if case["header_row"] else None)
    assert sheet.rows.tolist() == [int(row) for row in case["rows"].split()]
    assert list(columns.phones) == case["phones"].split(" | ")


def test_the_phones_of_real_layouts_are_found() -> None:
    """Of all files in one sheet, whose columns are those of each in their order."""
    frames = []
    for sheet, columns in map(read, CASES):
        phones = sheet.frame[[*columns.phones]]
        numbered = phones.set_axis(map(str, range(phones.shape[1])), axis="columns")
        frames.append(numbered.assign(country=sheet.frame[columns.country] if columns.country else ""))
    together = pd.concat(frames, ignore_index=True).fillna("")
    columns = ColumnMap(phones=tuple(sorted({*together} - {"country"})), country="country")
    rows = clean_contacts(together, country="GB", columns=columns).rows
    assert rows["phone"].dropna().tolist() == " ".join(case["numbers"] for case in CASES).split()
