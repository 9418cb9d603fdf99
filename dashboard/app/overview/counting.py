"""What was handed over in the last days and as many before, counted once for all who look."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import streamlit as st

from dashboard.app import runtime

_CHANGING = ["ready", "sending", "accepted", "rejected", "unknown", "delivered", "failed", "credits_billed"]
KEPT_S = 60


def since(first: datetime, campaigns: pd.DataFrame) -> pd.DataFrame:
    """COUNTS of what was handed over since then; kept until a number of a campaign changes."""
    return _since(first, int(pd.util.hash_pandas_object(campaigns[["campaign", *_CHANGING]]).sum()))


@st.cache_data(ttl=KEPT_S, max_entries=20, show_spinner=False)
def _since(first: datetime, changed: int) -> pd.DataFrame:
    """Only counts, nothing personal."""
    del changed
    return runtime.current().shown.counts(since=first)
