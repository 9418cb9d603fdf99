"""Figures: they say what the frames say, need no internet, and can be read by everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pandas as pd
import plotly.graph_objects as go
import pytest
from campaign_frames import DELIVERED, FAILED, SENT, at, campaigns, messages
from each import each

from dashboard import words
from dashboard.campaigns import write_messages
from dashboard.reports import delivery_rates, figures, reconcile
from dashboard.reports.figures.times import time_axis
from dashboard.reports.palette import STAGE_COLOURS

SVG = "{http://www.w3.org/2000/svg}"
REST = ("duplicate", "opted_out", "empty")
REJECTED = {"state": "rejected", "failure_reason": "not a mobile"}
FRAME = messages(
    *[DELIVERED] * 1200,
    *[{**FAILED, "country": "DE", "line_type": "FIXED_LINE_OR_MOBILE"}] * 3,
    {**SENT, "sent_at": at("10:30")},
    {"state": "ready"},
    REJECTED,
)
PEOPLE = pd.DataFrame(
    {"phone": ["+447911123456"] * 3, "v": ["", "", "x" * 30], "country": ["GB", "GB", "DE"]}
)
WRITTEN = write_messages(PEOPLE, "a" * 130 + " https://a.example {{v|}}", campaign="x")
COSTS = campaigns({}, {"campaign": "c2", "name": "Spring"})

FILLED: dict[str, Callable[[], go.Figure]] = {
    "funnel": lambda: figures.funnel(FRAME),
    "status_over_time": lambda: figures.status_over_time(FRAME),
    "by_hour": lambda: figures.by_hour(FRAME),
    "failure_reasons": lambda: figures.failure_reasons(FRAME),
    "failure_shares": lambda: figures.failure_shares(FRAME, "country"),
    "by_country": lambda: figures.by_country(FRAME),
    "by_line_type": lambda: figures.by_line_type(FRAME),
    "by_country of unsent messages": lambda: figures.by_country(WRITTEN),
    "cost_by_campaign": lambda: figures.cost_by_campaign(COSTS),
    "credits_histogram": lambda: figures.credits_histogram(WRITTEN),
    "estimate_to_bill": lambda: figures.estimate_to_bill(reconcile(FRAME)),
}
EMPTY: dict[str, Callable[[], go.Figure]] = {
    **{
        name: lambda name=name: getattr(figures, name)(messages())  # type: ignore[misc]
        for name in ("funnel", "status_over_time", "by_hour", "failure_reasons", "by_country", "by_line_type")
    },
    "failure_shares": lambda: figures.failure_shares(messages(), "country"),
    "cost_by_campaign": lambda: figures.cost_by_campaign(campaigns()),
    "credits_histogram": lambda: figures.credits_histogram(WRITTEN.head(0)),
    "estimate_to_bill": lambda: figures.estimate_to_bill(reconcile(messages())),
}


@each("name, make", [*FILLED.items(), *EMPTY.items()])
def test_a_figure_has_a_sentence_no_background_and_draws_nothing_that_is_fetched(
    name: str, make: Callable[[], go.Figure]
) -> None:
    figure = make()
    assert figure.layout.template.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"
    assert figure.layout.template.layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    assert figures.alt_text(figure).endswith(".")
    json.loads(figure.to_json())
    assert {trace.type for trace in figure.data} <= {"bar", "heatmap", "scatter", "waterfall"}
    assert bool(figure.data) == (make in FILLED.values())
    if not figure.data:
        assert "appear" in figure.layout.annotations[0].text


def test_the_funnel_shows_the_steps() -> None:
    assert list(figures.funnel(FRAME).data[0].x) == [1205, 1204, 1204, 1200]
    assert "1,205 handed to the service" in figures.alt_text(figures.funnel(FRAME))


def test_stages_keep_their_colour_in_every_figure() -> None:
    for figure in (figures.by_country(FRAME), figures.by_line_type(FRAME)):
        for trace in figure.data:
            assert trace.marker.color == STAGE_COLOURS[trace.name.lower()]


def test_line_types_and_countries_are_in_words_as_on_the_page() -> None:
    assert set(figures.by_line_type(FRAME).data[0].y) <= {"Mobile", "Fixed line or mobile"}
    assert {value for trace in figures.by_country(FRAME).data for value in trace.y} == {
        "United Kingdom",
        "Germany",
    }


def test_campaigns_of_one_name_stay_apart() -> None:
    bars = figures.cost_by_campaign(COSTS).data[1]
    assert list(bars.y) == ["c1", "c2"]
    assert list(bars.x) == [5.5, 5.5]


LONG = "Spring sale – members in Leeds and York, second reminder"


def test_long_names_are_shortened_in_the_middle_and_said_whole_in_the_sentence() -> None:
    named = [f"{LONG} {number}" for number in (38, 39)] + ["Autumn <b>", "x" * 26]
    frame = campaigns(*[{"campaign": f"c{place}", "name": name} for place, name in enumerate(named)])
    figure = figures.cost_by_campaign(frame)
    shown = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert [shown[f"c{place}"] for place in range(4)] == [
        "Spring sale –…reminder 38",
        "Spring sale –…reminder 39",
        "Autumn &lt;b&gt;",
        "x" * 26,
    ]
    assert all(name in figures.alt_text(figure) for name in named)


def test_costs_are_in_credits_without_a_common_price() -> None:
    mixed = campaigns({}, {"campaign": "c2", "currency": "USD"})
    unpriced = campaigns({}, {"campaign": "c2", "price_per_credit": None})
    for frame in (mixed, unpriced):
        figure = figures.cost_by_campaign(frame)
        assert list(figure.data[1].x) == [110, 110]
        assert "in credits" in figures.alt_text(figure)


def test_the_histogram_shows_a_range_only_when_there_is_one() -> None:
    assert [trace.name for trace in figures.credits_histogram(WRITTEN).data] == ["At least", "At most"]
    plain = write_messages(PEOPLE, "Hi", campaign="x")
    assert [trace.name for trace in figures.credits_histogram(plain).data] == ["At most"]


@each(
    "name",
    [
        *("funnel", "failure_reasons", "failure_shares", "by_country", "by_line_type", "cost_by_campaign"),
        "credits_histogram",
    ],
)
def test_a_bar_figure_has_an_image_for_pages_without_scripts(name: str) -> None:
    figure = FILLED[name]()
    svg = ET.fromstring(figures.Still(figure).svg)  # noqa: S314 - our own image
    assert svg.findtext(f"{SVG}title") == figures.alt_text(figure)
    assert len(drawn(svg, "bar")) == sum(len(trace.x) for trace in figure.data)
    keys = [*figure.data] if len(figure.data) > 1 else []
    assert len(drawn(svg, "key")) == len(keys)
    assert {trace.name for trace in keys} <= {text.text for text in drawn(svg, "label")}
    assert [unit.text for unit in drawn(svg, "unit")] == [unit_of(figure)]
    assert "script" not in figures.Still(figure).svg


def drawn(svg: ET.Element, kind: str) -> list[ET.Element]:
    return [one for one in svg if one.get("class") == kind]


def unit_of(figure: go.Figure) -> str:
    lying = figure.data[0].orientation == "h"
    return (figure.layout.xaxis if lying else figure.layout.yaxis).title.text


def boxes(figure: go.Figure) -> list[tuple[float, float, float]]:
    """Where each bar of the image begins and ends, and at which height."""
    bars = drawn(ET.fromstring(figures.Still(figure).svg), "bar")  # noqa: S314 - our own image
    at = [[float(bar.get(side, "")) for side in ("x", "width", "y")] for bar in bars]
    return [(x, x + width, y) for x, width, y in at]


def test_in_an_image_bars_are_stacked_beside_or_upon_each_other_as_in_the_figure() -> None:
    lists = pd.DataFrame([{"name": "May", "ok": 6, "review": 0, "invalid": 2} | dict.fromkeys(REST, 0)])
    ok, invalid = boxes(figures.list_health(lists))
    assert invalid[0] == pytest.approx(ok[1], abs=0.11)
    assert (ok[1] - ok[0]) / (invalid[1] - invalid[0]) == pytest.approx(3, rel=0.01)
    assert ok[2] == invalid[2]
    estimate, billed = boxes(figures.cost_by_campaign(campaigns({})))
    assert (estimate[0], estimate[2]) == (billed[0], billed[2])
    assert estimate[1] > billed[1]
    least, most = boxes(figures.credits_histogram(WRITTEN))[:2]
    assert least[0] == most[0]
    assert least[2] < most[2]


def test_failed_shares_are_of_what_each_group_had_accepted_and_rare_reasons_go_together() -> None:
    many = [{**FAILED, "country": "DE", "failure_reason": f"reason {one}"} for one in range(8)]
    figure = figures.failure_shares(messages(*many, *[DELIVERED] * 7, FAILED), "country")
    assert figures.alt_text(figure) == "Share failed: DE 100.0 %; GB 12.5 %."
    assert [trace.name for trace in figure.data][-1] == "other reasons"
    assert len(figure.data) == 6
    assert sum(trace.x[0] for trace in figure.data) == pytest.approx(100)


def test_a_reason_that_is_called_as_the_others_together_keeps_its_own_share() -> None:
    many = [{**FAILED, "failure_reason": f"reason {one}"} for one in range(7)]
    figure = figures.failure_shares(
        messages(*many, *[{**FAILED, "failure_reason": "other reasons"}] * 3), "country"
    )
    assert [trace.name for trace in figure.data].count("other reasons") == 2
    assert sum(sum(trace.x) for trace in figure.data) == pytest.approx(100)


def test_an_image_writes_numbers_and_escapes_words() -> None:
    odd = messages(*[{**FAILED, "failure_reason": "<b> & co"}] * 1200)
    assert "&lt;b&gt; &amp; co</text>" in figures.Still(figures.failure_reasons(odd)).svg
    assert "1,200</text>" in figures.Still(figures.failure_reasons(odd)).svg


def test_a_figure_that_takes_a_browser_has_its_words_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    figure = FILLED["status_over_time"]()
    shown = figures.Still(figure)._repr_mimebundle_()
    assert set(shown) == {"application/vnd.plotly.v1+json", "text/plain"}
    assert shown["text/plain"] == figures.alt_text(figure)


def test_lists_are_shown_by_verdict_and_shares_with_their_intervals() -> None:
    lists = pd.DataFrame([{"name": "May", "ok": 8, "review": 0, "invalid": 2} | dict.fromkeys(REST, 0)])
    shown = figures.list_health(lists)
    assert [trace.name for trace in shown.data] == ["Ok", "Invalid"]
    assert figures.alt_text(shown) == "Rows that can be texted: May 8 of 10."
    rates = delivery_rates(messages(*[DELIVERED] * 9, FAILED), "country")
    assert figures.alt_text(figures.delivery_rates(rates)).endswith("GB 90.0 % (59.6 to 98.2).")
    for nothing in (figures.list_health(lists[:0]), figures.delivery_rates(rates[:0])):
        assert "appear" in figures.alt_text(nothing)


def test_from_the_estimate_to_the_bill_nothing_is_missing() -> None:
    frame = messages(
        *[{**DELIVERED, "credits_low": 1, "credits_high": 1, "credits_billed": 1}] * 5,
        {**DELIVERED, "credits_low": 1, "credits_high": 3, "credits_billed": 2},
        {**DELIVERED, "credits_high": 1, "credits_billed": 2, "body": "A text with “quotes”"},
        {**SENT, "credits_low": 2, "credits_high": 2, "credits_billed": None},
        {"state": "ready", "credits_low": 4, "credits_high": 4, "credits_billed": None},
    )
    (steps,) = figures.estimate_to_bill(reconcile(frame)).data
    assert steps.x[0] + sum(steps.x[1:-1]) == steps.x[-1] == frame["credits_billed"].sum()
    assert [label.split("<br>")[0] for label in steps.y[:4]] == [
        *("Estimate, at most", "Not sent", "Missing from the answer", "Short link")
    ]
    assert list(steps.x[1:4]) == [-4, -2, -1]
    assert sum(change for change in steps.x[1:-1] if change > 0) == 1


@each(
    "lasts, ends",
    [
        (timedelta(seconds=15), "09:00:1"),
        (timedelta(minutes=7), "09:0"),
        (timedelta(hours=5), "<br>"),
        (timedelta(days=2), "<br>"),
        (timedelta(days=40), "2026"),
        (timedelta(days=4000), "20"),
        (timedelta(0), "09:00"),
    ],
)
def test_times_are_written_as_the_language_does(lasts: timedelta, ends: str) -> None:
    first = datetime(2026, 10, 2, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    words.use("de")
    try:
        x, axis = time_axis(pd.Series([first, first + lasts]).dt.tz_convert("UTC"), "Europe/Berlin")
    finally:
        words.use(words.ENGLISH)
    assert 1 <= len(axis["ticktext"]) == len(axis["tickvals"]) <= 5
    assert all(x.iloc[0] <= at <= x.iloc[-1] for at in axis["tickvals"])
    assert re.search(r"\d\.\W[A-Z][a-z]+\.? 20\d\d", axis["ticktext"][0])
    assert any(ends in text for text in axis["ticktext"])
    assert axis["hoverformat"].startswith("%d.%m.%Y")
    assert axis["title"] == {"text": "Europe/Berlin"}
