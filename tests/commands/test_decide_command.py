"""`decide`: asks, decides about everything at once, and keeps who and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from command_line import open_ledger, run
from each import each
from fixtures_ledger import counts, running
from sqlalchemy import update

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema

WORDS = ("--who", "Ann", "--why", "the service's list")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    then = datetime.now(UTC) - timedelta(hours=1)
    with open_ledger(tmp_path, now=lambda: then) as opened:
        yield opened


def doubtful(ledger: Ledger) -> str:
    """A campaign of thirty messages in three batches, all of them unknown."""
    campaign = running(ledger, 30)
    ledger.distrust(opt_outs_kept=True)
    assert counts(ledger, campaign) == {"unknown": 30}
    return campaign


@each("decision, state", [("accepted", "accepted"), ("again", "ready"), ("left", "abandoned")])
def test_all_are_decided_at_once(tmp_path: Path, ledger: Ledger, decision: str, state: str) -> None:
    campaign = doubtful(ledger)
    done = run(tmp_path, "decide", campaign, decision, *WORDS, "--yes")
    assert done.returncode == 0, done.stderr
    assert f"Decided “{decision}” about 30 messages of “Spring”." in done.stdout
    assert ("pay twice" in done.stderr) == (decision == "again")
    assert counts(ledger, campaign) == {state: 30}
    (one,) = ledger.decided(campaign)
    assert (one.who, one.why, one.batches) == ("Ann", "the service's list", 3)
    again = run(tmp_path, "decide", campaign, decision, *WORDS, "--yes")
    assert "No message of this campaign awaits a decision." in again.stdout


def test_what_somebody_else_decided_meanwhile_is_said(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = doubtful(ledger)

    def decide_before_the_answer(_question: str) -> bool:
        ledger.decide_all(campaign, "abandoned", "Bob", "sent by post", batches=[1, 2])
        return True

    monkeypatch.setattr(click, "confirm", decide_before_the_answer)
    done = run(tmp_path, "decide", "Spring", "accepted", *WORDS)
    assert (done.returncode, "about 1 of 3 batches" in done.stderr) == (1, True)
    assert counts(ledger, campaign) == {"accepted": 10, "abandoned": 20}


def test_nothing_is_decided_unasked_without_a_reason_or_while_it_may_be_on_its_way(
    tmp_path: Path, ledger: Ledger
) -> None:
    campaign = doubtful(ledger)
    unsure = run(tmp_path, "decide", campaign, "left", *WORDS)
    assert (unsure.returncode, "as nobody answered" in unsure.stderr) == (2, True)
    assert "about 30 messages of “Spring”, 60 credits at most?" in unsure.stdout
    assert run(tmp_path, "decide", campaign, "left", "--who", "Ann").returncode == 2
    empty = run(tmp_path, "decide", campaign, "left", "--who", "Ann", "--why", " ", "--yes")
    assert (empty.returncode, "both are kept" in empty.stderr) == (2, True)
    strange = run(tmp_path, "decide", "nonsense", "left", *WORDS, "--yes")
    assert (strange.returncode, "no such campaign" in strange.stderr) == (2, True)
    with ledger.database.write() as connection:
        connection.execute(
            update(schema.batch).where(schema.batch.c.seq == 1).values(claimed_at=datetime.now(UTC))
        )
    refused = run(tmp_path, "decide", campaign, "again", *WORDS, "--yes")
    assert (refused.returncode, "still be on its way" in refused.stderr) == (2, True)
    assert counts(ledger, campaign) == {"unknown": 30}
