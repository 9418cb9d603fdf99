"""What may be said of shares that are compared: the only place that makes such a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.tables.comparing.hours import WEEKDAYS
from dashboard.reports.tables.comparing.rates import comparable, compare_groups, labelled
from dashboard.words import _, count, decimal, plural, share, weekdays

_SHOWN = 3
_SEVERAL = 2


@checks_frames
def better_text(rates: pd.DataFrame) -> str:
    """Which of several texts gets through more often, as sentences; or why nobody can tell.

    Args:
        rates: As `delivery_rates` gives them.

    Returns:
        A sentence or two.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> better_text(delivery_rates(messages, "variant", person="to"))
    """
    if not rates["final"].all():
        return _("Too early to tell: some messages have no outcome yet.")
    sound = labelled(comparable(rates))
    if len(sound) < _SEVERAL:
        return plural(
            FEWEST,
            "Too few to tell: each text needs {count} accepted message.",
            "Too few to tell: each text needs {count} accepted messages.",
        )
    pairs = compare_groups(rates)
    said = [_more_often(pair) for pair in pairs[pairs["differs"]].head(_SHOWN).to_dict("records")]
    return " ".join([*said, *_between_the_best(sound, pairs), *_left_out(len(rates) - len(sound))])


@checks_frames
def best_hour(hours: pd.DataFrame) -> str:
    """The hour at which most got through, if that is more than chance; or that none stands out.

    Args:
        hours: As `delivered_by_hour` gives them.

    Returns:
        A sentence or two.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> best_hour(delivered_by_hour(ledger.messages()))
        'No hour stands out: the differences may be chance, or come from one campaign.'
    """
    found = hours[hours["stands_out"]]
    if found.empty:
        return _("No hour stands out: the differences may be chance, or come from one campaign.")
    best = found.iloc[int(found["share"].argmax())]
    return _("More got through on {day} at {hour} than at other hours: {share} of {messages}.").format(
        day=weekdays()[list(WEEKDAYS).index(best["weekday"])],
        hour=f"{best['hour']:02d}:00",
        share=share(round(best["share"], 2)),
        messages=count(best["messages"]),
    )


def _more_often(pair: Mapping[Any, Any]) -> str:
    return _(
        "{best} gets through more often than {second}: by {low} to {high} percentage points (with 95 % "
        "confidence)."
    ).format(best=pair["better"], second=pair["worse"], low=_points(pair["low"]), high=_points(pair["high"]))


def _between_the_best(sound: pd.DataFrame, pairs: pd.DataFrame) -> list[str]:
    """That the two best are too close, and how many people it would take; nothing if they are not."""
    best, second = sound.sort_values("share", ascending=False, kind="stable")["value"].iloc[:_SEVERAL]
    pair = pairs[(pairs["better"] == best) & (pairs["worse"] == second)].iloc[0]
    if pair["differs"]:
        return []
    said = _("Too close to tell: the difference may be chance.")
    if len(sound) > _SEVERAL:
        said = _("{best} and {second} are too close to tell: the difference may be chance.").format(
            best=best, second=second
        )
    if pd.isna(pair["more_people"]):
        return [said]
    needed = plural(
        int(pair["more_people"]),
        "If it is real, {count} more person would show it (with 80 % power).",
        "If it is real, {count} more people would show it (with 80 % power).",
    )
    return [said, needed]


def _left_out(number: int) -> list[str]:
    if not number:
        return []
    return [
        plural(
            number,
            "{count} text is not compared: too few accepted messages.",
            "{count} texts are not compared: too few accepted messages.",
        )
    ]


def _points(difference: float) -> str:
    return decimal(100 * difference)
