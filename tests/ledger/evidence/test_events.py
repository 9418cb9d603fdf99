"""What was said of messages, as it was heard: nothing overtaken is lost, nothing counts twice."""

from __future__ import annotations

import pandas as pd
import pytest
from fixtures_ledger import Clock, report, running, taken

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger

SENT = {"status": "sent", "sent_at": "2026-11-20T09:00:05.000000Z"}
DELIVERED = {**SENT, "status": "delivered", "delivered_at": "2026-11-20T09:00:09.000000Z"}


@pytest.fixture
def campaign(ledger: Ledger) -> str:
    """Two messages that the service accepted."""
    made = running(ledger, 2)
    taken(ledger, made)
    return made


def test_every_status_is_kept_with_where_and_when_heard(ledger: Ledger, campaign: str, clock: Clock) -> None:
    first = ledger.messages(campaign)["uuid"][0]
    answered_at = clock()
    heard_at = clock.advance(60)
    ledger.record_reports([report(first, **DELIVERED)])
    ledger.record_reports([report(first, **SENT)])  # older news that came late is history all the same
    events = ledger.events(campaign)
    of_first = events[events["uuid"] == first]
    assert of_first["stage"].tolist() == ["accepted", "sent", "delivered"]
    assert of_first["status"].tolist() == ["pending", "sent", "delivered"]
    assert of_first["source"].tolist() == ["answer", "report", "report"]
    assert of_first["recorded_at"].tolist() == [answered_at, heard_at, heard_at]
    assert [str(at) for at in of_first["at"]] == [
        "2026-11-20 09:00:01+00:00",
        "2026-11-20 09:00:05+00:00",
        "2026-11-20 09:00:09+00:00",
    ]
    assert ledger.messages(campaign)["status"].tolist() == ["delivered", "pending"]


def test_what_was_said_before_is_no_new_event(ledger: Ledger, campaign: str, clock: Clock) -> None:
    reports = [report(uuid, **SENT) for uuid in ledger.messages(campaign)["uuid"]]
    for _ in range(3):
        clock.advance(1)
        ledger.record_reports(reports + reports)
    everything = ledger.events(campaign)
    assert len(everything) == 4
    for stage in ("accepted", "sent", "failed"):
        only = ledger.events(campaign, stages=[stage])
        expected = everything[everything["stage"] == stage].reset_index(drop=True)
        pd.testing.assert_frame_equal(only, expected, check_categorical=False)
    with pytest.raises(LedgerError, match="no stage 'lost'"):
        ledger.events(campaign, stages=["lost"])


def test_a_failure_needs_no_time_but_a_reason_that_can_be_stored(ledger: Ledger, campaign: str) -> None:
    first, second = ledger.messages(campaign)["uuid"]
    ledger.record_reports([{"uuid": first, "status": "UNDELIV", "failure_reason": "blocked"}])
    ledger.record_reports([report(second, failure_reason="\0")])
    (failed,) = ledger.events(campaign).query("stage == 'failed'").to_dict("records")
    assert (failed["uuid"], failed["status"], failed["failure_reason"]) == (first, "UNDELIV", "blocked")
    assert pd.isna(failed["at"])
    found = ledger.messages(campaign)
    assert (found["stage"].tolist(), ledger.recount(campaign)) == (["failed", "accepted"], [])
    assert found["failed_at"].notna().tolist() == [True, False]
