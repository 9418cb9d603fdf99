"""What charts draw: the same labels in the same order for everyone who draws them, and nothing left out."""

from __future__ import annotations

from campaign_frames import DELIVERED, FAILED, NOW, at, messages

from dashboard.reports import charts

LATER = {"scheduled_at": at("10:00", 31)}


def test_a_reason_that_failed_some_and_refused_others_is_one_bar() -> None:
    refused = {"state": "rejected", "failure_reason": "number not in service"}
    bars = charts.reasons(
        messages(*[FAILED] * 3, *[refused] * 2, *[{**FAILED, "failure_reason": "late"}] * 4)
    )
    assert charts.totals(bars) == [("number not in service", 5), ("late", 4)]
    assert bars["stage"].tolist() == ["failed", "rejected", "failed"]
    assert bars["credits_billed"].sum() == 7


def test_what_is_not_among_the_largest_is_one_bar_at_the_end() -> None:
    people = [{**DELIVERED, "country": code} for code in ["GB"] * 3 + ["DE"] * 2 + ["FR", "IT", "ES"]]
    bars = charts.countries(messages(*people, {**FAILED, "country": None}))
    shown = charts.by_label(bars, most=2)
    assert charts.totals(shown) == [("United Kingdom", 3), ("Germany", 2), ("4 others", 4)]
    assert shown.tail(2)["stage"].tolist() == ["delivered", "failed"]
    assert list(shown) == list(bars)


def test_one_label_more_stays_itself() -> None:
    bars = charts.countries(
        messages(DELIVERED, {**DELIVERED, "country": "DE"}, {**DELIVERED, "country": None})
    )
    labels = [label for label, _ in charts.totals(charts.by_label(bars, most=2))]
    assert labels == ["Germany", "Not known", "United Kingdom"]


def test_the_funnel_begins_with_all_that_left_this_machine() -> None:
    """What waits at the service was accepted; what was given up was handed over; a failure had been sent."""
    steps = charts.funnel(
        messages(
            {**LATER, "state": "accepted"},
            {**LATER, "state": "ready"},
            {"state": "abandoned"},
            {"state": "unknown"},
            {"failure_reason": "expired"},
            DELIVERED,
            {"state": "dropped"},
            {"state": "cancelled"},
            {"state": "sending"},
        ),
        now=NOW,
    )
    assert steps["messages"].tolist() == [5, 3, 2, 1]
    assert steps["fewer"].tolist() == [0, 2, 1, 1]


def test_a_chart_of_nothing_is_empty() -> None:
    for make in (charts.reasons, charts.countries, charts.line_types):
        assert charts.totals(charts.by_label(make(messages()), most=6)) == []
    assert charts.funnel(messages())["messages"].tolist() == [0, 0, 0, 0]
