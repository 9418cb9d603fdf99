"""Whatever is asked of a command, what the user can put right ends in a sentence, not in a traceback."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import SAMPLES, contents, environment, run
from each import each
from forked import Forked, program
from patience import PATIENCE_S, wait_until

from dashboard.ledger import Ledger

GB = ("--country", "GB")
SEND = ("send", "s.csv", "--campaign", "x", *GB)
HI = (*SEND, "--template", "Hi", "--yes")
HALF = "Hi \udcff"
"""What a script in Latin-1 hands over: bytes that are no UTF-8 become halves of characters."""

OF_WORDS = ("--template", "--campaign", "--sender", "--tracking")
OFF_THE_CALENDAR = (
    *(("9999-12-31T23:59", zone) for zone in ("UTC", "America/New_York")),
    *(("0001-01-01T00:00", zone) for zone in ("UTC", "Asia/Tokyo")),
    *((at, "UTC") for at in ("9999-12-31T23:59-05:00", "0001-01-01T00:00+05:00")),
)
KEY = "fictional-4711"
UNREADABLE = (f"postgresql://ann:{KEY}@host:port/x", "nonsense", "mysql://x/y")
MISTAKES: dict[str, tuple[str | Path, ...]] = {
    "a folder as sheet": ("clean", "folder", *GB),
    "noise as csv": ("clean", "noise.csv", *GB),
    "noise as xlsx": ("clean", "noise.xlsx", *GB),
    "noise as parquet": ("clean", "noise.parquet", *GB),
    "nothing as csv": ("clean", "empty.csv", *GB),
    "a device as sheet": ("clean", "/dev/null", *GB),
    "header row beyond": ("clean", "s.csv", *GB, "--header-row", "99999999999999999999"),
    "odd delimiter": ("clean", "s.csv", *GB, "--delimiter", "xyz"),
    "odd encoding": ("clean", "s.csv", *GB, "--encoding", "nonsense"),
    "no such worksheet": ("clean", SAMPLES / "contacts.xlsx", *GB, "--worksheet", "zzz"),
    "out is the sheet": ("clean", "s.csv", *GB, "--out", "s.csv"),
    "out is a link to the sheet": ("clean", "s.csv", *GB, "--out", "link.csv"),
    "out is a folder": ("clean", "s.csv", *GB, "--out", "folder.csv"),
    "out is a device": ("clean", "s.csv", *GB, "--out", "full.csv"),
    "statement is a folder": ("statement", "2026-11", "--out", "folder"),
    "statement on a full disk": ("statement", "2026-11", "--out", "full.xlsx"),
    "statement of no kind": ("statement", "2026-11", "--out", "x.pdf"),
    "statement over the ledger": ("statement", "2026-11", "--out", "ledger.xlsx"),
    "export into a file": ("export", "s.csv"),
    "export of a person below a file": ("export", "s.csv/x", "--person", "+447400123456"),
    "export of a person where nobody makes folders": ("export", "/proc/e", "--person", "+447400123456"),
    "export of a person into too long a name": ("export", "x" * 300, "--person", "+447400123456"),
    "export of no campaign": ("export", "out", "--campaign", "nope"),
    "export onto folders": ("export", "taken"),
    "backup in no folder": ("backup", "nowhere/x"),
    "backup onto a folder": ("backup", "folder"),
    "backup onto the ledger": ("backup", "data/ledger.sqlite"),
    "backup onto its log": ("backup", "data/ledger.sqlite-wal"),
    "backup onto a device": ("backup", "/dev/full"),
    "restore of nothing": ("restore", "nowhere"),
    "restore of a sheet": ("restore", "s.csv"),
    "restore of the ledger": ("restore", "data/ledger.sqlite"),
    "restore of a cut copy": ("restore", "cut.sqlite"),
    "restore of an altered copy": ("restore", "altered.sqlite"),
    "restore of a newer copy": ("restore", "newer.sqlite"),
    "restore of a copy from long before": ("restore", "older.sqlite"),
    "restore of noise": ("restore", "noise.csv"),
    "forget before the calendar": ("forget", "--days", "99999999"),
    "forget the future": ("forget", "--days", "-1"),
    "no country": ("send", "s.csv", "--campaign", "x", "--template", "Hi", "--dry-run"),
    "sandbox in a file": ("sandbox", "--folder", "s.csv"),
    "sandbox on no port": ("sandbox", "--port", "99999"),
    "no such command": ("cleam", "s.csv"),
}
LEDGER = "DASHBOARD_DATABASE_URL"
SAID: tuple[tuple[tuple[str, ...], str, dict[str, str]], ...] = (
    (("clean", "s.csv"), "--country GB", {}),
    (("clean", "s.csv", "--country", "UKK"), "ISO 3166", {}),
    (("clean", "s.csv", *GB, "--phone", "Fone"), "Fone", {}),
    (("clean", "nowhere.csv", *GB), "does not exist", {}),
    (("clean", "s.csv", *GB, "--out", "a.pdf"), ".xlsx, .csv, .parquet", {}),
    (("clean", "s.csv", *GB, "--out", "nowhere/x.csv"), "folder exists", {}),
    (("clean", "wide.csv", *GB), "at most 1 can be read", {"DASHBOARD_SHEET_COLUMNS": "1"}),
    (("clean", "s.csv", *GB), "SMS_BASE_URL", {"SMS_API_KEY": KEY}),
    ((*SEND, "--template", "Hi {{nmae}}"), "{{ name }}", {}),
    ((*SEND, "--template", "Hi {{name"), "}}", {}),
    ((*HI, "--no-short-links", "--tracking", "x"), "short", {}),
    ((*HI, "--at", "2020-03-01T10:00"), "has already passed", {}),
    ((*HI, "--at", "2090-03-01"), "--at is no day with a time", {}),
    *(((*HI, "--at", at), "1970 to 9998", {"DASHBOARD_TIME_ZONE": zone}) for at, zone in OFF_THE_CALENDAR),
    ((*SEND, "--template", "Hi", "--json"), "--yes", {}),
    *(((*HI, option, HALF), "half a character", {}) for option in OF_WORDS),
    (HI, "SMS_BASE_URL", {"SMS_BASE_URL": "https://sms.example?k=1", "SMS_API_KEY": KEY}),
    (HI, "SMS_API_KEY", {"SMS_BASE_URL": "https://sms.example", "SMS_API_KEY": "\u00e9"}),
    (HI, "DASHBOARD_PRICE_PER_CREDIT", {"DASHBOARD_PRICE_PER_CREDIT": "1e999999999"}),
    (HI, "", {LEDGER: "sqlite:///" + "x" * 5000}),
    (("statement", "november"), "2026-11", {}),
    (("statement", "2026-11"), "cannot be used right now", {LEDGER: f"postgresql://ann:{KEY}@127.0.0.1:1/x"}),
    *((("statement", "2026-11"), "", {LEDGER: address}) for address in UNREADABLE),
)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger in it, and everything that the mistakes speak of."""
    folder = tmp_path_factory.mktemp("ground")
    (folder / "s.csv").write_text("name,phone\nAnn,+447400123456\n")
    (folder / "wide.csv").write_text("phone,name,town\n07911123456,Ann,Leeds\n")
    (folder / "link.csv").symlink_to("s.csv")
    for name in ("full.csv", "full.xlsx"):
        (folder / name).symlink_to("/dev/full")
    for name in ("folder", "folder.csv", "data", "taken/messages.parquet"):
        (folder / name).mkdir(parents=True)
    for ending in ("csv", "xlsx", "parquet"):
        (folder / f"noise.{ending}").write_bytes(b"\xfe\x00\x93\x07PK" * 900)
    (folder / "empty.csv").touch()
    Ledger.open(f"sqlite:///{folder}/data/ledger.sqlite").close()
    (folder / "ledger.xlsx").symlink_to("data/ledger.sqlite")
    assert run(folder, "backup", "copy.sqlite").returncode == 0
    _damaged_copies(folder)
    return folder


