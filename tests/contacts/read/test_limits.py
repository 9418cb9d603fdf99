"""Bounds on a sheet: each is a setting, holds early, and its refusal says what was found and is allowed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from each import each
from workbooks import bend, in_every_kind, xlsb, xlsx_of

from dashboard.contacts import Limits, read_sheet
from dashboard.errors import SheetError
from dashboard.settings import load_settings

MEGABYTE = 2**20
ROWS = [["phone", "name", "city"], *[["07400123456", "Ann", "York"]] * 9]
FILES = in_every_kind(ROWS) | {"vcard": b"BEGIN:VCARD\nFN:Ann\nTEL:07400123456\nEND:VCARD\n" * 9}
WITH_ROWS = ["csv", "xlsx", "xls", "ods"]
EVERY = [*WITH_ROWS, "json", "json lines", "parquet", "vcard"]


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


@each("name", ["json", "parquet", "vcard", "xlsx", "ods"])
def test_a_file_is_read_in_a_process_of_its_own(name: str) -> None:
    assert read_sheet(FILES[name]).frame["phone"].tolist() == ["07400123456"] * 9


@pytest.mark.usefixtures("read_here")
@each("name", EVERY)
@each(
    "limits, says",
    [
        (Limits(csv_rows=5, workbook_rows=5), r"most.*\b5\b|\b5\b.*(most|Split)"),
        (Limits(columns=1), r"(\b(3|\d\d) columns|column [23]\b).*\b(most 1 can|1 columns)"),
        (Limits(cell_characters=10), "row {} has 11 characters, more than the 10 allowed"),
    ],
)
def test_too_many_rows_or_columns_or_too_long_a_cell(name: str, limits: Limits, says: str) -> None:
    with pytest.raises(SheetError, match=says.replace("{}", "2" if name in WITH_ROWS else "1")):
        read_sheet(FILES[name], limits=limits)


def lines(*rows: list[str], end: str = "", sign: str = ",") -> bytes:
    return "".join(f"{sign.join(row)}{end}\n" for row in rows).encode()


@pytest.mark.usefixtures("read_here")
@each("most, signs", [(1, ","), (3, ",;\t"), (500, ",")])
def test_the_most_columns_are_read_and_not_one_more_whatever_ends_a_row(most: int, signs: str) -> None:
    names = ["phone", *(f"c{place}" for place in range(most))]
    cells = ["07400123456", *"x" * most]
    fit, more = [(names[:width], cells[:width]) for width in (most, most + 1)]
    for sheet in [lines(*fit, end=end, sign=sign) for sign in signs for end in ("", sign)]:
        assert read_sheet(sheet, limits=Limits(columns=most)).frame.shape == (1, most)
    beyond = [lines(fit[0], more[1]), lines(more[0], fit[1])]  # named only, or filled only
    for sheet in [*(lines(*more, end=end, sign=sign) for sign in signs for end in ("", sign)), *beyond]:
        with pytest.raises(SheetError, match=f"at most {most} can be read"):
            read_sheet(sheet, limits=Limits(columns=most))


@each("name", EVERY[1:])
def test_too_much_time(name: str) -> None:
    with pytest.raises(SheetError, match=r"memory or time.*(0\.0001|1e-04)"):
        read_sheet(FILES[name], limits=Limits(child_time_s=0.0001))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory for sure")
@each("name", ["json", "parquet", "xlsx", "xls", "ods"])
def test_too_much_memory(name: str) -> None:
    with pytest.raises(SheetError, match="more memory or time than is allowed"):
        read_sheet(FILES[name], limits=Limits(child_memory_bytes=48 * MEGABYTE))


TOO_LONG = "row 2 has 5,242,880 characters, more than the 32,767 allowed"


def test_a_long_cell_in_a_row_of_another_width() -> None:
    """Nothing is raised where it would be printed and lost: in what pyarrow calls for such a row."""
    with pytest.raises(SheetError, match="row 2 has 200,000 characters"):
        read_sheet(b"phone,name\n07400 123456,Ann," + b"x" * 200_000 + b"\n")


def test_a_cell_of_many_megabytes() -> None:
    long = b">" + b"x" * 5 * MEGABYTE + b"<"
    bomb = bend(xlsx_of([["phone"], ["1"]]), "xl/sharedStrings.xml", lambda xml: xml.replace(b">1<", long))
    assert len(bomb) < MEGABYTE
    sheets = [b"phone,name\n1," + mark + long[1:-1] + mark + b"\n2,Bob\n" for mark in (b"", b'"')]
    for content in (bomb, *sheets):
        with pytest.raises(SheetError, match="row 2 has 5,242,880 characters, more than the 32,767 allowed"):
            read_sheet(content)


@each("line_end", ["\n", "\r\n", "\r"])
@each("delimiter", [",", ";", "\t", "|"])
def test_hundreds_of_empty_cells_at_the_end_of_lines_do_not_count(line_end: str, delimiter: str) -> None:
    """GOV.UK Notify's own test files have thousands: a program wrote as far as cells were styled."""
    for name in ("Ann", f'"Smith{delimiter} Ann"'):
        rows = [["phone", "name"], ["07400 123456", name], ["07400 123457", "Bob"]]
        far = [delimiter.join(row) + delimiter * (2_000 + place) for place, row in enumerate(rows)]
        sheet = read_sheet(line_end.join(far).encode())
        assert [[*sheet.frame], *sheet.frame.to_numpy().tolist()] == [
            rows[0],
            [rows[1][0], name.strip('"')],
            rows[2],
        ]
        with pytest.raises(SheetError, match="columns; at most 500 can be read"):
            read_sheet(line_end.join([*far, f"{far[0]}x"]).encode())


def test_a_line_of_a_million_empty_cells_is_read() -> None:
    assert list(read_sheet(b"phone" + b"," * 2_000_000 + b"\n07400 123456\n").frame) == ["phone"]


def test_a_binary_workbook_that_its_reader_gives_up_on_is_refused_in_a_true_sentence() -> None:
    begin, row = b"\x91\x01\x00", b"\x00\x19" + bytes(25)  # BrtBeginSheetData, BrtRowHdr
    text_without_its_place = b"\x07\x08" + bytes(8)  # BrtCellIsst
    odd = begin + row + text_without_its_place
    whole = xlsb([["phone"], ["07911123456"]])
    with pytest.raises(SheetError, match="cannot be read, though it may not be damaged"):
        read_sheet(bend(whole, "xl/worksheets/sheet1.bin", lambda part: part.replace(begin, odd)))


def test_without_bounds_of_the_system_sizes_and_time_still_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no module `resource`."""
    (tmp_path / "resource.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert read_sheet(FILES["xlsx"], limits=Limits(child_memory_bytes=2**20)).frame["name"][0] == "Ann"
    with pytest.raises(SheetError, match="memory or time"):
        read_sheet(FILES["xlsx"], limits=Limits(child_time_s=0.001))
    with pytest.raises(SheetError, match="at most 1 rows and 500 columns"):
        read_sheet(FILES["xlsx"], limits=Limits(workbook_rows=1))
