"""What needs somebody's attention."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.pure.attention import concerns
from dashboard.app.pure.formatting import plural

SHOWN = 4


def show(campaigns: pd.DataFrame) -> None:
    """Draw what needs somebody's attention; nothing when nothing does."""
    found = concerns(campaigns)
    if not found:
        return
    with st.container(key="attention", gap="small"):
        st.markdown(f":material/notifications_active: **{plural(len(found), 'thing')} to look at**")
        for concern in found[:SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link("views/campaign.py", label=concern.name, query_params={"id": concern.campaign})
                st.write(concern.sentence)
        if len(found) > SHOWN:
            st.page_link("views/campaigns.py", label=f"{len(found) - SHOWN} more under Campaigns")
