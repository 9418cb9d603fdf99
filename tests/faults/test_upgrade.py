"""A program that is replaced by a newer one while a campaign goes out."""

from __future__ import annotations

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from sqlalchemy import text
from workers import Workers, compare

from dashboard.ledger import Ledger


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
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
