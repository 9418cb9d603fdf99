"""A process keeps its locks on a SQLite ledger, whatever else it does with the file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from each import each
from pandas import DataFrame
from patience import PATIENCE_S

from dashboard.campaigns import read_prices
from dashboard.contacts import clean_csv_stream, read_sheet, write_csv
from dashboard.errors import (
    CampaignError,
    DashboardError,
    LedgerError,
    LedgerUnavailableError,
    OutputError,
    ReportFileError,
    SheetError,
)
from dashboard.ledger import Ledger
from dashboard.ledger.copies.before_upgrade import copy_before_upgrade
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.ledger_file import check_file
from dashboard.ledger.database.pulse import pulse
from dashboard.ledger.examined import examine
from dashboard.reports import read_reports

OPENS_AND_CLOSES = """
import sqlite3, sys
ledger = sqlite3.connect(sys.argv[1])
print(ledger.execute("SELECT count(*) FROM opt_out").fetchone()[0])
ledger.close()
"""


def read(path: Path) -> None:
    with Ledger.open(path, read_only=True) as ledger:
        ledger.campaigns()


def back_up(path: Path) -> None:
    with Ledger.open(path, read_only=True) as ledger:
        ledger.back_up(path.with_name("copy"))


def export(path: Path) -> None:
    with Ledger.open(path.with_name("ledger.sqlite"), read_only=True) as ledger:
        ledger.write_parquet(path.parent)


def before_upgrade(path: Path) -> None:
    with closing(Database(path)) as database:
        copy_before_upgrade(database, 3, datetime.now(UTC))


def linked(call: Callable[[Path], object], name: str) -> Callable[[Path], object]:
    """Something that is done with it by another name."""

    def look(path: Path) -> None:
        link = path.with_name(name)
        link.symlink_to(path)
        call(link)

    return look


def refused(call: Callable[[Path], object], error: type[DashboardError]) -> Callable[[Path], object]:
    """Something that is not done with a ledger's file, and says so."""

    def look(path: Path) -> None:
        with pytest.raises(error):
            call(path)

    return look


SECOND_LOOKS: dict[str, Callable[[Path], object]] = {
    "it is opened for reading": read,
    "it is opened for writing": lambda path: Ledger.open(path).close(),
    "by another name": linked(read, "link.sqlite"),
    "its file is checked": check_file,
    "it is examined": lambda path: examine(str(path)),
    "it is backed up": back_up,
    "it is copied before an upgrade": before_upgrade,
    "a table is to be written there": refused(lambda path: write_csv(DataFrame(), path), OutputError),
    "it is read as a sheet": refused(read_sheet, SheetError),
    "it is read as a large sheet": refused(
        lambda path: clean_csv_stream(path, path.with_name("out"), country="GB"), SheetError
    ),
    "it is read as a large table": linked(
        refused(lambda path: clean_csv_stream(path, path.with_name("out"), country="GB"), SheetError),
        "link.parquet",
    ),
    "tables are to be written beside it": linked(refused(export, LedgerError), "messages.parquet"),
    "it is read as reports": refused(read_reports, ReportFileError),
    "it is read as prices": refused(read_prices, CampaignError),
}


@each("look", SECOND_LOOKS)
def test_while_it_is_open_a_second_look_leaves_it_its_locks(
    tmp_path_factory: pytest.TempPathFactory, look: str
) -> None:
    """Without them, another program that closes the ledger deletes the log that is written to here."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    with Ledger.open(path) as ledger:
        ledger.add_opt_outs(["+447400900001"])
        SECOND_LOOKS[look](path)
        assert opt_outs_that_another_program_sees(path) == 1
        assert path.with_name("ledger.sqlite-wal").exists()
        ledger.add_opt_outs(["+447400900002"])
        assert opt_outs_that_another_program_sees(path) == 2


def test_nobody_waits_for_a_file_that_is_read_slowly_to_open_a_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from a disk that does not answer: sending goes on, and the dashboard says that it is well."""
    sheet, being_read, go_on = tmp_path / "sheet.csv", Event(), Event()
    sheet.write_bytes(b"phone\n+447400900001\n")
    opens = Path.open

    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if size == -1:
                being_read.set()
                go_on.wait(PATIENCE_S)
            return super().read(size)

    def slowly(path: Path, *how: Any, **options: Any) -> Any:
        return Slow(b"phone\n+447400900001\n") if path == sheet else opens(path, *how, **options)

    monkeypatch.setattr(Path, "open", slowly)
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(read_sheet, sheet)
        try:
            assert being_read.wait(PATIENCE_S)
            pool.submit(lambda: Ledger.open(tmp_path / "ledger.sqlite").close()).result(10)
            assert not reading.done()
        finally:
            go_on.set()
        assert len(reading.result().frame) == 1


def opt_outs_that_another_program_sees(path: Path) -> int:
    words = [sys.executable, "-c", OPENS_AND_CLOSES, str(path)]
    return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def test_a_process_forked_while_it_is_open_uses_other_ledgers_only(tmp_path: Path) -> None:
    """The child would take its parent's locks for its own, and SQLite let others delete the log in use."""
    path = tmp_path / "ledger.sqlite"
    ledger, closed = Ledger.open(path), Ledger.open(tmp_path / "closed.sqlite")
    ledger.add_opt_outs(["+447400900001"])
    closed.close()

    def forked() -> None:
        uses = (ledger.campaigns, lambda: ledger.add_opt_outs(["+447400900002"]), ledger.database.empty_log)
        opens = (lambda: Ledger.open(path), lambda: read(path), lambda: examine(str(path)))
        for refused in (*uses, *opens):
            with pytest.raises(LedgerError, match="was forked from one that"):
                refused()
        assert closed.campaigns().empty
        closed.add_opt_outs(["+447400900003"])
        Ledger.open(tmp_path / "other.sqlite").close()

    with ledger.database.one_moment():
        run_forked(forked)
    ledger.add_opt_outs(["+447400900002"])
    assert opt_outs_that_another_program_sees(path) == 2
    ledger.close()
    run_forked(lambda: read(path))


def run_forked(call: Callable[[], object]) -> None:
    process = get_context("fork").Process(target=call)
    process.start()
    process.join(PATIENCE_S)
    assert process.exitcode == 0


def test_a_ledger_whose_disk_is_gone_is_away_and_not_made_anew(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with Ledger.open(disk / "ledger.sqlite") as ledger, closing(Database(ledger.database.url)) as unused:
        ledger.add_opt_outs(["+447400900001"])
        disk.rename(tmp_path / "away")
        disk.mkdir()
        for database in (ledger.database, unused):
            for use in (database.read, database.write):
                with pytest.raises(LedgerUnavailableError), use():
                    pass
            assert not database.empty_log()
            assert pulse(database) == "no answer"
        assert not any(disk.iterdir())
        disk.rmdir()
        (tmp_path / "away").rename(disk)
        ledger.add_opt_outs(["+447400900002"])
        assert set(ledger.opt_outs()["phone"]) == {"+447400900001", "+447400900002"}
