"""Campaigns one under the other, each with its state, its stages and its money."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dashboard.app.pure.costs import billed_words, estimate_words
from dashboard.app.pure.formatting import count, moment, percent
from dashboard.app.pure.stages import heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.badges import campaign_badge
from dashboard.app.widgets.marks import heap_bar
from dashboard.ledger import Campaign

WIDTHS = [3, 1.2, 3, 1.3, 1.3]


def campaign_rows(campaigns: Iterable[Campaign]) -> None:
    """Draw the campaigns."""
    with st.container(key="campaign-rows", gap=None):
        with st.container(key="campaign-rows-head"):
            for column, title in zip(
                st.columns(WIDTHS), ("Campaign", "Status", "Messages", "Estimate", "Billed"), strict=True
            ):
                column.caption(title)
        for campaign in campaigns:
            with st.container(key=f"campaign-row-{campaign.campaign}"):
                _row(campaign)


def _row(campaign: Campaign) -> None:
    name, state, messages, estimate, billed = st.columns(WIDTHS, vertical_alignment="center")
    with name, st.container(gap=None):
        st.page_link("views/campaign.py", label=campaign.name, query_params={"id": campaign.campaign})
        st.caption(
            moment(campaign.scheduled_at if campaign.state == "scheduled" else campaign.created_at, zone())
        )
    with state:
        campaign_badge(campaign.state)
    with messages, st.container(gap=None):
        heap_bar(heaps(campaign), legend=False)
        done = campaign.delivered + campaign.failed + campaign.rejected
        share = f" · {percent(campaign.delivered, done)} delivered" if done else ""
        st.caption(f"{count(campaign.recipients)}{share}")
    estimate.write(estimate_words(campaign))
    billed.write(billed_words(campaign))
