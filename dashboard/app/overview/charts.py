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
    """Draw the two charts.

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
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        section(_("Cost per campaign"), help=_("Outline: the estimate. Bar: billed so far."))
        chart(figures.cost_by_campaign(recent.head(CAMPAIGNS_SHOWN)), "cost-by-campaign")
    with right.container(border=True, height="stretch"):
        section(
            _("When messages get through"),
            help=_(
                "Share of the accepted messages delivered, by when they were handed over ({zone}). Pale: "
                "fewer than {fewest}."
            ).format(zone=tz, fewest=FEWEST),
        )
        chart(figures.by_hour(counted, tz=tz), "by-hour")
