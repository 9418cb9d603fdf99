"""A ledger that becomes new: killed again and again on the way, it goes on and ends as if it never was."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, accepted, claim, messages_frame, report, running
from forked import Forked
from pandas.testing import assert_frame_equal
from patience import PATIENCE_S
from simulation.versions import FIRST, go_back
from tiers import only_deep

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.tallies import recount
from dashboard.ledger.versions import filling


def open_until_killed(words: list[str]) -> None:
    """Fill in parts of seven, and die within a function after so many calls."""
    url, within, call = words
    module, name = (recount, within) if within == "mend" else (filling, f"_{within}")
    known, calls = getattr(module, name), iter(range(int(call)))

    def instead(*given: Any) -> Any:
        done = known(*given)
        if next(calls, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    filling.PART = 7
    setattr(module, name, instead)
    Ledger.open(url).close()


@ON_BOTH_DATABASES
@pytest.mark.parametrize("back", [FIRST - 12, *only_deep(FIRST - 13)])
def test_whoever_opens_it_next_goes_on(ledger: Ledger, ledger_url: str, tmp_path: Path, back: int) -> None:
    sent = running(ledger, 40)
    waits = ledger.create_campaign("Later", messages_frame(20, "Later", first=40), batch_size=3)
    owner = ledger.outbox.register(0)
    for _batch in range(3):
        got = claim(ledger, sent, owner)
        ledger.outbox.settle(got, accepted(got, credits_used=2))
    uuids = ledger.messages(sent)["uuid"].tolist()
    ledger.record_reports([report(uuid, failure_reason="blocked") for uuid in uuids[:4]])
    ledger.record_reports([report(uuid, delivered_at="2026-11-20T10:06:00Z") for uuid in uuids[4:20]])
    before, messages = _sorted(ledger), ledger.messages()
    go_back(ledger.database, back)
    for within, call in (("advance", 0), ("fill", 1), ("mend", 0)):
        words = [ledger_url, within, str(call)]
        opened_by = Forked(open_until_killed, words, folder=tmp_path, environment=os.environ)
        assert opened_by.wait(PATIENCE_S) == -signal.SIGKILL, within
        with pytest.raises(LedgerError, match="older version"):
            Ledger.open(ledger_url, read_only=True)
    with closing(Ledger.open(ledger_url)) as opened:
        assert [opened.recount(campaign) for campaign in (sent, waits)] == [[], []]
        assert_frame_equal(_sorted(opened), before)
        assert_frame_equal(opened.messages(), messages)
    with closing(Ledger.open(ledger_url, read_only=True)) as opened:
        assert_frame_equal(_sorted(opened), before)


def _sorted(ledger: Ledger) -> pd.DataFrame:
    counts = ledger.counts()
    return counts.sort_values(["campaign", "state", "stage", "cause", "reason"]).reset_index(drop=True)
