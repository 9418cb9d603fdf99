"""What the start checks make of disks, clocks and databases that no test machine has."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sign_in_settings import AS_FIELDS

from dashboard.jobs.start_checks import database, files, reach
from dashboard.ledger import Ledger
from dashboard.ledger.database.version import VERSION
from dashboard.ledger.examined import Examined, examine
from dashboard.settings import load_settings

MOUNTS = """\
21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
25 21 0:23 / /ram rw - tmpfs tmpfs rw
30 21 0:40 / /srv/team rw,relatime shared:5 master:1 - nfs4 files:/team rw,vers=4.2
31 30 0:41 / /srv/team/local rw - xfs /dev/vdb rw
32 21 0:42 / /mnt/with\\040space rw - cifs //files/x rw
33 21 0:43 / /mnt/c rw - 9p drvfs rw
34 21 0:44 / /home/ann/far rw - fuse.sshfs ann@far: rw
35 21 0:45 / /box rw - overlay overlay rw
36 21 0:46 / /desk rw - virtiofs host rw
37 21 0:47 / /over rw - nfs files:/old rw
38 21 0:48 / /over rw - btrfs /dev/vdc rw
"""


@pytest.mark.parametrize(
    ("path", "kind", "state"),
    [
        ("/var/lib/dashboard/ledger.sqlite", "ext4", "ok"),
        ("/ram/x/ledger.sqlite", "tmpfs", "warning"),
        ("/srv/team/ledger.sqlite", "nfs4", "refused"),
        ("/srv/teammate/ledger.sqlite", "ext4", "ok"),
        ("/srv/team/local/ledger.sqlite", "xfs", "ok"),
        ("/mnt/with space/ledger.sqlite", "cifs", "refused"),
        ("/mnt/c/Users/ledger.sqlite", "9p", "warning"),
        ("/home/ann/far/ledger.sqlite", "fuse.sshfs", "refused"),
        ("/box/ledger.sqlite", "overlay", "warning"),
        ("/desk/ledger.sqlite", "virtiofs", "warning"),
        ("/over/ledger.sqlite", "btrfs", "ok"),  # what was mounted last counts
    ],
)
def test_a_ledger_on_another_machines_disk_is_refused(
    tmp_path: Path, path: str, kind: str, state: str
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert files.file_system(Path(path), mounts=mounts) == kind
    found = files.disk(Path(path), mounts=mounts)
    assert found.state == state
    assert state == "ok" or "DASHBOARD_DATA" in found.sentence


def test_the_disk_of_this_machine_is_found_and_not_known_where_nothing_tells(tmp_path: Path) -> None:
    found = files.disk(tmp_path, mounts=tmp_path / "nothing")
    assert (found.state, "not known" in found.sentence) == ("ok", True)
    assert files.file_system(Path("/proc/self/status")) == "proc"


@given(st.lists(st.integers(0, 0o777), min_size=2, max_size=2))
def test_whoever_may_pass_and_read_gets_in_and_nobody_else(modes: list[int]) -> None:
    """Judged by what modes mean: a folder is passed with x, and any bit of the last one is a way in."""
    with tempfile.TemporaryDirectory() as top:
        outer, inner = Path(top, "outer"), Path(top, "outer", "inner")
        inner.mkdir(parents=True)
        Path(top).chmod(0o755)
        ways = all(parent.stat().st_mode & 0o001 for parent in Path(top).resolve().parents)
        inner.chmod(modes[1] | 0o700)
        outer.chmod(modes[0] | 0o700)
        expected = ways and bool(modes[0] & 0o001) and bool(modes[1] & 0o007)
        assert files.is_open_to_others(inner) is expected


def clock_of(url: str, ahead: timedelta) -> str:
    settings = load_settings(database_url=url, data=Path("data"))
    found = database.database(settings, now=lambda: datetime.now(UTC) + ahead)
    return next(one.state for one in found if one.name == "clock")


@pytest.mark.parametrize(
    ("ahead_s", "state"), [(0, "ok"), (60, "warning"), (-60, "warning"), (-900, "refused")]
)
def test_a_clock_that_is_off_is_pointed_out(postgresql_url: str, ahead_s: int, state: str) -> None:
    assert clock_of(postgresql_url, timedelta(seconds=ahead_s)) == state


@pytest.mark.parametrize(("ahead_s", "state"), [(0, "ok"), (900, "ok"), (-900, "refused")])
def test_a_clock_behind_the_ledgers_last_change_is_pointed_out(
    sqlite_url: str, ahead_s: int, state: str
) -> None:
    """SQLite has no clock of its own, but files know when they were written."""
    Ledger.open(sqlite_url).close()
    assert clock_of(sqlite_url, timedelta(seconds=ahead_s)) == state


def test_it_is_seen_as_it_is(ledger_url: str) -> None:
    assert examine(ledger_url).ledger_version is None
    Ledger.open(ledger_url).close()
    found = examine(ledger_url)
    assert (found.ledger_version, found.unsafe, found.is_read_only) == (VERSION, (), False)
    assert (found.server_version is None) is ledger_url.startswith("sqlite")


GOOD = Examined(None, VERSION, server_version=160_014)
BAD = {
    "fsync": (replace(GOOD, unsafe=("fsync=off",)), "durability", "Set fsync=on."),
    "both": (
        replace(GOOD, unsafe=("synchronous_commit=off", "fsync=off")),
        "durability",
        "Set synchronous_commit=on and fsync=on.",
    ),
    "journal": (replace(GOOD, file=Path("x"), unsafe=("journal_mode=delete",)), "durability", "disk of this"),
    "old": (replace(GOOD, server_version=130_021), "database", "Upgrade it to version 14 or newer."),
    "standby": (replace(GOOD, is_read_only=True), "database", "Name the primary one."),
}


@pytest.mark.parametrize("case", BAD)
def test_a_database_that_is_not_safe_is_refused(case: str) -> None:
    found, name, said = BAD[case]
    refused = {one.name: one.sentence for one in database.findings(found) if one.state == "refused"}
    assert set(refused) == {name}
    assert said in refused[name]
    assert all(one.state == "ok" for one in database.findings(GOOD))


def test_a_host_that_is_none_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.sep)
    settings = load_settings(host="no-such-host.invalid", **AS_FIELDS)
    assert reach.host(settings).state == "refused"
    assert reach.public_address(settings).state == "ok"
