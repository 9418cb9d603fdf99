"""What every function keeps to that takes messages, whatever it makes of them.

It names itself and what it needs where a frame lacks columns, counts nothing by columns of other frames, such
as after a merge, asks for a time zone, and gives the columns that are declared, with messages and without.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import is_dataclass
from datetime import datetime
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, SENT, campaigns, messages
from each import each

import dashboard
from dashboard import figures
from dashboard.errors import CampaignError, DashboardError, FrameError, OptionError
from dashboard.reports import recipients
from dashboard.reports.measures.counting import counts
from dashboard.reports.measures.course import course
from dashboard.reports.measures.standing import standings
from dashboard.reports.measures.words import STANDING
from dashboard.reports.schema import SCHEMAS
from dashboard.reports.tables.one_campaign.for_people import recipients_in_words

TAKING_MESSAGES = {
    name: function
    for name in dashboard.__all__
    if inspect.isfunction(function := getattr(dashboard, name))
    and function.__module__.startswith("dashboard.reports")
    and "messages" in inspect.signature(function).parameters
}
WITHOUT_FILES = [name for name in TAKING_MESSAGES if name != "campaign_workbook"]
MORE: dict[str, dict[str, Any]] = {
    "breakdown": {"column": "country"},
    "campaign_workbook": {"campaign": campaigns({})},
    **{name: {"by": "variant"} for name in ("compare", "cost_by", "delivery_rates")},
    "monthly_statement": {"campaigns": campaigns({}), "month": "2027-03"},
    "recipients": {"sheet_rows": None},
}
FEW = messages(*[{**DELIVERED, "variant": "A"}] * 3, FAILED)
RATES = dashboard.delivery_rates(messages(DELIVERED, FAILED), "variant")


@pytest.mark.deep
@pytest.mark.parametrize("name", WITHOUT_FILES)
def test_of_a_frame_that_lacks_a_column_the_function_and_the_column_are_named(name: str) -> None:
    whole, needed = messages(DELIVERED, FAILED), 0
    for column in whole:
        try:
            TAKING_MESSAGES[name](whole.drop(columns=column), **MORE.get(name, {}))
        except DashboardError as error:
            needed += 1
            assert re.match(rf"{name} needs the columns .*\b{column}\b", str(error))  # noqa: PT017
    assert needed


OWN = messages(
    *[{**DELIVERED, "variant": "A", "to": f"+4479111234{n:02d}"} for n in range(40)],
    *[{**FAILED, "variant": "B", "country": "DE", "to": f"+4479111235{n:02d}"} for n in range(35)],
    {**SENT, "variant": "B", "state": "unknown", "credits_billed": None},
)
MERGED = OWN.assign(messages=pd.Series(7, OWN.index, dtype="Int64").mask(OWN["country"] == "DE"), event="x")
"""`messages` as `Ledger.contacts()` has it, missing where a number is in no contact; and COURSE's word."""


@each("name", WITHOUT_FILES)
def test_nothing_is_counted_by_a_column_of_another_frame(name: str) -> None:
    function, more = TAKING_MESSAGES[name], MORE.get(name, {})
    assert as_plain(function(MERGED, **more)) == as_plain(function(OWN, **more))


def as_plain(made: Any) -> Any:
    if isinstance(made, pd.DataFrame | pd.Series):
        return made.astype("str").to_dict()
    return {name: as_plain(each) for name, each in vars(made).items()} if is_dataclass(made) else made


@each("person", [None, "to"])
def test_neither_are_people(person: str | None) -> None:
    of_merged = dashboard.delivery_rates(MERGED, "country", person=person)
    assert of_merged["independent"].tolist() == [35, 40]


@each(
    "parameter, value, sentence",
    [
        ("now", datetime(2027, 3, 1), "with its time zone"),  # noqa: DTZ001
        ("now", pd.Timestamp("2027-03-01"), "with its time zone"),
        *(("tz", tz, "IANA name") for tz in ("Mars/Phobos", "", "../utc", "UTC+1")),
    ],
)
def test_a_time_without_a_zone_or_in_none_that_there_is_is_refused(
    parameter: str, value: Any, sentence: str
) -> None:
    asked = [
        (function, MORE.get(function.__name__, {}))
        for function in (*TAKING_MESSAGES.values(), figures.by_hour, figures.status_over_time)
        if parameter in inspect.signature(function).parameters
    ]
    assert len(asked) > 2
    for function, more in asked:
        parameters = inspect.signature(function).parameters
        first = "messages" if "messages" in parameters else next(iter(parameters))
        with pytest.raises(CampaignError, match=sentence):
            function(**{first: FEW}, **more, **{parameter: value})


@each("confidence", [95, 0, 1, -0.95, float("nan")])
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
    sheet = pd.DataFrame({"row": frame["row"], "failed": ["no"], "sent_at": ["in May"]})
    assert "no" in recipients(frame, sheet_rows=sheet).iloc[0].tolist()
    assert "in May" in recipients_in_words(frame, sheet_rows=sheet).iloc[0].tolist()
    with pytest.raises(FrameError, match="row"):
        recipients_in_words(frame, sheet_rows=sheet.drop(columns="row"))


CAMPAIGNS = campaigns({"currency": "EUR"}, {"campaign": "c2", "currency": "USD"})
MIXED = messages(
    *(DELIVERED, {**FAILED, "country": "DE"}, SENT, {"price_per_credit": None}, {"state": "ready"}),
    *({"state": "rejected", "failure_reason": "not a mobile"}, {"state": "unknown"}),
)


def tables_of(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """By the names under which their columns are declared."""
    statement = dashboard.monthly_statement(frame, CAMPAIGNS, "2027-03")
    simple = (
        *("bills", "campaign_summary", "delivered_by_hour", "failure_reasons", "funnel_steps", "reconcile"),
        "status_over_time",
    )
    return {
        **{f"{name}(...)": getattr(dashboard, name)(frame) for name in simple},
        **{f"Statement.{part}": getattr(statement, part) for part in ("by_campaign", "by_country")},
        **{f"Statement.{part}": getattr(statement, part) for part in ("by_sender", "totals")},
        "breakdown(...)": dashboard.breakdown(frame, "country"),
        "counts(...)": counts(frame, campaigns=CAMPAIGNS),
        "course(...)": course(frame, campaigns=CAMPAIGNS),
        "standings(...)": standings(frame)[list(STANDING)],
        "cost_by_campaign(...)": dashboard.cost_by_campaign(CAMPAIGNS.head(len(frame))),
        "delivery_rates(...)": dashboard.delivery_rates(frame, "country").rename(columns={"country": "…"}),
    }


@each("frame", [MIXED, messages()])
def test_columns_are_as_declared_with_messages_and_without(frame: pd.DataFrame) -> None:
    for name, made in tables_of(frame).items():
        declared = {column.name: column.dtype for column in SCHEMAS[name]}
        if "…" in declared:
            declared["…"] = str(frame["country"].dtype)
        assert {str(column): str(dtype) for column, dtype in made.dtypes.items()} == declared, name
    assert counts(frame).dtypes.equals(counts(frame, campaigns=CAMPAIGNS).dtypes)
    assert course(frame).dtypes.equals(course(frame, campaigns=CAMPAIGNS).dtypes)
