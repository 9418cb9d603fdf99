"""Whom a campaign was made for."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.seen import text_seen
from dashboard.app.standing.made_for import left_out_campaigns, made_for
from dashboard.app.widgets.marks import facts
from dashboard.app.widgets.page import section
from dashboard.ledger import Campaign
from dashboard.words import _


def show(campaign: Campaign) -> None:
    """Draw its lists and the choice among their people; draw nothing if it was not made on these pages."""
    ledger, names = runtime.current().shown, {}
    kept = ledger.audience(campaign.campaign)
    if left_out_campaigns(kept):
        listed = ledger.campaigns()
        names = dict(zip(listed["campaign"], listed["name"], strict=True))
    lines = made_for(kept, names)
    if not lines:
        return
    with st.container(border=True, key="made-for", gap="xsmall"):
        section(
            _("Who it was made for"),
            help=_("As it was chosen. “Use again” begins a campaign with the same choice."),
        )
        facts({term: text_seen(value) for term, value in lines.items()})
