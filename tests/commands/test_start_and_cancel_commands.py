"""`start` and `cancel`: ask, move one campaign, and say what that means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command_line import open_ledger, run
from fixtures_ledger import Clock, claim, counts, messages_frame, running

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path) as opened:
        yield opened


@pytest.fixture
def prepared(ledger: Ledger) -> str:
    return ledger.create_campaign("Spring", messages_frame(3), batch_size=10)


def test_a_prepared_campaign_is_started(tmp_path: Path, ledger: Ledger, prepared: str) -> None:
    unsure = run(tmp_path, "start", prepared)
    assert (unsure.returncode, "as nobody answered" in unsure.stderr) == (2, True)
    assert "Send 3 messages of “Spring” now, 3–6 credits?" in unsure.stdout
    assert ledger.campaign(prepared).state == "draft"
    refused = run(tmp_path, "start", prepared, says="n\n")
    assert (refused.returncode, refused.stdout.splitlines()[-1]) == (0, "Nothing was started.")
    assert ledger.campaign(prepared).state == "draft"
    done = run(tmp_path, "start", prepared, "--yes")
    assert done.returncode == 0, done.stderr
    assert "“Spring” is running, with 3 messages to send." in done.stdout
    assert ledger.campaign(prepared).state == "running"
    assert run(tmp_path, "start", prepared).returncode == 0


def test_what_cannot_be_started_says_why(tmp_path: Path, ledger: Ledger, prepared: str) -> None:
    strange = run(tmp_path, "start", "nonsense", "--yes")
    assert (strange.returncode, "no such campaign" in strange.stderr) == (2, True)
    ledger.cancel(prepared)
    late = run(tmp_path, "start", prepared)
    assert (late.returncode, "cancelled cannot be started" in late.stderr) == (2, True)
    ledger.distrust()
    refused = run(tmp_path, "start", prepared, "--yes")
    assert (refused.returncode, "Nothing was sent." in refused.stderr) == (2, True)


def test_nobody_is_texted_more_often_than_the_cap_allows(
    tmp_path: Path, ledger: Ledger, prepared: str
) -> None:
    running(ledger, 2)
    capped = {"DASHBOARD_TEXTS_PER_PERSON": "1"}
    refused = run(tmp_path, "start", prepared, "--yes", **capped)
    assert (refused.returncode, "2 people would get more texts" in refused.stderr) == (2, True)
    assert ledger.campaign(prepared).state == "draft"
    assert run(tmp_path, "start", prepared, "--yes").returncode == 0


@pytest.mark.parametrize("is_running", [False, True])
def test_a_campaign_is_cancelled(tmp_path: Path, ledger: Ledger, prepared: str, is_running: bool) -> None:
    if is_running:
        prepared = running(ledger, 3)
    unsure = run(tmp_path, "cancel", prepared, "--who", "Ann")
    assert (unsure.returncode, "as nobody answered" in unsure.stderr) == (2, True)
    assert "Cancel “Spring”? 3 messages not yet handed over will never be sent." in unsure.stdout
    assert counts(ledger, prepared) == {"ready": 3}
    named = prepared if is_running else "Spring"
    done = run(tmp_path, "cancel", named, "--who", "Ann", "--yes")
    assert done.returncode == 0, done.stderr
    assert "“Spring” is cancelled: 3 messages are never sent." in done.stdout
    assert counts(ledger, prepared) == {"cancelled": 3}
    assert ledger.campaign(prepared).reason == "Cancelled by Ann."


def test_what_was_to_be_sent_again_is_not_said_to_be_never_sent(tmp_path: Path, clock: Clock) -> None:
    with open_ledger(tmp_path, clock) as ledger:
        campaign = running(ledger, 3)
        ledger.distrust(opt_outs_kept=True)
        clock.advance(600)
        ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
        done = run(tmp_path, "cancel", campaign, "--who", "Ann", "--yes")
        assert "0 messages are never sent.\nUnknown: 3 messages to be sent again, as nobody" in done.stdout
        assert counts(ledger, campaign) == {"unknown": 3}


def test_what_became_unknown_while_the_question_waited_is_not_said_to_be_sent_again(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = running(ledger, 3)

    def lose_an_answer(_question: str) -> bool:
        ledger.outbox.settle(claim(ledger, campaign), Settlement("unknown", "unknown", None))
        return True

    monkeypatch.setattr(click, "confirm", lose_an_answer)
    done = run(tmp_path, "cancel", campaign, "--who", "Ann")
    assert (done.returncode, "again" in done.stdout) == (0, False)
    assert ledger.campaign(campaign).unknown > 0


def test_nobody_cancels_namelessly_or_what_is_not_there(
    tmp_path: Path, ledger: Ledger, prepared: str
) -> None:
    assert run(tmp_path, "cancel", prepared, "--yes").returncode == 2
    empty = run(tmp_path, "cancel", prepared, "--who", " ", "--yes")
    assert (empty.returncode, "--who" in empty.stderr) == (2, True)
    strange = run(tmp_path, "cancel", "nonsense", "--who", "Ann", "--yes")
    assert (strange.returncode, "no such campaign" in strange.stderr) == (2, True)
    assert ledger.campaign(prepared).state == "draft"
