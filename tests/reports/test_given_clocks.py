"""`now` and `tz` wherever they are given: a time without a zone is nobody's, and a zone has to exist."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, campaigns, messages
from each import each
from test_lacking_columns import MORE, TAKING_MESSAGES

import dashboard
from dashboard import figures
from dashboard.errors import CampaignError

MESSAGES = messages(*[{**DELIVERED, "variant": "A"}] * 3, FAILED)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(dashboard, name) for name in TAKING_MESSAGES},
    **{f"figures.{name}": getattr(figures, name) for name in ("by_hour", "status_over_time")},
}
MORE = {**MORE, "campaign_workbook": {"campaign": campaigns({})}}


def taking(parameter: str) -> list[str]:
    return [name for name, one in FUNCTIONS.items() if parameter in inspect.signature(one).parameters]


def call(name: str, **given: Any) -> None:
    first = next(iter(inspect.signature(FUNCTIONS[name]).parameters))
    own = {"messages": MESSAGES, **MORE.get(name, {})} if "." not in name else {first: MESSAGES}
    FUNCTIONS[name](**own, **given)


@each("name", taking("now"))
@each("now", [datetime(2027, 3, 1), pd.Timestamp("2027-03-01")])  # noqa: DTZ001
def test_a_time_without_a_zone_is_refused(name: str, now: datetime) -> None:
    with pytest.raises(CampaignError, match="with its time zone"):
        call(name, now=now)


@each("name", taking("tz"))
@each("tz", ["Mars/Phobos", "", "../utc", "UTC+1"])
def test_a_zone_that_there_is_not_is_refused(name: str, tz: str) -> None:
    with pytest.raises(CampaignError, match="IANA name"):
        call(name, tz=tz)
