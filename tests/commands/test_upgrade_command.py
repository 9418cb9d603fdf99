"""`upgrade`: what the next opening would do, tried on a copy, and done."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from command_line import contents, run
from fixtures_ledger import make_before_release

from dashboard.ledger.database.version import VERSION


def older(folder: Path) -> Path:
    ledger = folder / "data" / "ledger.sqlite"
    ledger.parent.mkdir()
    make_before_release(f"sqlite:///{ledger}")
    with closing(sqlite3.connect(ledger)) as file:
        file.execute("PRAGMA journal_mode = WAL")  # as whoever opens it has it
    return ledger


def test_a_dry_run_tells_and_tries_and_changes_nothing(tmp_path: Path) -> None:
    older(tmp_path)
    before = contents(tmp_path)
    tried = run(tmp_path, "upgrade", "--dry-run")
    assert (tried.returncode, tried.stderr) == (0, "")
    told = [line for line in tried.stdout.splitlines() if line.startswith("Version ")]
    assert [int(line.split()[1].rstrip(":")) for line in told] == list(range(1, VERSION + 1))
    assert all(line.partition(": ")[2] for line in told)
    assert "Tried on a copy: it works, and took less than" in tried.stdout
    assert contents(tmp_path) == before
    done = run(tmp_path, "upgrade")
    assert done.stdout.endswith(f"The ledger is now of version {VERSION}.\n")
    assert "nothing to do" in run(tmp_path, "upgrade").stdout


def test_a_step_that_fails_on_the_copy_leaves_the_ledger(tmp_path: Path) -> None:
    with closing(sqlite3.connect(older(tmp_path))) as file:  # the audit trail cannot tell of it
        file.execute("ALTER TABLE audit RENAME COLUMN who TO whom")
    before = contents(tmp_path)
    tried = run(tmp_path, "upgrade", "--dry-run")
    assert tried.returncode == 2
    assert "It does not work on a copy; the ledger is as it was" in tried.stderr
    assert contents(tmp_path) == before


def test_on_postgresql_the_operator_is_told_to_copy_first(postgresql_url: str, tmp_path: Path) -> None:
    make_before_release(postgresql_url)
    tried = run(tmp_path, "upgrade", "--dry-run", DASHBOARD_DATABASE_URL=postgresql_url)
    assert "stop the dashboard and the workers, then run pg_dump" in tried.stdout
    assert run(tmp_path, "upgrade", DASHBOARD_DATABASE_URL=postgresql_url).returncode == 0


def test_without_a_ledger_none_is_made(tmp_path: Path, postgresql_url: str) -> None:
    for words in (["upgrade"], ["upgrade", "--dry-run"]):
        for there in ({}, {"DASHBOARD_DATABASE_URL": postgresql_url}):
            tried = run(tmp_path, *words, **there)
            assert (tried.returncode, " at " in tried.stderr) == (2, False)
            assert "There is no ledger yet" in tried.stderr
            assert "start the dashboard, which makes one" in tried.stderr
        assert not (tmp_path / "data").exists()


def test_whoever_only_reads_an_older_ledger_is_told_to_upgrade_it(tmp_path: Path) -> None:
    older(tmp_path)
    for words in (["backup", "copy"], ["audit", "verify"], ["export", "folder"]):
        tried = run(tmp_path, *words)
        assert (tried.returncode, "run `python -m dashboard upgrade`" in tried.stderr) == (2, True)
