"""Shares of messages delivered with the range that they may really be in, to compare hours or texts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns import checks_frames
from dashboard.reports.measures.clusters import independent
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.power import check_shares, people_needed
from dashboard.reports.measures.shares import CONFIDENCE, Share, chance, holm, newcombe, quantile, wilson
from dashboard.reports.measures.standing import (
    FEWEST,
    delivered_share,
    finals,
    standings,
)
from dashboard.reports.tables.grouping import GROUP, By, grouped, labels_of


@checks_frames
def delivery_rates(
    messages: pd.DataFrame,
    by: By,
    *,
    person: str | None = None,
    confidence: float = CONFIDENCE,
    now: datetime | None = None,
) -> pd.DataFrame:
    """The delivered share of each group, with the range that it can end in.

    Wilson's interval; while messages are open it reaches from the lower end if none of them is delivered to
    the upper end if all are. People who got several messages count by person (`measures/clusters.py`).

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: A column such as "variant", your own values with the frame's index, or several of these.
        person: The column of messages that says who got each, such as "to". Without it, and where numbers
            were deleted, intervals of several campaigns are as wide as if all had texted the same people.
        confidence: The confidence of the interval.
        now: The current time, which decides what is final; the clock's if absent.

    Returns:
        What was given in `by`, with its names and dtypes ("value" if it has no name); value (the same as one
        text, unless something given has this name), messages (accepted), delivered, open, share (delivered ÷
        accepted), share_at_most (if all that are open are delivered, while their news is awaited),
        independent (as how many messages to different people they count), low and high (0 to 1) and final
        (whether it can be compared); in the order of values. Only groups with any accepted.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong;
            or the values in `by` have another index.
        OptionError: A name in `by` is one of the result's, or the confidence is not between 0 and 1.

    Example:
        >>> delivery_rates(messages, messages["sent_at"].dt.hour)
    """
    quantile(confidence)
    own = grouped(messages, by)
    frame = own.frame if "handed_over_at" in own.frame else own.frame.assign(handed_over_at=None)
    counted = as_counts(frame, [GROUP, "state", "stage", "handed_over_at"], now=now)
    groups = standings(counted, [GROUP]).assign(final=finals(counted, [GROUP], now=now))
    groups = groups[groups["accepted"] > 0].reset_index(drop=True)
    table = pd.DataFrame(
        {
            GROUP: groups[GROUP],
            **({} if "value" in own.keys else {"value": labels_of(own.keys).reindex(groups[GROUP]).array}),
            "messages": groups["accepted"],
            "delivered": groups["delivered"],
            "open": groups["open"],
            "share": delivered_share(groups),
        }
    )
    sizes = independent(frame, GROUP, person).reindex(groups[GROUP]).to_numpy("float64")
    return own.named(with_ends(table, sizes, groups["final"], confidence))


def with_ends(
    table: pd.DataFrame, sizes: np.ndarray, final: pd.Series, confidence: float = CONFIDENCE
) -> pd.DataFrame:
    """Shares with Wilson's interval: low if nothing open is delivered, high if all of it is.

    Args:
        table: messages, delivered, open and share of each group.
        sizes: As how many messages to different people they count.
        final: Whether a group is; what is open then is taken not to be delivered any more.
        confidence: The confidence of the interval.
    """
    most = (table["delivered"] + table["open"].mask(final, 0)) / table["messages"]
    low = [wilson((s * n, n), confidence)[0] for s, n in zip(table["share"], sizes, strict=True)]
    high = [wilson((s * n, n), confidence)[1] for s, n in zip(most, sizes, strict=True)]
    ends = {"share_at_most": most, "independent": sizes, "low": low, "high": high}
    return table.join(pd.DataFrame(ends, index=table.index, dtype="float64")).assign(
        final=final.astype("bool")
    )


@checks_arguments()
def compare_rates(
    one: tuple[int, int], other: tuple[int, int], *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """How much larger one share is than the other, as Newcombe's interval; if it contains 0, either may be.

    Args:
        one: Delivered, and accepted.
        other: The same of the other.
        confidence: The confidence of the interval.

    Raises:
        DashboardError: One of them has no messages.
        OptionError: More are delivered than accepted, or the confidence is not between 0 and 1.

    Example:
        >>> low, high = compare_rates((95, 100), (80, 100))
        >>> round(low, 3), round(high, 3)
        (0.059, 0.243)
    """
    check_shares(one, other)
    return newcombe(one, other, confidence)


@checks_frames
def compare_groups(rates: pd.DataFrame, *, confidence: float = CONFIDENCE) -> pd.DataFrame:
    """Every two groups that can be compared, and whether they differ by more than chance (Holm).

    Groups of fewer than 30, and all as long as one of them is not final, are in no pair.

    Args:
        rates: As `delivery_rates` gives them.
        confidence: Of all the verdicts together.

    Returns:
        better and worse (values), low and high (Newcombe's interval of the difference, 0 to 1, at a
        confidence that holds for all pairs together; from 0 where there is a verdict), chance (0 to 1, with
        Holm's correction), differs (the verdict) and more_people (how many more would show a difference of
        this size with 80 % power; missing with a verdict or without a difference); least chance first.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> compare_groups(delivery_rates(messages, "variant"))
    """
    quantile(confidence)
    sound = labelled(comparable(rates))
    ordered = sound.sort_values("share", ascending=False, kind="stable").to_dict("records")
    pairs = list(combinations(ordered, 2))
    chances = holm([chance(share_of(one), share_of(other)) for one, other in pairs])
    for_all = 1 - (1 - confidence) / max(1, len(pairs))
    rows = [
        _pair(one, other, by_chance, confidence, for_all)
        for (one, other), by_chance in zip(pairs, chances, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(_PAIR)).astype(_PAIR).sort_values("chance", ignore_index=True)


def labelled(rates: pd.DataFrame) -> pd.DataFrame:
    """Rates whose `value` names the whole group, also where one of several things given has that name."""
    columns = [str(name) for name in rates]
    given = columns[: columns.index("messages")]
    beside = [name for name in given if name != "value"]
    values = rates["value"].astype("str")
    is_label = "value" not in given or not beside or labels_of(rates[beside]).tolist() == values.tolist()
    return rates.assign(value=values if is_label else labels_of(rates[given]))


def comparable(rates: pd.DataFrame) -> pd.DataFrame:
    """The groups that can be compared: none as long as one is not final, and none of fewer than 30."""
    sized = rates.assign(independent=rates.get("independent", rates["messages"]))
    return sized[(sized["independent"] >= FEWEST) & bool(sized["final"].all())]


_PAIR = {
    "better": "str",
    "worse": "str",
    "low": "float64",
    "high": "float64",
    "chance": "float64",
    "differs": "bool",
    "more_people": "Int64",
}


def _pair(
    one: Mapping[Any, Any], other: Mapping[Any, Any], by_chance: float, confidence: float, for_all: float
) -> dict[str, Any]:
    low, high = newcombe(share_of(one), share_of(other), for_all)
    differs = by_chance < 1 - confidence
    needed = None if differs else people_needed(share_of(one), share_of(other), confidence=for_all)
    return {
        "better": one["value"],
        "worse": other["value"],
        "low": max(low, 0.0) if differs else low,
        "high": high,
        "chance": by_chance,
        "differs": differs,
        "more_people": needed and max(1, needed - int(one["independent"] + other["independent"])),
    }


def share_of(group: Mapping[Any, Any]) -> Share:
    """Delivered, and of how many, counted as messages to different people; of one row of `delivery_rates`."""
    return group["share"] * group["independent"], group["independent"]
