"""The state of a campaign as a badge with a word and an icon."""

from __future__ import annotations

import streamlit as st

from dashboard.app.standing.stages import CAMPAIGN_STATES
from dashboard.words import _


def campaign_badge(state: str) -> None:
    """Draw the badge."""
    known = CAMPAIGN_STATES[state]
    st.badge(_(known.label), color=known.color, icon=known.icon)
