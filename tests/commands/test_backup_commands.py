"""`backup` and `restore`: a copy while it is in use, and its way back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from command_line import contents, environment, open_ledger, run
from fixtures_ledger import messages_frame
from fixtures_sandbox import SandboxPeer

from dashboard.errors import LedgerDamagedError
from dashboard.ledger import Ledger
from dashboard.ledger.database.version import VERSION
from dashboard.ledger.outbox.slots import take_slot


def test_a_copy_goes_out_and_comes_back(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
        slot = take_slot(ledger.database)
        copied = run(tmp_path, "backup", "copy.sqlite")
        assert (copied.returncode, copied.stderr) == (0, "")
        busy = run(tmp_path, "restore", "copy.sqlite")
        assert busy.returncode == 2
        assert "Stop it first" in busy.stderr
        slot.release()
        ledger.create_campaign("Summer", messages_frame(1, "Summer"), batch_size=1)
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert (restored.returncode, restored.stderr) == (0, "")
    assert restored.stdout.startswith("3 batches are now unknown")
    with open_ledger(tmp_path) as ledger:
        assert ledger.campaigns()["campaign"].tolist() == [campaign]
        assert ledger.campaign(campaign).unknown == 5
    assert list((tmp_path / "data").glob("ledger.sqlite.before-*")), "the present one is kept"


def test_a_copy_where_nobody_may_write_comes_back(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
    kept = tmp_path / "kept"
    kept.mkdir()
    assert run(tmp_path, "backup", kept / "copy.sqlite").returncode == 0
    kept.chmod(0o500)
    bare = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    words = [*bare, sys.executable, "-m", "dashboard", "restore", "kept/copy.sqlite"]
    given = {"env": environment(tmp_path), "cwd": tmp_path, "capture_output": True, "text": True}
    done = subprocess.run(words, check=False, **given)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("3 batches are now unknown")
    assert [file.name for file in kept.iterdir()] == ["copy.sqlite"]
    kept.chmod(0o700)


def test_opt_outs_since_the_copy_are_taken_over_or_said_to_be_missing(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        run(tmp_path, "backup", "copy.sqlite")
        ledger.add_opt_outs(["+447400900001"])
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert "Opt-outs taken over from the ledger that was here, as the copy lacked them: 1." in restored.stdout
    with open_ledger(tmp_path) as ledger:
        assert ledger.opt_outs()["phone"].tolist() == ["+447400900001"]
        assert ledger.missing_opt_outs() is None
    for file in (tmp_path / "data").glob("ledger.sqlite*"):
        file.unlink()
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert "Opt-outs are missing. This ledger is a copy from" in restored.stdout
    with open_ledger(tmp_path) as ledger:
        assert ledger.missing_opt_outs()


def test_a_ledger_that_another_program_put_back_is_doubted_and_so_are_its_opt_outs(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
    doubted = run(tmp_path, "restore")
    assert doubted.stdout.startswith("3 batches are now unknown")
    assert "Opt-outs are missing" in doubted.stdout
    with open_ledger(tmp_path) as ledger:
        assert ledger.missing_opt_outs()


ENDED_AT = """
import atexit, os, pathlib, sys
from dashboard.commands.cli import cli

how, left = sys.argv[1], int(sys.argv[2])

def end():
    if how == "killed":
        os._exit(137)
    raise OSError(28, "No space left on device")

def ending(act):
    def acts(*words, **named):
        global left
        left -= 1
        if left == -1:
            end()
        done = act(*words, **named)
        left -= 1
        if left == -1:
            end()
        return done
    return acts

for owner, names in {pathlib.Path: ["rename", "replace", "hardlink_to", "touch"], os: ["fsync"]}.items():
    for name in names:
        setattr(owner, name, ending(getattr(owner, name)))
if how == "killed":
    pathlib.Path.unlink = ending(pathlib.Path.unlink)
