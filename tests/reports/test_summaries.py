"""Summaries, reasons, progress and costs: their figures, and that their sums agree."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, campaigns, messages
from each import each

from dashboard.campaigns.cost.money import known_amounts
from dashboard.reports import (
    Cause,
    Stage,
    breakdown,
    campaign_summary,
    cost_by_campaign,
    delivered_by_hour,
    failure_reasons,
    reconcile,
    status_over_time,
)

READY = {"state": "ready"}
REJECTED = {"state": "rejected", "failure_reason": "not a mobile"}
MIXED = messages(
    DELIVERED, DELIVERED, {**FAILED, "country": "DE"}, SENT, READY, REJECTED, {"state": "unknown"}
)


def test_the_summary_has_every_stage() -> None:
    summary = campaign_summary(MIXED, now=NOW).set_index("stage")
    assert list(summary.index) == [stage.value for stage in Stage]
    assert summary.loc["delivered", "messages"] == 2
    assert summary.loc["delivered", "share"] == pytest.approx(2 / 7)
    assert summary.loc["delivered", "credits_billed"] == 2
    assert summary.loc["dropped", "messages"] == 0


def test_failures_are_counted_by_the_services_reason_and_are_charged() -> None:
    frame = messages(FAILED, FAILED, {**FAILED, "failure_reason": "blocked"}, REJECTED, {"state": "rejected"})
    columns = ["stage", "reason", "messages", "share", "credits_billed"]
    assert failure_reasons(frame)[columns].to_numpy().tolist() == [
        ["failed", "number not in service", 2, 0.4, 2],
        ["failed", "blocked", 1, 0.2, 1],
        ["rejected", "no reason given", 1, 0.2, 0],
        ["rejected", "not a mobile", 1, 0.2, 0],
    ]


def test_a_breakdown_lists_the_most_frequent_first() -> None:
    counts = breakdown(MIXED.assign(country=["GB", "GB", "DE", "GB", None, "GB", "GB"]), "country")
    assert counts["value"].unique().tolist() == ["GB", "DE", "not known"]
    assert counts["messages"].sum() == len(MIXED)


def test_the_course_ends_at_the_present_counts() -> None:
    frame = messages(
        {**DELIVERED, "delivered_at": at("11:00")},
        DELIVERED,
        FAILED,
        SENT,
        {**SENT, "sent_at": at("10:30")},
    )
    course = status_over_time(frame, points=13)
    assert course["time"].iloc[0] == at("10:00")
    assert course["time"].iloc[-1] == at("11:00")
    assert course.loc[0, ["sent", "delivered", "failed"]].tolist() == [3, 0, 1]
    assert course.loc[12, ["sent", "delivered", "failed"]].tolist() == [2, 2, 1]
    assert course.loc[1, "delivered"] == 1


def test_a_failure_counts_from_when_it_was_heard() -> None:
    frame = messages(DELIVERED, FAILED, {"failure_reason": "blocked"})
    events = pd.DataFrame(
        {
            "uuid": frame["uuid"][[1, 1, 2]].tolist(),
            "stage": ["sent", "failed", "failed"],
            "recorded_at": [at("10:01"), at("10:30"), at("10:20")],
        }
    )
    course = status_over_time(frame, events=events, points=4)
    assert course["time"].tolist() == [at("10:00"), at("10:10"), at("10:20"), at("10:30")]
    assert course["failed"].tolist() == [0, 0, 1, 2]
    assert course["sent"].tolist() == [2, 1, 1, 0]


def test_a_course_of_one_moment_has_one_point() -> None:
    assert len(status_over_time(messages(SENT))) == 1


def test_hours_are_those_of_the_time_zone() -> None:
    sunday_night = {"handed_over_at": at("23:30", day=7)}
    frame = messages(
        {**DELIVERED, **sunday_night},
        {**FAILED, "handed_over_at": at("23:40", day=7)},
        {**SENT, **sunday_night, "campaign": "c2"},
        {"state": "unknown", **sunday_night},
        {"state": "unknown", "handed_over_at": at("07:00")},
        READY,
    )
    (found,) = delivered_by_hour(frame, now=at("23:45", day=7)).to_dict("records")
    assert {name: found[name] for name in ("weekday", "hour", "messages", "delivered", "open", "share")} == (
        {"weekday": "Sun", "hour": 23, "messages": 3, "delivered": 1, "open": 1, "share": 1 / 3}
    )
    assert (found["campaigns"], found["share_at_most"], found["stands_out"]) == (2, 2 / 3, False)
    assert delivered_by_hour(frame, tz="Europe/Berlin")[["weekday", "hour"]].to_numpy().tolist() == [
        ["Mon", 0]
    ]


def test_costs_are_exact_and_newest_first() -> None:
    costs = cost_by_campaign(
        campaigns(
            {"created_at": at("09:00", day=1)},
            {"campaign": "c2", "created_at": at("09:00", day=2), "price_per_credit": None},
        )
    )
    assert costs["campaign"].tolist() == ["c2", "c1"]
    assert known_amounts(costs["cost_billed"]) == [None, Decimal("5.50")]
    assert costs["cost_high"][1] == Decimal("6.00")


URL = "https://example.com/" + "p" * 40


@each(
    "message, cause, difference",
    [
        ({"credits_billed": 1}, Cause.AS_ESTIMATED, 0),
        ({"credits_billed": 2, "credits_high": 2, "body": URL}, Cause.SHORT_LINK, 0),
        ({"credits_billed": 2, "body": URL}, Cause.SHORT_LINK, 1),
        ({"credits_billed": 2, "body": "ł" * 71}, Cause.OUTSIDE_GSM, 1),
        ({"credits_billed": 2, "body": "€" * 81}, Cause.OUTSIDE_GSM, 1),
        ({"credits_billed": 3, "body": "a" * 81}, Cause.UNEXPLAINED, 2),
        ({"credits_billed": 1, "credits_low": 2, "credits_high": 2}, Cause.OUTSIDE_GSM, -1),
        ({"credits_billed": None}, Cause.NOT_IN_ANSWER, 0),
        ({"state": "unknown"}, Cause.UNKNOWN, 0),
        ({"state": "abandoned"}, Cause.UNKNOWN, 0),
        ({"state": "unknown", "credits_billed": 1}, Cause.AS_ESTIMATED, 0),
        ({"state": "ready"}, Cause.NOT_SENT, 0),
        ({"state": "cancelled"}, Cause.NOT_SENT, 0),
        ({"state": "rejected"}, Cause.NOT_SENT, 0),
    ],
)
def test_each_bill_has_its_cause(message: dict[str, object], cause: Cause, difference: int) -> None:
    table = reconcile(messages(message)).set_index("cause")
    assert table.loc[cause.value, "messages"] == 1
    assert table.loc[cause.value, "difference"] == difference
