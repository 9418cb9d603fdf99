"""Hours of the week: a cell says of how many it is, and an hour is best only by more than chance."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, messages
from each import each

from dashboard.reports import best_hour, compare_rates, counts, delivered_by_hour, figures

LATER = NOW + timedelta(days=30)
EARLY, LATE = at("09:00"), at("21:00")
NONE = "No hour stands out: the differences may be chance, or come from one campaign."


def sent(campaign: str, when: pd.Timestamp, delivered: int, failed: int, open_: int = 0) -> pd.DataFrame:
    """COUNTS of messages that a campaign handed over at a time."""
    numbers = {"delivered": delivered, "failed": failed, "sent": open_}
    fates = [fate for fate, number in zip((DELIVERED, FAILED, SENT), numbers.values(), strict=True) if number]
    made = counts(messages(*[{**fate, "campaign": campaign, "handed_over_at": when} for fate in fates]))
    return made.assign(messages=made["stage"].astype("str").map(numbers).astype(made["messages"].dtype))


def all_of(*several: tuple[Any, ...]) -> pd.DataFrame:
    """The same of several, each by what `sent` is given."""
    return pd.concat([sent(*one) for one in several], ignore_index=True)


OTHERS = (("c1", LATE, 80, 20), ("c2", LATE, 82, 18))


def test_a_cell_has_its_number_and_its_interval() -> None:
    hours = delivered_by_hour(all_of(*OTHERS), now=LATER)
    (cell,) = hours.to_dict("records")
    assert (cell["messages"], cell["campaigns"], cell["final"]) == (200, 2, True)
    assert cell["independent"] == 100  # both campaigns may have texted the same 100 people
    assert cell["low"] < 0.74
    assert cell["high"] > 0.87


@each(
    "name, early, found",
    [
        ("two campaigns", (("c1", EARLY, 99, 1), ("c2", EARLY, 98, 2)), True),
        ("only one campaign", (("c1", EARLY, 990, 10),), False),
        ("one, and a few of another", (("c1", EARLY, 990, 10), ("c2", EARLY, 29, 0)), False),
        ("one, and another that did worse", (("c1", EARLY, 990, 10), ("c2", EARLY, 32, 8)), False),
        ("some still open", (("c1", EARLY, 99, 0, 1), ("c2", EARLY, 98, 2)), False),
        ("by chance", (("c1", EARLY, 85, 15), ("c2", EARLY, 86, 14)), False),
        ("worse", (("c1", EARLY, 60, 40), ("c2", EARLY, 61, 39)), False),
    ],
)
def test_an_hour_stands_out_only_where_it_is_the_hour(
    name: str, early: tuple[tuple[Any, ...], ...], found: bool
) -> None:
    now = NOW if name == "some still open" else LATER
    hours = delivered_by_hour(all_of(*OTHERS, *early), now=now).set_index("hour")
    assert bool(hours.loc[9, "stands_out"]) is found
    said = best_hour(hours.reset_index())
    assert said.startswith("More got through on Mon at 09:00 than at other hours: 98% of 200") == found
    if name == "worse":  # then it is the other hour that did better
        assert said.startswith("More got through on Mon at 21:00")
    elif not found:
        assert said == NONE


@pytest.mark.deep
def test_the_best_of_many_hours_is_chance() -> None:
    ends = compare_rates((100, 100), (96 * 47, 100 * 47))
    assert ends[0] > 0  # by itself it would seem to be better
    week = [
        (campaign, EARLY + timedelta(hours=hour), *((50, 0) if hour == 5 else (48, 2)))
        for hour in range(48)
        for campaign in ("c1", "c2")
    ]
    assert not delivered_by_hour(all_of(*week), now=LATER)["stands_out"].any()


def test_an_hour_whose_news_is_awaited_is_pale() -> None:
    early = ("c1", EARLY, 150, 0, 50)
    shown = [figures.by_hour(all_of(*OTHERS, early), now=moment) for moment in (NOW, LATER)]
    assert [[trace.showscale is False for trace in one.data] for one in shown] == [[False, True], [False]]


def test_few_are_pale_and_the_scale_is_the_datas() -> None:
    shown = figures.by_hour(all_of(*OTHERS, ("c1", EARLY, 29, 0)), now=LATER)
    many, few = shown.data
    assert few.showscale is False
    assert len({colour for _at, colour in few.colorscale}) == 1
    assert pd.Series(many.z.ravel()).dropna().tolist() == [81.0]
    assert [text for trace in shown.data for row in trace.text for text in row if text] == ["200", "29"]
    assert figures.alt_text(shown).endswith(NONE)


@each(
    "delivered, ends",
    [((80, 82), (76, 86)), ((100, 100), (90, 100)), ((0, 1), (0, 10)), ((70, 90), None)],
)
def test_the_scale_is_the_datas_unless_that_is_narrow(
    delivered: tuple[int, int], ends: tuple[float, float] | None
) -> None:
    shares = [("c1", when, n, 100 - n) for when, n in zip((EARLY, LATE), delivered, strict=True)]
    cells = figures.by_hour(all_of(*shares), now=LATER).data[0]
    assert (cells.zmin, cells.zmax) == (ends or (None, None))


@each("hour", [0, 9, 23])
def test_one_hour_does_not_fill_the_map(hour: int) -> None:
    shown = figures.by_hour(sent("c1", at(f"{hour:02d}:00"), 80, 20), now=LATER)
    assert f"{hour:02d}:00" in shown.data[0].y
    assert len(shown.data[0].y) == 11