atexit.register(lambda: left < 0 or print("nothing was in its way"))
cli(["restore", "copy.sqlite"])
"""
"""`restore` that is killed, or refused by the disk, before or after the n-th change there."""

LISTED = ["+447400123456", "+447400123457"]


def restores_that_end(folder: Path, how: str, files: dict[str, bytes]) -> Iterator[int]:
    """One more for each change that a restore makes to what is on disk; the last comes to its end."""
    data = folder / "data"
    for step in count():
        for file in data.iterdir():
            file.unlink()
        for name, content in files.items():
            (data / name).write_bytes(content)
        words = [sys.executable, "-c", ENDED_AT, how, str(step)]
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in ({0, 2} if how == "refused" else {0, 137}), done.stderr
        yield step
        if "nothing was in its way" in done.stdout:
            assert done.returncode == 0, done.stderr
            break
    assert step > 5, "it ended in the middle, too"


@pytest.mark.deep
@pytest.mark.parametrize("how", ["killed", "refused"])
def test_however_a_restore_ends_there_is_a_ledger_that_knows_what_was_in_its_log(
    tmp_path: Path, how: str
) -> None:
    """A killed program left the log; what was sent and who opted out since the copy is only there."""
    with open_ledger(tmp_path) as ledger:
        ledger.add_opt_outs(LISTED[:1])
        ledger.back_up(tmp_path / "copy.sqlite")
    with open_ledger(tmp_path) as ledger:
        ledger.add_opt_outs(LISTED[1:])
        files = {one.name: one.read_bytes() for one in (tmp_path / "data").glob("*.sqlite*")}
    assert files["ledger.sqlite-wal"]
    for _step in restores_that_end(tmp_path, how, files):
        with open_ledger(tmp_path) as ledger:
            assert sorted(ledger.opt_outs()["phone"]) == LISTED


@pytest.mark.deep
@pytest.mark.parametrize("how", ["killed", "refused"])
def test_however_a_restore_ends_where_only_the_log_was_left_no_new_ledger_is_made(
    tmp_path: Path, how: str
) -> None:
    with open_ledger(tmp_path) as ledger:
        ledger.back_up(tmp_path / "copy.sqlite")
        ledger.add_opt_outs(LISTED)
        log = {"ledger.sqlite-wal": (tmp_path / "data" / "ledger.sqlite-wal").read_bytes()}
    for _step in restores_that_end(tmp_path, how, log):
        try:
            with open_ledger(tmp_path) as ledger:
                assert ledger.missing_opt_outs()
        except LedgerDamagedError as error:
            assert "restore FILE" in str(error)  # noqa: PT017 - which of the two depends on the step


def test_no_ledger_is_replaced_while_somebody_has_it_open(tmp_path: Path) -> None:
    """A notebook, say, that only reads: all that was sent while it does so is in the log."""
    with open_ledger(tmp_path) as ledger:
        ledger.back_up(tmp_path / "copy.sqlite")
    reads = Ledger.open(tmp_path / "data" / "ledger.sqlite", read_only=True)
    reads.campaigns()
    with open_ledger(tmp_path) as ledger:
        ledger.add_opt_outs(LISTED)
    before = contents(tmp_path)
    refused = run(tmp_path, "restore", "copy.sqlite")
    assert (refused.returncode, "a notebook has this ledger open. Close it" in refused.stderr) == (2, True)
    assert contents(tmp_path) == before
    assert sorted(reads.opt_outs()["phone"]) == LISTED
    reads.close()
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert (restored.returncode, restored.stderr) == (0, "")
    with open_ledger(tmp_path) as ledger:
        assert sorted(ledger.opt_outs()["phone"]) == LISTED


WRITES = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None) as ledger:
    for change in "PRAGMA journal_mode=WAL", "BEGIN IMMEDIATE":
        try:
            ledger.execute(change)
        except sqlite3.OperationalError as error:
            print(error)
"""


