"""The sample sheets in data/: what README.md there promises, and that the generator still makes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.contacts import clean_contacts, read_sheet

DATA = Path(__file__).parents[2] / "data"
FILES = ["contacts.csv", "contacts.xlsx", "contacts_clean.csv"]
PROMISED = {
    "ok": 1_900,
    "review": 2,
    "invalid": 43,
    "duplicate": 30,
    "opted_out": 15,
    "empty": 11,
}


def generate(folder: Path) -> Path:
    subprocess.run([sys.executable, DATA / "generate.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def generated_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("again"))


@pytest.mark.parametrize("name", FILES)
def test_the_generator_makes_what_is_committed(generated: Path, name: str) -> None:
    made, committed = read_sheet(generated / name), read_sheet(DATA / name)
    assert made.frame.equals(committed.frame)
    assert made.rows.equals(committed.rows)
    assert made.notes == committed.notes


@pytest.mark.parametrize("name", FILES)
def test_the_generator_makes_the_same_bytes_every_time(
    generated: Path, generated_again: Path, name: str
) -> None:
    assert (generated_again / name).read_bytes() == (generated / name).read_bytes()


def test_both_messy_sheets_hold_what_is_promised_and_the_same_numbers() -> None:
    lists = [clean_contacts(read_sheet(DATA / name), country="GB") for name in FILES[:2]]
    for contacts in lists:
        assert contacts.rows["status"].value_counts().to_dict() == PROMISED | {"not_chosen": 0}
    from_csv, from_xlsx = (contacts.sendable["phone"].tolist() for contacts in lists)
    assert from_csv == from_xlsx


def test_every_row_of_the_clean_sheet_can_be_sent() -> None:
    contacts = clean_contacts(read_sheet(DATA / "contacts_clean.csv"), country="GB")
    assert len(contacts.sendable) == len(contacts.rows) == 50
