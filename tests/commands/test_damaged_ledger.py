"""A ledger that is damaged, or no ledger, or cannot be reached: said in a sentence, and left as it is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from command_line import contents, run
from each import each
from fixtures_ledger import messages_frame
from tiers import draws, only_deep

from dashboard.errors import LedgerDamagedError, LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.copies.copying import put_back
from dashboard.ledger.database import ledger_file
from dashboard.ledger.database.connections import Database

ASKED: tuple[tuple[str, ...], ...] = (
    (),
    ("clean", "s.csv", "--country", "GB"),
    ("send", "s.csv", "--campaign", "x", "--country", "GB", "--template", "Hi", "--yes"),
    ("worker", "--until-done"),
    ("statement", "2026-11"),
    ("export", "out"),
    ("backup", "copy"),
    ("restore",),
    ("forget", "--days", "30"),
)


def noise(path: Path) -> None:
    path.write_bytes(b"no database " * 500)


def diary(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE diary (day text)")


def namesake(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        for table in ("fact", "campaign", "batch", "message"):
            other.execute(f"CREATE TABLE {table} (day text)")


def truncated(path: Path, by: int | None = None) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    size = path.stat().st_size
    os.truncate(path, size // 2 if by is None else size - by)


def altered(path: Path) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\x5a" * 3000)


def newer(path: Path) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as ledger, ledger:
        ledger.execute("UPDATE fact SET value = '999' WHERE name = 'version'")


def garbled(path: Path, seed: int = 5) -> None:
    """Another program wrote over what names the tables: what SQLite says of that is no UTF-8 either."""
    Ledger.open(f"sqlite:///{path}").close()
    held = bytearray(path.read_bytes())
    name = held.index(b"CREATE")
    page_end = (name // 4096 + 1) * 4096
    held[name:page_end] = Random(seed).randbytes(page_end - name)  # noqa: S311 - a replayable draw
    path.write_bytes(held)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "noise": noise,
    "another program's": diary,
    "another program's with tables of the same names": namesake,
    "cut off": truncated,
    "cut off in its last page": lambda path: truncated(path, 4000),
    "altered": altered,
    "garbled": garbled,
    "empty": Path.touch,
    "a folder": Path.mkdir,
    "newer": newer,
}


@each("damage", DAMAGE)
def test_a_damaged_ledger_is_said_and_left_alone(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(ledger_file, "_BEING_MADE_S", 0.05)
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "s.csv").write_text("name,phone\nAnn,+447400123456\n")
    (folder / "data").mkdir()
    DAMAGE[damage](folder / "data" / "ledger.sqlite")
    before = contents(folder)
    for words in ASKED:
        done = run(folder, *words)
        assert "Traceback" not in done.stderr, words
        assert done.returncode == 2, (words, done.stdout, done.stderr)
        assert "ledger" in done.stderr, words
    assert contents(folder) == before


def test_a_copy_takes_the_place_of_a_damaged_ledger(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "ledger.sqlite"
    Ledger.open(f"sqlite:///{path}").close()
    assert run(tmp_path, "backup", "copy.sqlite").returncode == 0
    noise(path)
    done = run(tmp_path, "restore", "copy.sqlite")
    assert (done.returncode, done.stderr) == (0, "")
    kept = list(path.parent.glob("ledger.sqlite.before-*"))
    assert [one.read_bytes()[:11] for one in kept] == [b"no database"]
    Ledger.open(f"sqlite:///{path}", read_only=True).close()


def test_whatever_pages_are_damaged_a_backup_says_so_and_restore_works(tmp_path: Path) -> None:
    """Without a crash, and never as if no opt-outs were missing when some are."""
    path = tmp_path / "ledger.sqlite"
    url = f"sqlite:///{path}"
    listed = {f"+4477009{number:05}" for number in range(600)}
    with closing(Ledger.open(url)) as ledger:
        ledger.add_opt_outs(sorted(listed)[:1])
        ledger.back_up(tmp_path / "copy")
        ledger.add_opt_outs(sorted(listed))
        ledger.create_campaign("Spring", messages_frame(300), batch_size=50)
    good = path.read_bytes()
    pages = len(good) // 4096
    for seed in range(draws(24)):
        draw, bad = Random(seed), bytearray(good)  # noqa: S311 - a replayable draw
        for page in draw.sample(range(seed % 2, pages), 3):
            start = page * 4096 + (100 if page == 0 else 0)
            length = (page + 1) * 4096 - start
            bad[start : start + length] = draw.choice([bytes(length), draw.randbytes(length)])
        for file in tmp_path.glob("ledger.sqlite*"):
            file.unlink()
        path.write_bytes(bad)
        with pytest.raises(LedgerError), closing(Ledger.open(url, read_only=True)) as ledger:
            ledger.back_up(tmp_path / f"copy-{seed}")
        assert not (tmp_path / f"copy-{seed}").exists()
        with closing(Database(url, unseen=True)) as database:
            put_back(tmp_path / "copy", database, datetime.now(UTC))
        with closing(Ledger.open(url)) as restored:
            kept = set(restored.opt_outs()["phone"])
            assert kept == listed or restored.missing_opt_outs(), seed


@pytest.mark.parametrize("flipped", [0xFF, *only_deep(0x01)])
def test_whatever_byte_of_the_header_is_damaged_nothing_is_lost_or_it_is_said(
    tmp_path: Path, flipped: int
) -> None:
    path = tmp_path / "ledger.sqlite"
    url, listed = f"sqlite:///{path}", {"+447400900001", "+447400900002"}
    with closing(Ledger.open(url)) as ledger:
        ledger.add_opt_outs(sorted(listed))
    good, said = path.read_bytes(), set()
    for place in range(100):
        bad = bytearray(good)
        bad[place] ^= flipped
        for file in tmp_path.glob("ledger.sqlite-*"):
            file.unlink()
        path.write_bytes(bad)
        try:
            with closing(Ledger.open(url)) as ledger:
                assert set(ledger.opt_outs()["phone"]) == listed, place
        except LedgerDamagedError:
            said.add(place)
    assert said >= {0, 15, 18, 19, 21, 22, 23, 47}