def test_nobody_writes_in_a_ledger_while_it_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who begins to use it then, and is not in the copy."""
    with open_ledger(tmp_path) as ledger:
        ledger.back_up(tmp_path / "copy.sqlite")
    ledger_file, said = tmp_path / "data" / "ledger.sqlite", list[str]()
    replace = Path.replace

    def meanwhile(part: Path, place: Path) -> Path:
        words = [sys.executable, "-c", WRITES, str(ledger_file)]
        said.append(subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout)
        return replace(part, place)

    monkeypatch.setattr(Path, "replace", meanwhile)
    assert run(tmp_path, "restore", "copy.sqlite").returncode == 0
    assert said == ["database is locked\n" * 2]


def test_a_ledger_that_is_gone_while_its_log_is_there_is_said_and_none_is_made(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("Phone,First name\n+447400123456,Ann\n")
    open_ledger(tmp_path).close()
    ledger_file = tmp_path / "data" / "ledger.sqlite"
    ledger_file.rename(tmp_path / "copy.sqlite")
    Path(f"{ledger_file}-wal").write_text("left behind")
    for words in (
        ("send", "two.csv", "--template", "Hi", "--campaign", "Spring", "--yes"),
        ("clean", "two.csv"),
        ("worker", "--until-done"),
        ("restore",),
    ):
        done = run(tmp_path, *words, DASHBOARD_COUNTRY="GB")
        assert (done.returncode, "is gone, but" in done.stderr) == (2, True), (words, done.stderr)
    assert not ledger_file.exists()
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert (restored.returncode, "Opt-outs are missing" in restored.stdout) == (0, True)


@pytest.mark.usefixtures("soon")
def test_nobody_is_texted_from_a_backup_put_back_by_hand_until_the_opt_outs_are_entered(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    service = {"SMS_BASE_URL": emptied_sandbox.base_url, "SMS_API_KEY": emptied_sandbox.api_key}
    (tmp_path / "two.csv").write_text("Phone,First name\n+447400123456,Ann\n+447400123457,Bo\n")
    ledger_file = tmp_path / "data" / "ledger.sqlite"
    with open_ledger(tmp_path) as ledger:
        ledger.back_up(tmp_path / "copy")
        ledger.add_opt_outs(["+447400123456"])
    shutil.copy(tmp_path / "copy", ledger_file)
    words = "send", "two.csv", "--template", "Hi {{first_name}}!", "--campaign", "Spring", "--country", "GB"
    for _ in range(2):
        sent = run(tmp_path, *words, "--yes", **service)
        assert (sent.returncode, sent.stdout) == (2, "")
        assert "Nothing was sent." in sent.stderr
        assert "enter them again" in sent.stderr
    dry = run(tmp_path, *words, "--dry-run")
    assert (dry.returncode, "enter them again" in dry.stderr) == (0, True)
    with open_ledger(tmp_path) as ledger:
        assert ledger.campaigns().empty
        ledger.add_opt_outs(["+447400123456"])
        ledger.acknowledge_missing_opt_outs("Ann")
    sent = run(tmp_path, *words, "--yes", **service)
    assert (sent.returncode, sent.stderr) == (0, "")
    with open_ledger(tmp_path) as ledger:
        assert ledger.messages()["to"].tolist() == ["+447400123457"]
    assert [message["to"] for message in emptied_sandbox.messages()] == ["+447400123457"]


def test_mistakes_are_said(tmp_path: Path) -> None:
    missing = run(tmp_path, "backup", "copy.sqlite")
    assert (missing.returncode, "no ledger" in missing.stderr) == (2, True)
    with open_ledger(tmp_path) as ledger:
        ledger.back_up(tmp_path / "copy.sqlite")
    before = (tmp_path / "data" / "ledger.sqlite").read_bytes()
    (tmp_path / "diary").write_text("Dear diary")
    odd = run(tmp_path, "restore", "diary")
    assert (odd.returncode, "not a copy of a ledger" in odd.stderr) == (2, True)
    for version, said in (("abc", "not a copy of a ledger"), (VERSION + 1, "nothing was restored")):
        with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
            copy.execute("UPDATE fact SET value = ? WHERE name = 'version'", [str(version)])
            copy.commit()
        odd = run(tmp_path, "restore", "copy.sqlite")
        assert (odd.returncode, said in odd.stderr) == (2, True)
    assert (tmp_path / "data" / "ledger.sqlite").read_bytes() == before
