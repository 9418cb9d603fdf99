"""Files are written whole or not at all, and never over what is needed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from each import each

from dashboard.contacts import write_csv, write_xlsx
from dashboard.errors import OutputError
from dashboard.output import check_output, is_same_file, whole
from dashboard.reports import write_sheets

FRAME = pd.DataFrame({"name": ["Ann"]})
WRITERS: dict[str, Callable[[Path], None]] = {
    "csv": lambda target: write_csv(FRAME, target),
    "xlsx": lambda target: write_xlsx(FRAME, target),
    "sheets": lambda target: write_sheets({"A": FRAME}, target),
}


@each("place", ["nowhere/out", ".", "file/out", "loop"])
def test_where_nothing_can_be_written_is_a_sentence(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "loop").unlink(missing_ok=True)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match=r"cannot be written|not a file"):
        write_csv(FRAME, tmp_path / place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "loop"]


@each("writer", WRITERS)
def test_whoever_writes_replaces_neither_a_device_nor_a_ledger(tmp_path: Path, writer: str) -> None:
    with pytest.raises(OutputError):
        WRITERS[writer](Path("/dev/full"))
    assert Path("/dev/full").is_char_device()
    ledger = tmp_path / f"{writer}.sqlite"
    with closing(sqlite3.connect(ledger)) as made:
        made.execute("CREATE TABLE kept (x)")
    before = ledger.read_bytes()
    (link := tmp_path / f"{writer}.link").hardlink_to(ledger)
    with pytest.raises(OutputError, match="must not be changed"):
        WRITERS[writer](link)
    assert ledger.read_bytes() == before


def test_what_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("before")

    def fail() -> None:
        with whole(target) as part:
            part.write_text("half")
            Path("/dev/full").write_text("full")

    with pytest.raises(OutputError, match="No space left"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert target.read_text() == "before"


def test_a_link_stays_a_link_and_rights_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "out.csv", tmp_path / "link.csv"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    with whole(link) as part:
        part.write_text("after")
    assert (link.is_symlink(), target.read_text(), target.stat().st_mode & 0o777) == (True, "after", 0o640)


def test_nobodys_file_is_in_the_way(tmp_path: Path) -> None:
    """A neighbour named as an unfinished file might be is no unfinished file."""
    for name in ("out.csv.part", "out.csv.unfinished", "out.csv.tmp"):
        (tmp_path / name).write_text("mine")
    write_csv(FRAME, tmp_path / "out.csv")
    assert sum(path.read_text() == "mine" for path in tmp_path.iterdir()) == 3


ALIASES: dict[str, Callable[[Path], Path]] = {
    "itself": lambda path: path,
    "by way of": lambda path: path.parent / "sub" / ".." / path.name,
    "symbolic link": lambda path: _linked(path, os.symlink),
    "hard link": lambda path: _linked(path, os.link),
    "folder link": lambda path: _linked(path.parent, os.symlink) / path.name,
}


def _linked(path: Path, make: Callable[[Path, Path], None]) -> Path:
    link = path.parent / f"link{path.suffix}"
    make(path, link)
    return link


@pytest.mark.parametrize("alias", ALIASES)
def test_what_is_needed_is_known_under_every_name(tmp_path: Path, alias: str) -> None:
    (tmp_path / "sub").mkdir()
    sheet = tmp_path / "contacts.csv"
    sheet.write_text("phone\n")
    with pytest.raises(OutputError, match="must not be changed"):
        check_output(ALIASES[alias](sheet), keep=[sheet])
    assert sheet.read_text() == "phone\n"


def test_a_file_that_will_come_is_known_whatever_its_case(tmp_path: Path) -> None:
    assert is_same_file(tmp_path / "LEDGER.sqlite-WAL", tmp_path / "ledger.sqlite-wal")
    assert not is_same_file(tmp_path / "other.csv", tmp_path / "contacts.csv")
