"""What is being sent at this moment."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.standing.campaign_search import running
from dashboard.app.standing.stages import handed_over, heaps
from dashboard.app.widgets.marks import heap_bar
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.words import _, count, plural

LOOK_AGAIN_S = 2.0


@st.fragment(run_every=LOOK_AGAIN_S, key="sending-now")
def show() -> None:
    """Draw the campaigns that are being sent, as of now."""
    campaigns = running(runtime.current().ledger.campaigns())
    with st.container(border=True, key="sending"):
        section(_("Sending now"))
        if not campaigns:
            st.caption(_("Nothing is being sent. Campaigns appear here while they are being sent."))
        for campaign in campaigns:
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.page_link(
                    "views/campaign.py", label=plain(campaign.name), query_params={"id": campaign.campaign}
                )
                st.caption(
                    plural(
                        campaign.recipients,
                        "{done} of {count} message handed over",
                        "{done} of {count} messages handed over",
                        done=count(handed_over(campaign)),
                    )
                )
            heap_bar(heaps(campaign))
