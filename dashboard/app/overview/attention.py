"""What needs somebody's attention."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.followup.recipients import stage_key
from dashboard.app.four_eyes import asked_for
from dashboard.app.seen import text_seen
from dashboard.app.standing.attention import concerns
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.plain import plain
from dashboard.reports.measures.stages import stage_words
from dashboard.words import plural

SHOWN = 4


def show(campaigns: pd.DataFrame) -> None:
    """Draw what needs somebody's attention; draw nothing if nothing does."""
    ledger = runtime.current().shown
    running = campaigns.loc[campaigns["state"] == "running", "campaign"]
    waiting = {campaign: ledger.waiting_reasons(campaign) for campaign in running}
    asked = asked_for(campaigns.loc[campaigns["state"] == "draft", "campaign"])
    found = concerns(campaigns, now=datetime.now(UTC), waiting=waiting, asked=asked)
    if not found:
        return
    with st.container(key="attention", gap="small"):
        st.markdown(
            plural(
                len(found),
                ":material/notifications_active: **{count} thing to look at**",
                ":material/notifications_active: **{count} things to look at**",
            )
        )
        page = page_of(len(found), SHOWN, "attention-page")
        for concern in found[page.rows]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                about = {stage_key(concern.campaign): stage_words(concern.stage)} if concern.stage else {}
                query = {"id": concern.campaign, **about}
                st.page_link("views/campaign.py", label=plain(concern.name), query_params=query)
                st.write(plain(text_seen(concern.sentence)))
        page.choose()
