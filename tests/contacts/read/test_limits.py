"""Bounds on a sheet: each is a setting, holds early, and its refusal says what was found and is allowed."""

from __future__ import annotations

import json
import sys
from functools import cache

import pandas as pd
import pytest
from each import each
from workbooks import bend, ods, xls, xlsx_of

from dashboard.contacts import Limits, read_sheet
from dashboard.errors import SheetError
from dashboard.settings import load_settings

MEGABYTE = 2**20
ROWS = [["phone", "name", "city"], *[["07400123456", "Ann", "York"]] * 9]
PEOPLE = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
WITH_ROWS = ["csv", "xlsx", "xls", "ods"]
RECORDS = ["json", "json lines", "parquet"]


@cache
def files() -> dict[str, bytes]:
    """The same people in files of every kind."""
    return {
        "csv": "\n".join(map(",".join, ROWS)).encode(),
        "json": json.dumps(PEOPLE).encode(),
        "json lines": b"\n".join(json.dumps(person).encode() for person in PEOPLE),
        "parquet": pd.DataFrame(PEOPLE).to_parquet(),
        "vcard": b"BEGIN:VCARD\nFN:Ann\nTEL:07400123456\nEND:VCARD\n" * 9,
        "xlsx": xlsx_of(ROWS),
        "xls": xls({"Sheet1": ROWS}),
        "ods": ods(ROWS),
    }


def test_every_limit_is_a_setting() -> None:
    assert Limits() == Limits.of(load_settings())
    bytes_ = {"upload_mb": 1, "inflated_mb": 2, "reader_memory_mb": 256}
    others = {"workbook_rows": 3, "csv_rows": 4, "sheet_columns": 5, "cell_characters": 6}
    assert Limits.of(load_settings(**bytes_, **others, reader_seconds=8)) == Limits(
        upload_bytes=MEGABYTE,
        inflated_bytes=2 * MEGABYTE,
        workbook_rows=3,
        csv_rows=4,
        columns=5,
        cell_characters=6,
        child_memory_bytes=256 * MEGABYTE,
        child_time_s=8.0,
    )


@pytest.mark.parametrize("name", ["json", "parquet", "vcard", "xlsx", "ods"])
def test_a_file_is_read_in_a_process_of_its_own(name: str) -> None:
    assert read_sheet(files()[name]).frame["phone"].tolist() == ["07400123456"] * 9


@pytest.mark.usefixtures("read_here")
@each("name", [*WITH_ROWS, *RECORDS, "vcard"])
def test_too_many_rows(name: str) -> None:
    with pytest.raises(SheetError, match=r"most.*\b5\b|\b5\b.*(most|Split)"):
        read_sheet(files()[name], limits=Limits(csv_rows=5, workbook_rows=5))


@pytest.mark.usefixtures("read_here")
@each("name", [*WITH_ROWS, *RECORDS, "vcard"])
def test_too_many_columns(name: str) -> None:
    with pytest.raises(SheetError, match=r"(\b(3|\d\d) columns|column [23]\b).*\b(most 1 can|1 columns)"):
        read_sheet(files()[name], limits=Limits(columns=1))


def lines(*rows: list[str], end: str = "", sign: str = ",") -> bytes:
    return "".join(f"{sign.join(row)}{end}\n" for row in rows).encode()


@pytest.mark.usefixtures("read_here")
def test_the_most_columns_are_read_and_not_one_more_whatever_ends_a_row() -> None:
    for most in (1, 2, 3, 7, 500):
        names = ["phone", *(f"c{place}" for place in range(most))]
        cells = ["07400123456", *"x" * most]
        fit, more = [(names[:width], cells[:width]) for width in (most, most + 1)]
        signs = [",", ";", "\t"] if most > 1 else [","]
        for sheet in [lines(*fit, end=end, sign=sign) for sign in signs for end in ("", sign)]:
            assert read_sheet(sheet, limits=Limits(columns=most)).frame.shape == (1, most)
        beyond = [lines(fit[0], more[1]), lines(more[0], fit[1])]  # named only, or filled only
        for sheet in [*(lines(*more, end=end, sign=sign) for sign in signs for end in ("", sign)), *beyond]:
            with pytest.raises(SheetError, match=f"at most {most} can be read"):
                read_sheet(sheet, limits=Limits(columns=most))


