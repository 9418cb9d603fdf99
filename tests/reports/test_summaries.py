"""Summaries, reasons, progress and costs: their figures, and that their sums agree."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, campaigns, messages
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns.cost.money import known_amounts
from dashboard.reports import (
    Cause,
    Stage,
    breakdown,
    campaign_summary,
    cost_by_campaign,
    delivered_by_hour,
    failure_reasons,
    funnel_steps,
    reconcile,
    status_over_time,
)
from dashboard.reports.schema import SCHEMAS

READY = {"state": "ready"}
REJECTED = {"state": "rejected", "failure_reason": "not a mobile"}
MIXED = messages(
    DELIVERED, DELIVERED, {**FAILED, "country": "DE"}, SENT, READY, REJECTED, {"state": "unknown"}
)


@pytest.mark.parametrize("frame", [MIXED, messages()], ids=["mixed", "empty"])
@pytest.mark.parametrize(
    ("report", "name"),
    [
        (campaign_summary, "campaign_summary(...)"),
        (failure_reasons, "failure_reasons(...)"),
        (lambda frame: breakdown(frame, "country"), "breakdown(...)"),
        (funnel_steps, "funnel_steps(...)"),
        (status_over_time, "status_over_time(...)"),
        (delivered_by_hour, "delivered_by_hour(...)"),
        (reconcile, "reconcile(...)"),
    ],
)
def test_columns_are_as_declared(report: object, name: str, frame: pd.DataFrame) -> None:
    made = report(frame)  # type: ignore[operator]
    assert {str(c): str(t) for c, t in made.dtypes.items()} == {c.name: c.dtype for c in SCHEMAS[name]}


@pytest.mark.parametrize("rows", [[{}], []])
def test_columns_of_costs_are_as_declared(rows: list[dict[str, object]]) -> None:
    made = cost_by_campaign(campaigns(*rows))
    declared = {c.name: c.dtype for c in SCHEMAS["cost_by_campaign(...)"]}
    assert {str(c): str(t) for c, t in made.dtypes.items()} == declared


def test_the_summary_has_every_stage() -> None:
    summary = campaign_summary(MIXED, now=NOW).set_index("stage")
    assert list(summary.index) == [stage.value for stage in Stage]
    assert summary.loc["delivered", "messages"] == 2
    assert summary.loc["delivered", "share"] == pytest.approx(2 / 7)
    assert summary.loc["delivered", "credits_billed"] == 2
    assert summary.loc["dropped", "messages"] == 0


def test_failures_are_counted_by_the_services_reason_and_are_charged() -> None:
    frame = messages(FAILED, FAILED, {**FAILED, "failure_reason": "blocked"}, REJECTED, {"state": "rejected"})
    assert failure_reasons(frame).to_dict("records") == [
        {
            "stage": "failed",
            "reason": "number not in service",
            "messages": 2,
            "share": 0.4,
            "credits_billed": 2,
        },
        {"stage": "failed", "reason": "blocked", "messages": 1, "share": 0.2, "credits_billed": 1},
        {"stage": "rejected", "reason": "no reason given", "messages": 1, "share": 0.2, "credits_billed": 0},
        {"stage": "rejected", "reason": "not a mobile", "messages": 1, "share": 0.2, "credits_billed": 0},
    ]


def test_a_breakdown_lists_the_most_frequent_first() -> None:
    counts = breakdown(MIXED.assign(country=["GB", "GB", "DE", "GB", None, "GB", "GB"]), "country")
    assert counts["value"].unique().tolist() == ["GB", "DE", "not known"]
    assert counts["messages"].sum() == len(MIXED)


def test_the_funnel_counts_only_what_was_tried() -> None:
    assert funnel_steps(MIXED, now=NOW)["messages"].tolist() == [6, 4, 4, 2]
    assert funnel_steps(messages(READY), now=NOW)["messages"].tolist() == [0, 0, 0, 0]


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
    (found,) = delivered_by_hour(frame).to_dict("records")
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


@pytest.mark.parametrize(
    ("message", "cause", "difference"),
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


states = st.sampled_from(["ready", "sending", "accepted", "rejected", "unknown", "dropped", "abandoned"])
bodies = st.sampled_from(["a", "ł" * 71, "€" * 81, URL])
rows = st.builds(
    lambda state, body, low, extra, billed, happened: {
        **happened,
        "state": state,
        "body": body,
        "credits_low": low,
        "credits_high": low + extra,
        "credits_billed": billed,
    },
    states,
    bodies,
    st.integers(1, 4),
    st.integers(0, 1),
    st.none() | st.integers(1, 6),
    st.sampled_from([{}, SENT, DELIVERED, FAILED]),
)


@given(st.lists(rows, max_size=12))
def test_every_total_agrees(drawn: list[dict[str, object]]) -> None:
    frame = messages(*drawn)
    summary, bill = campaign_summary(frame), reconcile(frame)
    kept = frame[frame["state"] != "dropped"]
    assert (summary["messages"].sum(), bill["messages"].sum()) == (len(frame), len(kept))
    for column in ("credits_low", "credits_high", "credits_billed"):
        assert summary[column].sum() == frame[column].sum()
        assert bill[column].sum() == kept[column].sum()
    assert breakdown(frame, "line_type")["messages"].sum() == len(frame)
    lost = summary.set_index("stage").loc[["failed", "rejected"], "messages"].sum()
    assert failure_reasons(frame)["messages"].sum() == lost
