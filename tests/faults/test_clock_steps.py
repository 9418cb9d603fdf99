"""Clocks that jump while messages go out, and machines whose clocks differ: nothing twice, nothing stuck."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from workers import Workers, compare

from dashboard.ledger import Ledger
from dashboard.sending import Engine


class SteppedClock:
    """The real time and a step, in hours."""

    def __init__(self, hours: float = 0.0) -> None:
        self.hours = hours

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=self.hours)


@pytest.mark.parametrize("hours", [(24, 48), (-24, -48), (0.1, -0.1, 24, -24)])
def test_a_clock_that_jumps_neither_stops_sending_nor_doubles_anything(
    ledger_url: str, peer: SandboxPeer, hours: tuple[float, ...]
) -> None:
    peer.faults({"kind": "throttled", "probability": 0.05, "retry_after_s": 0.3}, latency_s=0.05)
    clock = SteppedClock()
    with closing(Ledger.open(ledger_url, now=clock)) as ledger:
        campaign = running(ledger, 600, batch_size=10)
        with peer.service() as service, Engine(ledger, service, messages_per_second=400) as engine:
            for to in hours:
                before = ledger.campaign(campaign).accepted
                wait_until(lambda: ledger.campaign(campaign).accepted > before + 50)  # noqa: B023 - at once
                clock.hours = to
            engine.wait_until_done()
        assert compare(ledger, peer, campaign) == {"accepted": 600}
        assert ledger.campaign(campaign).state == "done"


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("hours", [1.0, -1.0])
def test_two_machines_whose_clocks_differ_share_a_campaign(
    ledger_url: str, peer: SandboxPeer, workers: Workers, hours: float
) -> None:
    peer.faults({"kind": "throttled", "probability": 0.05, "retry_after_s": 0.3}, latency_s=0.2)
    with closing(Ledger.open(ledger_url, now=SteppedClock(hours))) as ledger:
        campaign = running(ledger, 1500, batch_size=10)
        workers.start()
        wait_until(lambda: ledger.campaign(campaign).accepted > 0)
        with peer.service() as service, Engine(ledger, service) as engine:
            engine.wait_until_done()
        workers.finish()
        claimed = ledger.attempts(campaign).query("event == 'claimed'")
        assert claimed["owner"].nunique() == 2, "both had a share"
        assert compare(ledger, peer, campaign) == {"accepted": 1500}
        assert ledger.campaign(campaign).state == "done"