@pytest.mark.usefixtures("read_here")
@each("name", [*WITH_ROWS, *RECORDS, "vcard"])
def test_a_cell_that_is_too_long(name: str) -> None:
    row = 2 if name in WITH_ROWS else 1
    with pytest.raises(SheetError, match=f"row {row} has 11 characters, more than the 10 allowed"):
        read_sheet(files()[name], limits=Limits(cell_characters=10))


@each("name", [*WITH_ROWS[1:], *RECORDS, "vcard"])
def test_too_much_time(name: str) -> None:
    with pytest.raises(SheetError, match=r"memory or time.*(0\.0001|1e-04)"):
        read_sheet(files()[name], limits=Limits(child_time_s=0.0001))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory for sure")
@each("name", ["json", "parquet", "xlsx", "xls", "ods"])
def test_too_much_memory(name: str) -> None:
    with pytest.raises(SheetError, match="more memory or time than is allowed"):
        read_sheet(files()[name], limits=Limits(child_memory_bytes=48 * MEGABYTE))


TOO_LONG = "row 2 has 5,242,880 characters, more than the 32,767 allowed"


@each("mark", [b"", b'"'])
def test_a_cell_of_many_megabytes(mark: bytes) -> None:
    with pytest.raises(SheetError, match=TOO_LONG):
        read_sheet(b"phone,name\n1," + mark + b"x" * 5 * MEGABYTE + mark + b"\n2,Bob\n")


def test_a_long_cell_in_a_row_of_another_width() -> None:
    """Nothing is raised where it would be printed and lost: in what pyarrow calls for such a row."""
    with pytest.raises(SheetError, match="row 2 has 200,000 characters"):
        read_sheet(b"phone,name\n07400 123456,Ann," + b"x" * 200_000 + b"\n")


def test_a_text_of_many_megabytes_in_a_small_workbook() -> None:
    long = b">" + b"x" * 5 * MEGABYTE + b"<"
    bomb = bend(xlsx_of([["phone"], ["1"]]), "xl/sharedStrings.xml", lambda xml: xml.replace(b">1<", long))
    assert len(bomb) < MEGABYTE
    with pytest.raises(SheetError, match=TOO_LONG):
        read_sheet(bomb)


@each("line_end", ["\n", "\r\n", "\r"])
@each("delimiter", [",", ";", "\t", "|"])
@each("quoted", [False, True])
def test_hundreds_of_empty_cells_at_the_end_of_lines_do_not_count(
    line_end: str, delimiter: str, *, quoted: bool
) -> None:
    """GOV.UK Notify's own test files have thousands: a program wrote as far as cells were styled."""
    name = f'"Smith{delimiter} Ann"' if quoted else "Ann"
    rows = [["phone", "name"], ["07400 123456", name], ["07400 123457", "Bob"]]
    far = [delimiter.join(row) + delimiter * (2_000 + place) for place, row in enumerate(rows)]
    sheet = read_sheet(line_end.join(far).encode())
    assert list(sheet.frame) == ["phone", "name"]
    assert sheet.frame["name"].tolist() == [name.strip('"'), "Bob"]
    assert sheet.frame["phone"].tolist() == ["07400 123456", "07400 123457"]
    with pytest.raises(SheetError, match="columns; at most 500 can be read"):
        read_sheet(line_end.join([*far, f"{far[0]}x"]).encode())


def test_a_line_of_a_million_empty_cells_is_read() -> None:
    assert list(read_sheet(b"phone" + b"," * 2_000_000 + b"\n07400 123456\n").frame) == ["phone"]
