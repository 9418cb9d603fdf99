"""Bounds on a sheet: each is a setting, holds early, and its refusal says what was found and is allowed."""

from __future__ import annotations

import io
import json
import sys
import time
import zipfile
from collections.abc import Callable

import pandas as pd
import pytest
from each import each
from workbooks import bend, ods, xls, xlsx_of

from dashboard.contacts import Limits, read_sheet
from dashboard.errors import SheetError
from dashboard.settings import load_settings

MEGABYTE = 2**20
ROWS = [["phone", "name", "city"], *[["07400123456", "Ann", "York"]] * 9]
GUIDE = Limits(
    upload_bytes=100 * MEGABYTE,
    inflated_bytes=1024 * MEGABYTE,
    workbook_rows=1_048_576,
    csv_rows=5_000_000,
    columns=500,
    cell_characters=32_767,
    child_memory_bytes=4096 * MEGABYTE,
    child_time_s=60.0,
)


def csv_of() -> bytes:
    return "\n".join(map(",".join, ROWS)).encode()


def json_of() -> bytes:
    return json.dumps([dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]).encode()


def json_lines_of() -> bytes:
    return b"\n".join(json.dumps(dict(zip(ROWS[0], row, strict=True))).encode() for row in ROWS[1:])


def parquet_of() -> bytes:
    content = io.BytesIO()
    pd.DataFrame(ROWS[1:], columns=ROWS[0]).to_parquet(content)
    return content.getvalue()


def cards_of() -> bytes:
    return b"BEGIN:VCARD\nFN:Ann\nTEL:07400123456\nEND:VCARD\n" * 9


FORMATS: dict[str, Callable[[], bytes]] = {
    "csv": csv_of,
    "json": json_of,
    "json lines": json_lines_of,
    "parquet": parquet_of,
    "vcard": cards_of,
    "xlsx": lambda: xlsx_of([*ROWS]),
    "xls": lambda: xls({"Sheet1": ([*ROWS], 0)}),
    "ods": lambda: ods([*ROWS]),
}
NAMED_COLUMNS = sorted(FORMATS.keys() - {"vcard"})


def test_the_settings_default_to_the_guide() -> None:
    assert Limits() == Limits.of(load_settings()) == GUIDE


def test_every_limit_is_a_setting() -> None:
    changed = Limits.of(
        load_settings(
            upload_mb=1,
            inflated_mb=2,
            workbook_rows=3,
            csv_rows=4,
            sheet_columns=5,
            cell_characters=6,
            reader_memory_mb=256,
            reader_seconds=8,
        )
    )
    assert changed == Limits(
        upload_bytes=MEGABYTE,
        inflated_bytes=2 * MEGABYTE,
        workbook_rows=3,
        csv_rows=4,
        columns=5,
        cell_characters=6,
        child_memory_bytes=256 * MEGABYTE,
        child_time_s=8.0,
    )


def test_a_file_of_too_many_bytes() -> None:
    with pytest.raises(SheetError, match=r"Files of up to 0.5 MB can be read; this one has 0.6 MB. Split it"):
        read_sheet(b"phone\n" * 100_000, limits=Limits(upload_bytes=MEGABYTE // 2))


@pytest.mark.parametrize("name", FORMATS)
def test_too_many_rows(name: str) -> None:
    with pytest.raises(SheetError, match=r"most.*\b5\b|\b5\b.*(most|Split)"):
        read_sheet(FORMATS[name](), limits=Limits(csv_rows=5, workbook_rows=5))


@pytest.mark.parametrize("name", NAMED_COLUMNS)
def test_too_many_columns(name: str) -> None:
    with pytest.raises(SheetError, match=r"(\b3 columns|column [23]\b).*\b(most 1 can|1 columns)"):
        read_sheet(FORMATS[name](), limits=Limits(columns=1))


@pytest.mark.parametrize("name", FORMATS)
def test_a_cell_that_is_too_long(name: str) -> None:
    with pytest.raises(SheetError, match="has 11 characters, more than the 10 allowed"):
        read_sheet(FORMATS[name](), limits=Limits(cell_characters=10))


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"csv"}))
def test_too_much_time(name: str) -> None:
    with pytest.raises(SheetError, match=r"0.0001|1e-04"):
        read_sheet(FORMATS[name](), limits=Limits(child_time_s=0.0001))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory for sure")
@pytest.mark.parametrize("name", ["json", "parquet", "xlsx", "xls", "ods"])
def test_too_much_memory(name: str) -> None:
    with pytest.raises(SheetError, match="more memory or time than is allowed"):
        read_sheet(FORMATS[name](), limits=Limits(child_memory_bytes=48 * MEGABYTE))


@pytest.mark.parametrize("quoted", [False, True])
def test_a_cell_of_many_megabytes(quoted: bool) -> None:
    mark = b'"' if quoted else b""
    cell = mark + b"x" * 40 * MEGABYTE + mark
    with pytest.raises(SheetError, match="row 2 has 41,943,040 characters, more than the 32,767 allowed"):
        read_sheet(b"phone,name\n1," + cell + b"\n2,Bob\n")


def test_a_text_of_many_megabytes_in_a_small_workbook() -> None:
    bomb = bend(
        xlsx_of([["phone"], ["1"]]),
        "xl/sharedStrings.xml",
        lambda xml: xml.replace(b">1<", b">" + b"x" * 40 * MEGABYTE + b"<"),
    )
    assert len(bomb) < MEGABYTE
    with pytest.raises(SheetError, match="row 2 has 41,943,040 characters, more than the 32,767 allowed"):
        read_sheet(bomb)


def test_a_workbook_that_says_it_is_smaller_than_it_is() -> None:
    """The sizes in a ZIP archive are claims; what comes out is counted too."""
    bomb = bytearray(
        bend(xlsx_of([["phone"], ["1"]]), "xl/worksheets/sheet1.xml", lambda xml: xml + b" " * 3 * MEGABYTE)
    )
    with zipfile.ZipFile(io.BytesIO(bomb)) as archive:
        claimed = archive.getinfo("xl/worksheets/sheet1.xml").file_size.to_bytes(4, "little")
    lie = bytes(bomb).replace(claimed, (1000).to_bytes(4, "little"))
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(lie, limits=Limits(inflated_bytes=2 * MEGABYTE))


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


def test_a_line_of_a_million_empty_cells_is_read_at_once() -> None:
    started = time.process_time()
    with pytest.raises(SheetError, match="columns; at most 500 can be read"):
        read_sheet(b"phone" + b"," * 2_000_000 + b"x\n07400 123456\n")
    read_sheet(b"phone" + b"," * 2_000_000 + b"\n07400 123456\n")
    assert time.process_time() - started < 2
