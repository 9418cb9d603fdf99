"""Killed at a named point, one worker after another on the same campaign; and killed as one is made."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, running
from fixtures_sandbox import SandboxPeer
from tiers import only_deep
from workers import Workers, compare

from dashboard.ledger import Ledger

BATCH = 10
POINTS = {
    "registered": 1,
    "walks begun": 1,
    "within a claim": 5,
    "claim committed": 5,
    "answer read": 5,
    "within a settlement": 5,
    "settled": 5,
}


@pytest.mark.first
@ON_BOTH_DATABASES
@pytest.mark.parametrize("points", [("answer read",), *only_deep(tuple(POINTS))], ids=["one", "all"])
def test_wherever_a_worker_dies_the_next_goes_on(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, points: tuple[str, ...]
) -> None:
    peer.faults(latency_s=0.05)
    campaign = running(ledger, 150 if len(points) == 1 else 1200, batch_size=BATCH)
    for point in points:
        worker = workers.start_until(point, POINTS[point])
        workers.wait_killed(worker)
        compare(ledger, peer, campaign)
    workers.start()
    workers.finish()
    found = compare(ledger, peer, campaign)
    assert set(found) == {"accepted", "unknown"}
    assert ledger.campaign(campaign).state == "done"
    assert set(ledger.unknown(campaign)["messages"]) == {BATCH}


@ON_BOTH_DATABASES
def test_killed_until_it_has_started_there_is_no_campaign_and_the_next_try_makes_it(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, tmp_path: Path
) -> None:
    sheet = tmp_path / "people.csv"
    people = [f"Ann,+44720010{37 * number:04}" for number in range(30)]
    sheet.write_text("\n".join(["first_name,phone", *people]), encoding="utf-8")
    what = ["--template", "Hi {{first_name}}", "--campaign", "Spring", "--country", "GB", "--yes"]
    send = ["send", str(sheet), *what]
    for point, number in {"within the freeze": 4, "frozen": 1, "started": 1}.items():
        workers.wait_killed(workers.run_until(point, number, signal.SIGKILL, *send))
        assert ledger.campaigns().empty
        assert not peer.messages()
    workers.run_until("within the freeze", 10_000, signal.SIGKILL, *send)
    workers.finish()
    (campaign,) = ledger.campaigns()["campaign"]
    assert compare(ledger, peer, campaign) == {"accepted": 30}
