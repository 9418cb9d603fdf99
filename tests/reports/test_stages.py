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
        ({"state": "ready", "scheduled_at": EARLIER}, Stage.NOT_SENT_YET),
        ({}, Stage.ACCEPTED),
        ({"scheduled_at": LATER}, Stage.SCHEDULED),
        ({"scheduled_at": EARLIER}, Stage.ACCEPTED),
        ({"scheduled_at": NOW}, Stage.ACCEPTED),
        ({"scheduled_at": at("12:01")}, Stage.SCHEDULED),
        (SENT, Stage.SENT),
        ({**SENT, "scheduled_at": EARLIER}, Stage.SENT),
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


@each("clock, stage", [("12:07", Stage.SCHEDULED), ("12:14:59", Stage.SCHEDULED), ("12:15", Stage.ACCEPTED)])
def test_a_time_has_come_when_its_quarter_of_an_hour_ends(clock: str, stage: Stage) -> None:
    assert stages(messages({"scheduled_at": at("12:03")}), now=at(clock)).tolist() == [stage]


@each("word", ["pending", "DELIVRD", "queued", None])
def test_the_services_word_does_not_decide(word: str | None) -> None:
    frame = messages({**SENT, "status": word})
    assert stages(frame, now=NOW).tolist() == [Stage.SENT]


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
