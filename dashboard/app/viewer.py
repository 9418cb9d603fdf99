"""What the viewer's browser says about them: their clock."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.formatting import zone_of


def zone() -> ZoneInfo:
    """The viewer's time zone; UTC when the browser does not say."""
    return zone_of(st.context.timezone)
