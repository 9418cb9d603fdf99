"""Which share of each group failed, and why: what grows over campaigns, or sets a country apart."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import standings
from dashboard.reports.palette import BLUE, GREY, ORANGE, PINK, SKY, VERMILION
from dashboard.reports.tables.grouping import By, keys_of, labels_of
from dashboard.reports.tables.one_campaign.summary import failure_reasons
from dashboard.words import _, decimal

_COLOURS = (VERMILION, ORANGE, PINK, BLUE, SKY, GREY)
_OTHERS = ""
"""No reason has this name: where the service gave none, that is said."""
_PER_ROW, _AROUND = 30, 110


@checks_frames
def failure_shares(messages: pd.DataFrame, by: By) -> go.Figure:
    """The failed share of the accepted messages by group, in percent, made of its most frequent reasons.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: A column such as "country", your own values with the frame's index, or several of these; groups
            are drawn in the order in which they come, and messages without a value are left out.

    Example:
        >>> failure_shares(messages, "country")
    """
    frame = messages.assign(value=labels_of(keys_of(messages, by)))
    accepted = standings(frame, ["value"]).set_index("value")["accepted"].astype("int64")
    groups = [one for one in frame["value"].dropna().unique() if accepted[one]]
    failed = _failed(frame).reindex(index=groups, fill_value=0)
    shares = 100 * failed.div(accepted[groups], axis=0)
    shown = {str(name): shares[name].tolist() for name in shares}
    if not shown and frame["value"].isna().any():
        return empty(_("None of the messages that have a value to group by has failed."))
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


def _failed(messages: pd.DataFrame) -> pd.DataFrame:
    """Failed messages by value and reason: the most frequent reasons first, the others together under ""."""
    reasons = failure_reasons(messages, by="value")
    failed = reasons[reasons["stage"] == Stage.FAILED]
    table = failed.pivot_table(
        index="value", columns="reason", values="messages", aggfunc="sum", fill_value=0
    )
    order = table.sum().sort_values(ascending=False, kind="stable").index
    frequent, rest = order[: len(_COLOURS) - 1], order[len(_COLOURS) - 1 :]
    return table[frequent].assign(**{_OTHERS: table[rest].sum(axis=1)} if len(rest) else {})


def _bar(groups: list[object], name: str, shares: list[float], colour: str) -> go.Bar:
    return go.Bar(
        y=[as_typed(one) for one in groups],
        x=shares,
        name=as_typed(_("other reasons") if name == _OTHERS else name),
        orientation="h",
        marker={"color": colour},
        hovertext=[decimal(share) for share in shares],
        hovertemplate="%{y}: %{hovertext} %",
        textposition="none",
    )
