"""The sample sheets in data/: what README.md there promises, and that the generator still makes them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from dashboard.contacts import clean_contacts, read_sheet

DATA = Path(__file__).parents[2] / "data"
FILES = ["contacts.csv", "contacts.xlsx", "contacts_clean.csv"]
PROMISED = {"ok": 1_900, "review": 2, "invalid": 43, "duplicate": 30, "opted_out": 15, "empty": 11}


def test_the_generator_makes_what_is_committed_and_the_same_bytes_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("once", "again")]
    for folder in folders:
        folder.mkdir()
        monkeypatch.setattr("sys.argv", ["generate.py", str(folder)])
        runpy.run_path(str(DATA / "generate.py"), run_name="__main__")
    for name in FILES:
        made, committed = read_sheet(folders[0] / name), read_sheet(DATA / name)
        assert made.frame.equals(committed.frame)
        assert made.rows.equals(committed.rows)
        assert made.notes == committed.notes
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_both_messy_sheets_hold_what_is_promised_and_the_same_numbers() -> None:
    from_csv, from_xlsx = (read_sheet(DATA / name) for name in FILES[:2])
    assert from_csv.frame.equals(from_xlsx.frame)
    contacts = clean_contacts(from_csv, country="GB")
    assert contacts.rows["status"].value_counts().to_dict() == PROMISED | {"not_chosen": 0}


def test_every_row_of_the_clean_sheet_can_be_sent() -> None:
    contacts = clean_contacts(read_sheet(DATA / "contacts_clean.csv"), country="GB")
    assert len(contacts.sendable) == len(contacts.rows) == 50
