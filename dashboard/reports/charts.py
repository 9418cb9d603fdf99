"""What the charts of a campaign draw, as labels, counts and colours: the one source of each of them.

The campaign's page draws these frames as marks of its own, `figures` as plotly for reports and notebooks, and
`figures.Still` as an image of that, so that one fact is one number in one order wherever it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.contacts.line_types import line_type_words
from dashboard.contacts.words.country_names import country_names
from dashboard.reports.measures.stages import Stage
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.tables.one_campaign.progress import funnel_steps, step_words
from dashboard.reports.tables.one_campaign.summary import breakdown, failure_reasons
from dashboard.words import plural

_STEP_COLOURS = [
    STAGE_COLOURS[stage] for stage in (Stage.CANCELLED, Stage.ACCEPTED, Stage.SENT, Stage.DELIVERED)
]


@checks_frames
def funnel(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.DataFrame:
    """How far the messages that were handed over got.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        now: The present; the clock's when absent.

    Returns:
        label ("Handed to the service" …), messages, fewer (than in the step before), colour. Every step is
        there, with 0 where no message got so far.
    """
    steps = funnel_steps(messages, now=now)
    return pd.DataFrame(
        {
            "label": steps["step"].map(step_words),
            "messages": steps["messages"],
            "fewer": steps["fewer"],
            "colour": _STEP_COLOURS,
        }
    )


def lost_words(fewer: int) -> str:
    """How many messages did not get from one step to the next; nothing if all did."""
    return plural(fewer, "{count} fewer", "{count} fewer") if fewer else ""


@checks_frames
def reasons(messages: pd.DataFrame) -> pd.DataFrame:
    """Why messages failed or were rejected, by stage: label (the reason), stage, messages, credits_billed."""
    table = failure_reasons(messages).rename(columns={"reason": "label"})
    return _largest_first(table[["label", "stage", "messages", "credits_billed"]])


@checks_frames
def countries(messages: pd.DataFrame) -> pd.DataFrame:
    """Messages by country and stage: label (the country's name), stage, messages."""
    names = country_names()
    return _by(messages, "country", lambda code: names.get(code, code[:1].upper() + code[1:]))


@checks_frames
def line_types(messages: pd.DataFrame) -> pd.DataFrame:
    """Messages by kind of line and stage: label ("Mobile" …), stage, messages."""
    return _by(messages, "line_type", line_type_words)


@checks_frames
def by_label(bars: pd.DataFrame, *, most: int) -> pd.DataFrame:
    """The same of the largest labels only; what is left is one bar more, never silently gone.

    Args:
        bars: As `reasons`, `countries` and `line_types` give them.
        most: How many labels to keep.

    Returns:
        The same columns, the largest label first; "4 others" in place of the others comes last.
    """
    labels = bars["label"].unique()
    if len(labels) <= most + 1:  # one other would take the same room as itself
        return bars
    rest = ~bars["label"].isin(labels[:most])
    others = bars[rest].groupby("stage", observed=True, sort=True).sum(numeric_only=True).reset_index()
    words = plural(len(labels) - most, "{count} other", "{count} others")
    return pd.concat([bars[~rest], others.assign(label=words)[list(bars)]], ignore_index=True)


@checks_frames
def totals(bars: pd.DataFrame) -> list[tuple[str, int]]:
    """Each label with its messages at all stages, in the order of the bars."""
    sums = bars.groupby("label", sort=False)["messages"].sum()
    return [(str(label), int(number)) for label, number in sums.items()]


def _by(messages: pd.DataFrame, column: str, words: Callable[[str], str]) -> pd.DataFrame:
    counts = breakdown(messages, column)
    return _largest_first(counts.assign(label=counts["value"].map(words))[["label", "stage", "messages"]])


def _largest_first(bars: pd.DataFrame) -> pd.DataFrame:
    """The largest label first, all its stages together."""
    size = bars.groupby("label")["messages"].transform("sum")
    order = ["size", "label", "stage"]
    return bars.assign(size=size).sort_values(order, ascending=[False, True, True], ignore_index=True)[
        list(bars)
    ]
