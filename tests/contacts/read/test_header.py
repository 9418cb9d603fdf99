"""The header is found whatever stands around it, and nobody above it is lost."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from header_forms import under
from one_sheet import phones
from vector_files import VECTORS, vectors

from dashboard.contacts import ColumnMap, Sheet, clean_contacts, guess_columns, read_sheet
from dashboard.errors import SheetError

LAYOUTS = vectors("layouts.csv")
REPORT = b"Report\nBy,Sam\nDate,2026-05-01\n\n"


@each("case", vectors("header_rows.csv"))
def test_header_row(case: dict[str, str]) -> None:
    """Of twenty-odd languages, with cells as sheets have them."""
    guessed = guess_columns(under(case))
    assert "|".join(guessed.phones) == case["phones"]
    several = [("consent", guessed.consents), ("opt_out", guessed.opt_outs)]
    found = {*guessed.fields.items(), *((field, column) for field, of in several for column in of)}
    assert {f"{field}={column}" for field, column in found} == set(filter(None, case["fields"].split("|")))


def read(case: dict[str, str]) -> tuple[Sheet, ColumnMap]:
    sheet = read_sheet(VECTORS / "layouts" / case["file"])
    return sheet, guess_columns(sheet)


@each("case", LAYOUTS)
def test_a_real_layout_is_read_right(case: dict[str, str]) -> None:
    sheet, columns = read(case)
    assert sheet.header_row == (int(case["header_row"]) if case["header_row"] else None)
    assert sheet.rows.tolist() == [int(row) for row in case["rows"].split()]
    assert list(columns.phones) == case["phones"].split(" | ")


def test_the_phones_of_real_layouts_are_found() -> None:
    """Of all files in one sheet, whose columns are those of each in their order."""
    frames = []
    for sheet, columns in map(read, LAYOUTS):
        numbers = sheet.frame[[*columns.phones]]
        numbered = numbers.set_axis(map(str, range(numbers.shape[1])), axis="columns")
        frames.append(numbered.assign(country=sheet.frame[columns.country] if columns.country else ""))
    together = pd.concat(frames, ignore_index=True).fillna("")
    columns = ColumnMap(phones=tuple(sorted({*together} - {"country"})), country="country")
    rows = clean_contacts(together, country="GB", columns=columns).rows
    assert rows["phone"].dropna().tolist() == " ".join(case["numbers"] for case in LAYOUTS).split()


@each(
    "content, header_row, names",
    [
        (b"\n" * 40 + b"phone,name\n07911123456,Ann\n", 41, "phone|name"),
        (REPORT + b"Filter: all\n,\nphone,name\n07911123456,Ann\n", 7, "phone|name"),
        (REPORT + b"xx,yy\n07911123456,Ann\n07911123457,Bo\n", 5, "xx|yy"),
        (b"2025,2026,phone\n1,2,07911123456\n", 1, "2025|2026|phone"),
        (b"2026-05-01,7400123456,07911123456\n,7400123457,07911123457\n", None, "column 1|column 2|phone"),
        ("📱 phone,👤\n07911123456,Ann 🎉\n".encode(), 1, "📱 phone|👤"),
    ],
)
def test_the_header_is_found(content: bytes, header_row: int | None, names: str) -> None:
    sheet = read_sheet(content)
    assert (sheet.header_row, "|".join(sheet.frame)) == (header_row, names)
    found = guess_columns(sheet)
    phone = [*found.phones, *found.offered][0]  # under an unknown word it is only offered
    assert sheet.frame[phone].iloc[0] == "07911123456"


def people_around(above: int, line: str, below: int) -> bytes:
    people = [f"Ann{place},{phone}" for place, phone in enumerate(phones(above + below))]
    return "\n".join([*people[:above], line, *people[above:]]).encode()


@each(
    "above, line",
    [
        *((0, "STOP"), (1, "Do not text"), (2, "Unsubscribed:"), (5, "Removed"), (12, "Opt-outs")),
        *((1, "Stop list"), (2, "Bajas")),
    ],
)
def test_a_line_that_refuses_is_never_a_header(above: int, line: str) -> None:
    sheet = read_sheet(people_around(above, f"{line},", 3))
    assert (sheet.header_row, len(sheet.frame)) == (None, above + 4)


@each("header", ["Name,Mobile", "Opt out,Phone"])
def test_no_header_has_phones_above_it(header: str) -> None:
    assert len(read_sheet(people_around(4, header, 3)).frame) == 8


@each("content", [b"phone,name\n", b"Our list\n\nphone,name\n,\n"])
def test_column_names_alone_are_refused(content: bytes) -> None:
    with pytest.raises(SheetError, match="column names and no rows below them"):
        read_sheet(content)


def test_the_header_can_be_given() -> None:
    content = b"list,2026\nnumber,who\n07911123456,Ann\n"
    assert list(read_sheet(content, header_row=2).frame) == ["number", "who"]
    assert list(read_sheet(content, header_row=1).frame) == ["list", "2026"]
    assert read_sheet(content, header_row=0).rows.tolist() == [1, 2, 3]
    with pytest.raises(SheetError, match="no row 9"):
        read_sheet(content, header_row=9)
