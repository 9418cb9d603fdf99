"""`forget`: says what it would delete, asks, and deletes only that."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from command_line import run
from fixtures_ledger import messages_frame

from dashboard.ledger import Ledger


def test_old_campaigns_are_forgotten_after_a_question(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    url = f"sqlite:///{tmp_path / 'data' / 'ledger.sqlite'}"
    with closing(Ledger.open(url, now=lambda: datetime.now(UTC) - timedelta(days=40))) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
        ledger.cancel(campaign)
        nothing = run(tmp_path, "forget", "--days", "50")
        assert "Nothing was deleted" in nothing.stdout
        unsure = run(tmp_path, "forget", "--days", "30")
        assert unsure.returncode == 1
        assert "5 messages in 1 campaign?" in unsure.stdout
        assert ledger.messages(campaign)["to"].ne("").all()
        done = run(tmp_path, "forget", "--days", "30", "--yes")
        assert (done.returncode, done.stderr) == (0, "")
        assert ledger.messages(campaign)["to"].eq("").all()
        assert ledger.campaign(campaign).cancelled == 5


def test_who_is_still_counted_is_not_forgotten(tmp_path: Path) -> None:
    cap = {"DASHBOARD_TEXTS_PER_PERSON": "2", "DASHBOARD_TEXTS_WITHIN_DAYS": "9"}
    refused = run(tmp_path, "forget", "--days", "8", "--yes", **cap)
    assert refused.returncode == 2
    assert "--days 9 or more" in refused.stderr
