"""A frame that lacks columns: whichever function it is given to names itself and what it needs."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pandas as pd
import pytest

import dashboard
from dashboard.errors import DashboardError, FrameError, OptionError
from dashboard.reports import recipients
from dashboard.reports.tables.one_campaign.for_people import recipients_in_words
from tests.reports.campaign_frames import DELIVERED, FAILED, campaigns, messages

TAKING_MESSAGES = [
    name
    for name in dashboard.__all__
    if name in dir(dashboard)
    and inspect.isfunction(function := getattr(dashboard, name))
    and function.__module__.startswith("dashboard.reports")
    and "messages" in inspect.signature(function).parameters
]
MORE: dict[str, dict[str, Any]] = {
    "breakdown": {"column": "country"},
    **{name: {"by": "variant"} for name in ("compare", "cost_by", "delivery_rates")},
    "monthly_statement": {"campaigns": campaigns({}), "month": "2027-03"},
    "recipients": {"sheet_rows": None},
}
RATES = dashboard.delivery_rates(messages(DELIVERED, FAILED), "variant")


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in TAKING_MESSAGES if name != "campaign_workbook"])
def test_the_sentence_names_the_function_and_the_column(name: str) -> None:
    whole, needed = messages(DELIVERED, FAILED), 0
    function = getattr(dashboard, name)
    for column in whole:
        try:
            function(whole.drop(columns=column), **MORE.get(name, {}))
        except DashboardError as error:
            needed += 1
            assert re.match(rf"{name} needs the columns .*\b{column}\b", str(error))  # noqa: PT017
    assert needed


@pytest.mark.parametrize("confidence", [95, 0, 1, -0.95, float("nan")])
def test_a_confidence_that_is_none_is_refused_even_where_nothing_is_compared(confidence: float) -> None:
    calls = [
        lambda: dashboard.delivery_rates(messages(DELIVERED, FAILED), "variant", confidence=confidence),
        lambda: dashboard.delivery_rates(messages(DELIVERED).head(0), "variant", confidence=confidence),
        lambda: dashboard.compare_rates((1, 2), (1, 2), confidence=confidence),
        lambda: dashboard.compare_groups(RATES, confidence=confidence),
        lambda: dashboard.compare_groups(RATES.head(0), confidence=confidence),
        lambda: dashboard.people_needed((1, 2), (1, 2), confidence=confidence),
    ]
    for call in calls:
        with pytest.raises(OptionError, match=r"between 0 and 1, such as 0\.95"):
            call()


def test_a_sheet_may_call_its_columns_as_reports_call_their_figures() -> None:
    frame = messages(DELIVERED)
    sheet = pd.DataFrame(
        {"row": frame["row"], "failed": ["no"] * len(frame), "sent_at": ["in May"] * len(frame)}
    )
    assert "no" in recipients(frame, sheet_rows=sheet).iloc[0].tolist()
    assert "in May" in recipients_in_words(frame, sheet_rows=sheet).iloc[0].tolist()
    with pytest.raises(FrameError, match="row"):
        recipients_in_words(frame, sheet_rows=sheet.drop(columns="row"))
