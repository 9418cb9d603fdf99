"""A program that is replaced by a newer one while a campaign goes out."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from fixtures_ledger import make_as_released, running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from sqlalchemy import MetaData, insert, select, text
from workers import Workers, compare

from dashboard.ledger import Ledger
from dashboard.ledger.database.connections import Database
from dashboard.ledger.versions.migrations import VERSION

RELEASED = 5
ON_SQLITE = pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)


@ON_SQLITE
def test_a_ledger_of_an_older_version_is_brought_up_to_date_and_goes_on(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, tmp_path: Path
) -> None:
    """Killed with requests on their way, then upgraded: these are unknown, the rest is sent."""
    peer.faults(latency_s=1.0)
    campaign = running(ledger, 400, batch_size=10)
    worker = workers.start()
    wait_until(lambda: ledger.campaign(campaign).accepted > 50)
    workers.kill(worker)
    assert ledger.campaign(campaign).sending > 0
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    with closing(Database(url)) as old:
        make_as_released(old, RELEASED)
        copy(ledger.database, old)
    newer = Workers(url, peer, tmp_path)
    newer.start()
    newer.finish()
    with closing(Ledger.open(url)) as upgraded:
        found = compare(upgraded, peer, campaign)
        assert set(found) == {"accepted", "unknown"}
        assert upgraded.campaign(campaign).state == "done"


def copy(source: Database, target: Database) -> None:
    """The rows of all tables that the target has, as far as it has their columns."""
    old, new = MetaData(), MetaData()
    with source.read() as reading, target.write() as writing:
        old.reflect(writing)
        new.reflect(reading)
        for table in old.sorted_tables:
            if table.name == "ledger_version":
                assert writing.execute(select(table.c.version)).scalar_one() < VERSION
                continue
            columns = [new.tables[table.name].c[column.name] for column in table.columns]
            rows = [dict(row) for row in reading.execute(select(*columns)).mappings()]
            writing.execute(table.delete())
            if rows:
                writing.execute(insert(table), rows)


@ON_SQLITE
def test_lanes_of_an_older_version_do_not_hold_a_campaign_up(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    """After an upgrade that changes what lanes mean: DBOS leaves the old ones, new ones send the rest."""
    peer.faults(latency_s=1.0)
    campaign = running(ledger, 400, batch_size=10)
    worker = workers.start()
    wait_until(lambda: ledger.campaign(campaign).accepted > 0)
    workers.kill(worker)
    with ledger.database.write() as connection:
        old = text("UPDATE workflow_status SET application_version = '0' WHERE status = 'PENDING'")
        assert connection.execute(old).rowcount > 0
    workers.start()
    workers.finish()
    assert set(compare(ledger, peer, campaign)) == {"accepted", "unknown"}
    assert ledger.campaign(campaign).state == "done"
