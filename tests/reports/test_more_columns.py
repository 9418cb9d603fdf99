"""Messages beside columns of other frames, such as after a merge: they are counted as if they stood alone."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, SENT, messages
from test_lacking_columns import MORE, TAKING_MESSAGES

import dashboard

OWN = messages(
    *[{**DELIVERED, "variant": "A", "to": f"+4479111234{n:02d}"} for n in range(40)],
    *[{**FAILED, "variant": "B", "country": "DE", "to": f"+4479111235{n:02d}"} for n in range(35)],
    {**SENT, "variant": "B", "state": "unknown", "credits_billed": None},
)
MERGED = OWN.assign(messages=pd.Series(7, OWN.index, dtype="Int64").mask(OWN["country"] == "DE"), event="x")
"""`messages` as `Ledger.contacts()` has it, missing where a number is in no contact; and COURSE's word."""


@pytest.mark.parametrize("name", [name for name in TAKING_MESSAGES if name != "campaign_workbook"])
def test_nothing_is_counted_by_a_column_of_another_frame(name: str) -> None:
    function, more = getattr(dashboard, name), MORE.get(name, {})
    assert as_plain(function(MERGED, **more)) == as_plain(function(OWN, **more))


@pytest.mark.parametrize("person", [None, "to"])
def test_neither_are_people(person: str | None) -> None:
    of_merged = dashboard.delivery_rates(MERGED, "country", person=person)
    assert of_merged["independent"].tolist() == [35, 40]


def as_plain(made: Any) -> Any:
    if isinstance(made, pd.DataFrame | pd.Series):
        return made.astype("str").to_dict()
    return {name: as_plain(each) for name, each in vars(made).items()} if is_dataclass(made) else made
