"""What campaigns cost, next to the hours at which messages get through."""

from __future__ import annotations

from datetime import datetime, timedelta

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.widgets.page import chart, section
from dashboard.reports import figures
from dashboard.reports.measures.standing import FEWEST
from dashboard.words import _

CAMPAIGNS_SHOWN = 8


def show(campaigns: pd.DataFrame, counted: pd.DataFrame, *, days: int, now: datetime) -> None:
    """Draw the two charts, but none that has nothing to show.

    Args:
        campaigns: As the ledger lists them.
        counted: COUNTS of what was handed over in the period.
        days: Length of the period.
        now: The present.
    """
    recent, tz = (
        campaigns[campaigns["created_at"] >= now - timedelta(days=days)],
        runtime.current().time_zone.key,
    )
    charts = [
        (
            "cost-by-campaign",
            figures.cost_by_campaign(recent.head(CAMPAIGNS_SHOWN)),
            _("Cost per campaign"),
            _("Outline: the estimate. Bar: billed so far."),
        ),
        (
            "by-hour",
            figures.by_hour(counted, tz=tz),
            _("When messages get through"),
            _(
                "Share of the accepted messages delivered, by when they were handed over ({zone}). Pale: "
                "fewer than {fewest}."
            ).format(zone=tz, fewest=FEWEST),
        ),
    ]
    filled = [one for one in charts if one[1].data]
    if not filled:
        return
    for column, (key, figure, title, about) in zip(st.columns(len(filled)), filled, strict=True):
        with column.container(border=True, height="stretch"):
            section(title, help=about)
            chart(figure, key)
