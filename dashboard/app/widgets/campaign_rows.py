"""Campaigns one under the other, each with its state, its stages and its money."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dashboard.app.pure.costs import billed_words, estimate_words
from dashboard.app.pure.formatting import moment, percent, plural
from dashboard.app.pure.stages import heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.badges import campaign_badge
from dashboard.app.widgets.marks import heap_bar
from dashboard.ledger import Campaign

WIDTHS = [4, 4, 2]


def campaign_rows(campaigns: Iterable[Campaign]) -> None:
    """Draw the campaigns."""
    with st.container(key="campaign-rows", gap=None):
        with st.container(key="campaign-rows-head"):
            for column, title in zip(st.columns(WIDTHS), ("Campaign", "Messages", "Billed"), strict=True):
                column.caption(title)
        for campaign in campaigns:
            with st.container(key=f"campaign-row-{campaign.campaign}"):
                _row(campaign)


def _row(campaign: Campaign) -> None:
    about, messages, cost = st.columns(WIDTHS, vertical_alignment="center")
    with about, st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link("views/campaign.py", label=campaign.name, query_params={"id": campaign.campaign})
            campaign_badge(campaign.state)
        st.caption(_when(campaign))
    with messages, st.container(gap=None):
        heap_bar(heaps(campaign), legend=False)
        done = campaign.delivered + campaign.failed + campaign.rejected
        share = f" · {percent(campaign.delivered, done)} delivered" if done else ""
        st.caption(f"{plural(campaign.recipients, 'message')}{share}")
    with cost, st.container(gap=None):
        st.markdown(f"**{billed_words(campaign)}**")
        st.caption(f"of {estimate_words(campaign)} estimated")


def _when(campaign: Campaign) -> str:
    if campaign.state == "scheduled":
        return f"Starts {moment(campaign.scheduled_at, zone())}"
    return moment(campaign.created_at, zone())
