"""Which share of each group failed, and why: what grows over campaigns, or sets a country apart."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import standings
from dashboard.reports.palette import BLUE, GREY, ORANGE, PINK, SKY, VERMILION
from dashboard.reports.tables.summary import failure_reasons
from dashboard.words import N_, _, decimal

_COLOURS = (VERMILION, ORANGE, PINK, BLUE, SKY, GREY)
_OTHERS = N_("other reasons")
_PER_ROW, _AROUND = 30, 110


@checks_frames
def failure_shares(messages: pd.DataFrame, by: str) -> go.Figure:
    """The failed share of the accepted messages by group, in percent, made of its most frequent reasons.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: The column that makes the groups, drawn in the order in which it has them.

    Example:
        >>> failure_shares(messages, "country")
    """
    frame = messages.assign(value=messages[by].astype("str"))
    accepted = standings(frame, ["value"]).set_index("value")["accepted"]
    groups = [one for one in frame["value"].dropna().unique() if accepted[one]]
    failed = {one: _failed(frame[frame["value"] == one]) for one in groups}
    frequent = _most_frequent(failed)
    shares = {
        _OTHERS if one is None else one: [
            100 * float(_of(failed[group], one, frequent)) / int(accepted[group]) for group in groups
        ]
        for one in [*frequent, None]
    }
    shown = {name: values for name, values in shares.items() if any(values)}
    if not shown:
        return empty(_("No messages have failed. Reasons would appear here."))
    said = "; ".join(
        _("{name} {share} %").format(
            name=group, share=decimal(sum(values[place] for values in shown.values()))
        )
        for place, group in enumerate(groups)
    )
    return figure(
        [
            _bar(groups, name, values, colour)
            for (name, values), colour in zip(shown.items(), _COLOURS, strict=False)
        ],
        _("Share failed: {shares}.").format(shares=said),
        barmode="stack",
        height=_AROUND + _PER_ROW * len(groups),
        xaxis={"title": {"text": _("Failed %")}, "rangemode": "tozero"},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
    )


def _failed(messages: pd.DataFrame) -> pd.Series:
    """Messages by reason, the most frequent first."""
    reasons = failure_reasons(messages)
    return reasons[reasons["stage"] == Stage.FAILED].set_index("reason")["messages"]


def _most_frequent(failed: dict[object, pd.Series]) -> list[str]:
    """The reasons that get a colour of their own."""
    if not failed:
        return []
    together = pd.concat(list(failed.values())).groupby(level=0).sum()
    return list(together.sort_values(ascending=False, kind="stable").index[: len(_COLOURS) - 1])


def _of(failed: pd.Series, reason: str | None, frequent: list[str]) -> int:
    """How many failed for this reason; for None, for all but the frequent ones."""
    if reason is None:
        return int(failed.drop(frequent, errors="ignore").sum())
    return int(failed.get(reason, 0))


def _bar(groups: list[object], name: str, shares: list[float], colour: str) -> go.Bar:
    return go.Bar(
        y=[as_typed(one) for one in groups],
        x=shares,
        name=as_typed(_(name) if name == _OTHERS else name),
        orientation="h",
        marker={"color": colour},
        hovertext=[decimal(share) for share in shares],
        hovertemplate="%{y}: %{hovertext} %",
        textposition="none",
    )
