"""What campaigns cost, next to the hours at which messages get through."""

from __future__ import annotations

from datetime import datetime, timedelta

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.app import runtime
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import chart, section
from dashboard.reports import figures
from dashboard.words import _

CAMPAIGNS_SHOWN = 8
MESSAGES_LOOKED_AT = 100_000
KEPT_S = 60


def show(campaigns: pd.DataFrame, *, days: int, now: datetime) -> None:
    """Draw the two charts."""
    recent = campaigns[campaigns["created_at"] >= now - timedelta(days=days)]
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        section(_("Cost per campaign"), help=_("Outline: the estimate. Bar: billed so far."))
        chart(figures.cost_by_campaign(recent.head(CAMPAIGNS_SHOWN)), "cost-by-campaign")
    with right.container(border=True, height="stretch"):
        section(
            _("When messages get through"),
            help=_("Share of messages delivered, by time sent ({zone}).").format(zone=zone().key),
        )
        chart(_by_hour(tuple(recent["campaign"]), zone().key), "by-hour")


@st.cache_data(ttl=KEPT_S, max_entries=20, show_spinner=False)
def _by_hour(campaigns: tuple[str, ...], tz: str) -> go.Figure:
    """Shares by weekday and hour: nothing personal, so everyone can share one from the cache."""
    counts = runtime.current().ledger.hours(campaigns, at_most=MESSAGES_LOOKED_AT)
    return figures.by_counted_hour(counts, tz=tz)
