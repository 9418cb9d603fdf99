"""Campaigns one below the other, each with its state, its stages and its cost."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dashboard.app.standing.costs import billed_words, estimate_words
from dashboard.app.standing.stages import heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.badges import campaign_badge
from dashboard.app.widgets.marks import heap_bar
from dashboard.app.widgets.plain import plain
from dashboard.formatting import moment, percent
from dashboard.ledger import Campaign
from dashboard.words import _, plural

WIDTHS = [4, 4, 2]


def campaign_rows(campaigns: Iterable[Campaign]) -> None:
    """Draw the campaigns."""
    with st.container(key="campaign-rows", gap=None):
        with st.container(key="campaign-rows-head"):
            for column, title in zip(
                st.columns(WIDTHS), (_("Campaign"), _("Messages"), _("Billed")), strict=True
            ):
                column.caption(title)
        for campaign in campaigns:
            with st.container(key=f"campaign-row-{campaign.campaign}"):
                _row(campaign)


def _row(campaign: Campaign) -> None:
    about, messages, cost = st.columns(WIDTHS, vertical_alignment="center")
    with about, st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(
                "views/campaign.py", label=plain(campaign.name), query_params={"id": campaign.campaign}
            )
            campaign_badge(campaign.state)
        st.caption(_when(campaign))
    with messages, st.container(gap=None):
        heap_bar(heaps(campaign), legend=False)
        said = [plural(campaign.recipients, "{count} message", "{count} messages")]
        if campaign.accepted:
            said.append(_share(campaign))
        if campaign.unknown:
            said.append(plural(campaign.unknown, "{count} unknown", "{count} unknown"))
        st.caption(" · ".join(said))
    with cost, st.container(gap=None):
        st.markdown(f"**{billed_words(campaign)}**")
        st.caption(_("of {cost} estimated").format(cost=estimate_words(campaign)))


def _share(campaign: Campaign) -> str:
    """The delivered share; with what is open, while anything is."""
    share, waiting_for = percent(campaign.delivered, campaign.accepted), heaps(campaign)["on_the_way"]
    if not waiting_for:
        return _("{share} delivered").format(share=share)
    return plural(
        waiting_for, "{share} delivered, {count} open", "{share} delivered, {count} open", share=share
    )


def _when(campaign: Campaign) -> str:
    if campaign.state == "scheduled":
        return _("Starts {time}").format(time=moment(campaign.scheduled_at, zone()))
    return moment(campaign.created_at, zone())
