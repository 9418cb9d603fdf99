"""What is being sent at this moment."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.standing.stages import handed_over, heaps
from dashboard.app.widgets.marks import heap_bar
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.ledger import Campaign
from dashboard.words import _, count, plural


def show(campaigns: pd.DataFrame) -> None:
    """Draw the campaigns that are being sent; draw nothing if there is none."""
    sent_now = Campaign.of_rows(campaigns[campaigns["state"] == "running"])
    if not sent_now:
        return
    with st.container(border=True, key="sending"):
        section(_("Sending now"))
        for campaign in sent_now:
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
