"""A ledger that is damaged, or no ledger, or cannot be reached: said in a sentence, and left as it is."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Shell, contents, run

from dashboard.ledger import Ledger

ASKED: dict[str, tuple[str, ...]] = {
    "serve": (),
    "clean": ("clean", "s.csv", "--country", "GB"),
    "send": ("send", "s.csv", "--campaign", "x", "--country", "GB", "--template", "Hi", "--yes"),
    "worker": ("worker", "--until-done"),
    "statement": ("statement", "2026-11"),
    "export": ("export", "out"),
    "backup": ("backup", "copy"),
    "restore": ("restore",),
    "forget": ("forget", "--days", "30"),
}


def noise(path: Path) -> None:
    path.write_bytes(b"no database " * 500)


def diary(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE diary (day text)")


def truncated(path: Path) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    os.truncate(path, path.stat().st_size // 2)


def altered(path: Path) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\x5a" * 3000)


def newer(path: Path) -> None:
    Ledger.open(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as ledger, ledger:
        ledger.execute("INSERT INTO ledger_version VALUES (999, 0)")


DAMAGE: dict[str, Callable[[Path], None]] = {
    "noise": noise,
    "another program's": diary,
    "cut off": truncated,
    "altered": altered,
    "empty": Path.touch,
    "a folder": Path.mkdir,
    "newer": newer,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_ledger_is_said_and_left_alone(tmp_path: Path, damage: str) -> None:
    (tmp_path / "s.csv").write_text("name,phone\nAnn,+447400123456\n")
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "ledger.sqlite"
    DAMAGE[damage](path)
    before = contents(tmp_path)
    with closing(Shell(tmp_path, DASHBOARD_PORT=str(free_port()))) as shell:
        for asked, words in ASKED.items():
            done = shell(*words)
            assert "Traceback" not in done.stderr, asked
            assert done.returncode == 2, (asked, done.stdout, done.stderr)
            assert "ledger" in done.stderr, asked
    kept = {name: held for name, held in contents(tmp_path).items() if "/sandbox/" not in name}
    assert kept == before


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port: int = server.getsockname()[1]
    return port


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


@pytest.mark.parametrize("asked", ["statement", "worker", "forget"])
def test_a_postgresql_that_does_not_answer_is_said_without_its_password(tmp_path: Path, asked: str) -> None:
    address = "postgresql://ann:fictional-4711@127.0.0.1:1/ledger"
    done = run(tmp_path, *ASKED[asked], DASHBOARD_DATABASE_URL=address)
    assert done.returncode == 2
    assert "cannot be used now" in done.stderr
    assert "Traceback" not in done.stderr
    assert "fictional-4711" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    "address", ["postgresql://ann:fictional-4711@host:port/x", "nonsense", "mysql://x/y"]
)
def test_an_address_that_cannot_be_read_is_said_without_its_password(tmp_path: Path, address: str) -> None:
    done = run(tmp_path, *ASKED["statement"], DASHBOARD_DATABASE_URL=address)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "fictional-4711" not in done.stderr + done.stdout
