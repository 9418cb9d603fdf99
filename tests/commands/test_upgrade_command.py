"""`upgrade`: what the next opening would do, tried on a copy, and done."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import contents, open_ledger, run
from fixtures_ledger import messages_frame
from simulation.versions import BACK, FIRST, go_back

from dashboard.ledger import Ledger
from dashboard.ledger.versions.migrations import VERSION


def older(folder: Path, back: int) -> int:
    with open_ledger(folder) as ledger:
        ledger.create_campaign("Spring", messages_frame(3), batch_size=1)
        return go_back(ledger.database, back)


@pytest.mark.parametrize("back", [0, len(BACK) - 1])
def test_a_dry_run_tells_and_tries_and_changes_nothing(tmp_path: Path, back: int) -> None:
    version = older(tmp_path, back)
    before = contents(tmp_path)
    tried = run(tmp_path, "upgrade", "--dry-run")
    assert (tried.returncode, tried.stderr) == (0, "")
    told = [line for line in tried.stdout.splitlines() if line.startswith("Version ")]
    assert [int(line.split()[1].rstrip(":")) for line in told] == list(range(version + 1, VERSION + 1))
    assert "Tried on a copy: it works" in tried.stdout
    assert contents(tmp_path) == before
    done = run(tmp_path, "upgrade")
    assert done.stdout.endswith(f"The ledger is now of version {VERSION}.\n")
    assert "nothing to do" in run(tmp_path, "upgrade").stdout


def test_a_step_that_fails_on_the_copy_leaves_the_ledger(tmp_path: Path) -> None:
    older(tmp_path, 0)
    with open_ledger(tmp_path) as ledger:
        version = go_back(ledger.database, 1)
        with ledger.database.write() as connection:  # which the step makes as well
            connection.exec_driver_sql("CREATE TABLE person (id INTEGER)")
    before = contents(tmp_path)
    tried = run(tmp_path, "upgrade", "--dry-run")
    assert (tried.returncode, version) == (2, FIRST - 2)
    assert "It does not work on a copy; the ledger is as it was" in tried.stderr
    assert contents(tmp_path) == before


def test_on_postgresql_the_operator_is_told_to_copy_first(postgresql_url: str, tmp_path: Path) -> None:
    with Ledger.open(postgresql_url) as ledger:
        go_back(ledger.database, 1)
    tried = run(tmp_path, "upgrade", "--dry-run", DASHBOARD_DATABASE_URL=postgresql_url)
    assert "stop the dashboard and the workers, then run pg_dump" in tried.stdout
    assert run(tmp_path, "upgrade", DASHBOARD_DATABASE_URL=postgresql_url).returncode == 0


def test_without_a_ledger_none_is_made(tmp_path: Path) -> None:
    for words in (["upgrade"], ["upgrade", "--dry-run"]):
        assert run(tmp_path, *words).returncode == 2
        assert not (tmp_path / "data").exists()