def _damaged_copies(folder: Path) -> None:
    for name in ("cut", "altered", "newer", "older"):
        shutil.copy(folder / "copy.sqlite", folder / f"{name}.sqlite")
    os.truncate(folder / "cut.sqlite", (folder / "cut.sqlite").stat().st_size // 2)
    with (folder / "altered.sqlite").open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\x5a" * 4096)
    with closing(sqlite3.connect(folder / "newer.sqlite")) as newer, newer:
        newer.execute("UPDATE fact SET value = '999' WHERE name = 'version'")
    with closing(sqlite3.connect(folder / "older.sqlite")) as older, older:
        older.execute("CREATE TABLE ledger_version AS SELECT 18 AS version")


@each("words, said, values", [*((words, "", {}) for words in MISTAKES.values()), *SAID])
def test_a_mistake_ends_with_a_sentence_and_changes_nothing(
    ground: Path, words: tuple[str | Path, ...], said: str, values: dict[str, str]
) -> None:
    before = contents(ground)
    done = run(ground, *words, **values)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stderr
    assert done.stderr.strip().endswith((".", "?", "'"))
    assert len(done.stderr) < 1000
    assert KEY not in done.stderr + done.stdout
    assert contents(ground) == before


def test_an_output_that_is_there_is_replaced_as_a_whole(ground: Path, tmp_path: Path) -> None:
    out = tmp_path / "checked.csv"
    out.write_text("before")
    assert run(tmp_path, "clean", ground / "s.csv", *GB, "--out", out).returncode == 0
    assert "+447400123456" in out.read_text(encoding="utf-8-sig")
    assert {path.name for path in tmp_path.iterdir()} == {"checked.csv"}  # nor a ledger, for there was none


def test_a_reader_that_goes_away_is_no_error(ground: Path) -> None:
    words = [sys.executable, "-m", "dashboard", "settings"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        words, cwd=ground, env=environment(ground), stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert b"Traceback" not in done.stderr


def test_a_terminal_without_the_sign_of_the_currency_gets_the_rest(ground: Path) -> None:
    priced = {"DASHBOARD_PRICE_PER_CREDIT": "0.05", "DASHBOARD_CURRENCY": "INR"}
    done = run(ground, *SEND, "--template", "Hi", "--dry-run", PYTHONIOENCODING="cp1252", **priced)
    assert (done.returncode, done.stderr) == (0, "")
    assert "?0.05" in done.stdout


def test_ctrl_c_is_no_traceback(tmp_path: Path) -> None:
    err = tmp_path / "err"
    nobody = environment(tmp_path, SMS_BASE_URL="http://127.0.0.1:9", SMS_API_KEY="nothing-is-sent")
    worker = Forked(program, ["worker"], folder=tmp_path, environment=nobody, err=err)
    wait_until(lambda: err.exists() and "Sending running campaigns" in err.read_text())
    worker.send_signal(signal.SIGINT)
    assert worker.wait(PATIENCE_S) == 0
    assert "Traceback" not in err.read_text()
