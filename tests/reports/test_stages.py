"""The stage of a message, derived from what the contract documents."""

from __future__ import annotations

from typing import Any

import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, messages
from each import each

from dashboard.errors import DashboardError
from dashboard.reports import Stage, stages

LATER, EARLIER = at("13:00"), at("11:00")


@each(
    "message, stage",
    [
        ({"state": "ready"}, Stage.NOT_SENT_YET),
        ({"state": "sending"}, Stage.NOT_SENT_YET),
        ({"state": "ready", "scheduled_at": LATER}, Stage.SCHEDULED),
        ({}, Stage.ACCEPTED),
        ({"scheduled_at": LATER}, Stage.SCHEDULED),
        ({"scheduled_at": EARLIER}, Stage.ACCEPTED),
        ({"scheduled_at": NOW}, Stage.ACCEPTED),
        # a time has come when its quarter of an hour ends
        ({"scheduled_at": at("11:46")}, Stage.ACCEPTED),
        ({"scheduled_at": at("12:01")}, Stage.SCHEDULED),
        ({**SENT, "scheduled_at": EARLIER}, Stage.SENT),
        # the service's word does not decide
        *(({**SENT, "status": word}, Stage.SENT) for word in ("pending", "DELIVRD", "queued", None)),
        (DELIVERED, Stage.DELIVERED),
        (FAILED, Stage.FAILED),
        ({"failure_reason": "blocked"}, Stage.FAILED),
        ({**DELIVERED, "failure_reason": "blocked"}, Stage.DELIVERED),
        ({"state": "unknown"}, Stage.UNKNOWN),
        ({"state": "unknown", "scheduled_at": LATER}, Stage.UNKNOWN),
        ({"state": "unknown", **DELIVERED}, Stage.UNKNOWN),
        ({"state": "rejected", "failure_reason": "not a mobile"}, Stage.REJECTED),
        ({"state": "cancelled", "scheduled_at": LATER}, Stage.CANCELLED),
        ({"state": "dropped"}, Stage.DROPPED),
        ({"state": "abandoned"}, Stage.ABANDONED),
    ],
)
def test_the_stage_follows_from_the_documented_fields(message: dict[str, Any], stage: Stage) -> None:
    assert stages(messages(message), now=NOW).tolist() == [stage]


def test_stages_are_ordered_and_keep_the_index() -> None:
    frame = messages(DELIVERED, {"state": "ready"}).set_axis([5, 9])
    stage = stages(frame, now=NOW)
    assert stage.index.tolist() == [5, 9]
    assert stage.min() == Stage.NOT_SENT_YET
    assert stages(messages()).dtype == stage.dtype


def test_columns_in_which_nothing_has_happened_may_be_of_any_type() -> None:
    frame = messages({}).assign(sent_at=None, delivered_at=None, failure_reason=None)
    assert stages(frame, now=NOW).tolist() == [Stage.ACCEPTED]


def test_a_state_from_a_newer_version_is_not_swallowed() -> None:
    with pytest.raises(DashboardError, match="Update the program"):
        stages(messages({"state": "teleported"}))
