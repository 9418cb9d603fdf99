"""A CSV file of any size: the same caution as for sheets, in pieces."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.parquet
import pytest
from each import each

from dashboard.contacts import ColumnMap
from dashboard.contacts.stream import csv_file
from dashboard.contacts.stream.files import clean_csv_stream
from dashboard.errors import ColumnError, CountryError, SheetError

PHONE_ONLY = ColumnMap(phones=("phone",))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make even a short file come in several pieces."""
    monkeypatch.setattr(csv_file, "_BLOCK_BYTES", 2_000)


def cleaned(folder: Path, content: str | bytes, **options: object) -> pd.DataFrame:
    source = folder / "contacts.csv"
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    report = clean_csv_stream(source, folder / "cleaned.parquet", **({"country": "GB"} | options))  # type: ignore[arg-type]
    frame = pyarrow.parquet.read_table(report.path).to_pandas()
    assert report.rows == len(frame) == report.counts["rows"].sum()
    return frame.astype(object).where(frame.notna(), None)


def test_every_row_gets_a_verdict_beside_its_cells(tmp_path: Path) -> None:
    frame = cleaned(
        tmp_path,
        "name,phone\nAnn,07400 123456\nBob,020 7946 0991\nCid,07400 123456 ext 5\nDee,n/a\nEve,\n"
        "Fay,(+44) 7400-123.457\nGus,+447400123456\n",
    )
    assert list(frame.columns) == [
        *["row", "name", "phone", "phone#2", "country", "line_type", "status", "problem", "problems"],
        *["repairs", "duplicate_of", "other_phones"],
    ]
    assert frame[["row", "name", "phone#2", "status", "problem", "duplicate_of"]].to_numpy().tolist() == [
        [2, "Ann", "+447400123456", "ok", None, None],
        [3, "Bob", "+442079460991", "invalid", "landline", None],
        [4, "Cid", "+447400123456", "duplicate", "duplicate", 2],
        [5, "Dee", None, "empty", "no_number", None],
        [6, "Eve", None, "empty", "no_number", None],
        [7, "Fay", "+447400123457", "ok", None, None],
        [8, "Gus", "+447400123456", "duplicate", "duplicate", 2],
    ]


@pytest.mark.usefixtures("small_blocks")
def test_runs_of_made_up_numbers_are_found_across_pieces(tmp_path: Path) -> None:
    lines = [f"+4474001{n:05d},{'x' * 40}" for n in range(300)]
    lines[150:150] = ["+447911123456,", "n/a,"]
    frame = cleaned(tmp_path, "phone,note\n" + "\n".join([*lines, "+447911123457,"]) + "\n")
    assert frame["problem"].value_counts().to_dict() == {"made_up_sequence": 300, "no_number": 1}
    assert frame["status"].value_counts().to_dict() == {"review": 300, "ok": 2, "empty": 1}


@each(
    "content, rows",
    [
        ("phone\n07400 123456\n\n07400 123457\n", [2, 4]),
        ('note,phone\n"two\nlines",07400 123456\n"x",07400 123457\n', [2, 3]),
        ("My list\n\nphone;name\n07400 123456;Ann\n07400 123457;Bob\n", [4, 5]),
        ("sep=;\nphone;name\n07400 123456;Ann\n", [2]),
        (b"\xef\xbb\xbfphone,name\r\n07400 123456,Ann\r\n", [2]),
        ("phone,name\n07400 123456,J\u00fcrgen\n".encode("cp1252"), [2]),
        ("phone\tname\n07400 123456\tJ\u00fcrgen\n".encode("utf-16"), [2]),
    ],
)
def test_rows_have_the_numbers_that_a_spreadsheet_program_shows(
    tmp_path: Path, content: str | bytes, rows: list[int]
) -> None:
    """Below blank rows and titles, in any encoding; a line break in a cell begins no row."""
    frame = cleaned(tmp_path, content)
    assert frame["row"].tolist() == rows
    assert set(frame.get("name", [])) <= {"Ann", "Bob", "J\u00fcrgen"}


@pytest.mark.parametrize("row", ["07400 123457,Bob,surplus", "07400 123457"])
def test_a_ragged_row_stops_the_cleaning_and_leaves_nothing_behind(tmp_path: Path, row: str) -> None:
    with pytest.raises(SheetError, match="more or fewer cells"):
        cleaned(tmp_path, f"phone,name\n07400 123456,Ann\n{row}\n", columns=PHONE_ONLY)
    assert [path.name for path in tmp_path.iterdir()] == ["contacts.csv"]


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(SheetError, match="cannot be opened"):
        clean_csv_stream(tmp_path / "missing.csv", tmp_path / "out.parquet", country="GB")
    with pytest.raises(ColumnError, match='no column "mobile"'):
        cleaned(tmp_path, "phone\n07400 123456\n", columns=ColumnMap(phones=("mobile",)))
    with pytest.raises(ColumnError, match="looks like phone numbers"):
        cleaned(tmp_path, "name,city\nAnn,Ulm\n")
    with pytest.raises(CountryError):
        cleaned(tmp_path, "phone\n07400 123456\n", country="gb")


@pytest.mark.usefixtures("small_blocks")
def test_progress_is_told_and_ends_at_all(tmp_path: Path) -> None:
    told: list[float] = []
    cleaned(tmp_path, "phone\n" + "07400 123456\n" * 2_000, on_progress=told.append)
    assert told == sorted(told)
    assert len(told) > 3
    assert told[-1] == 1.0
