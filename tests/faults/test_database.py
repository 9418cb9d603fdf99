"""The database goes away in the middle: sending waits, nothing is sent twice, nothing is lost."""

from __future__ import annotations

import time
from collections import Counter

from fixtures_ledger import counts, running
from fixtures_sandbox import HELD, SandboxPeer
from sqlalchemy import create_engine, text

from dashboard.ledger import Ledger
from dashboard.sending import Engine


def test_every_connection_to_postgresql_is_cut_again_and_again(
    postgresql_url: str, postgresql_server: str, fresh_sandbox: SandboxPeer
) -> None:
    """As in a restart: claims and settlements fail at any point, and commits whose fate nobody knows."""
    fresh_sandbox.settings(**HELD)
    fresh_sandbox.faults(latency_s=0.05)
    ledger = Ledger.open(postgresql_url)
    campaign = running(ledger, 3000, batch_size=10)
    killer = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    cut = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE datname = :name AND pid <> pg_backend_pid()"
    )
    with fresh_sandbox.service() as service, Engine(ledger, service) as engine:
        with killer.connect() as connection:
            for _ in range(5):
                time.sleep(0.5)
                connection.execute(cut, {"name": ledger.database.url.database})
        engine.wait_until_done()
    killer.dispose()
    taken = Counter(message["uuid"] for message in fresh_sandbox.messages())
    assert set(taken.values()) == {1}
    found = counts(ledger, campaign)
    assert found == {"accepted": 3000}
    assert set(taken) == set(ledger.messages(campaign)["uuid"])
    ledger.close()
