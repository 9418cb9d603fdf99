"""The clock by which times are shown: everybody's, if there is one, else that of the viewer's browser."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.app import runtime
from dashboard.formatting import zone_of


def zone() -> ZoneInfo:
    """The reporting zone if somebody set one; else the viewer's, and UTC when the browser does not say."""
    app = runtime.current()
    return app.time_zone if app.has_time_zone else zone_of(st.context.timezone)


def time_column(name: str, written: str) -> Any:
    """A column of times by that clock, which its title names; `written` is a format as Streamlit reads it."""
    here = zone().key
    return st.column_config.DatetimeColumn(f"{name} ({here})", format=written, timezone=here)
