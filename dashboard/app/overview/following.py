"""Parts of the page that are drawn again by themselves, for as long as anything moves by itself."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dashboard.app import runtime

OFTEN_S, SELDOM_S = 2.0, 10.0


def looks_again_s(campaigns: pd.DataFrame) -> float | None:
    """After how many seconds to look whether something has changed; None if nothing does by itself.

    Args:
        campaigns: As the ledger lists them.
    """
    states = set(campaigns["state"])
    if "running" in states:
        return OFTEN_S
    return SELDOM_S if "scheduled" in states else None


def follow(part: Callable[[pd.DataFrame], None], campaigns: pd.DataFrame) -> None:
    """Draw a part of the page from the campaigns, and again as they stand later while one of them moves.

    Args:
        part: Draws it.
        campaigns: As the ledger lists them now.
    """
    every_s = looks_again_s(campaigns)
    name = f"{part.__module__.rpartition('.')[2]}-now"
    st.fragment(_now, run_every=every_s, key=name)(part, every_s, [campaigns])


def _now(part: Callable[[pd.DataFrame], None], every_s: float | None, just_read: list[pd.DataFrame]) -> None:
    campaigns = just_read.pop() if just_read else runtime.current().shown.campaigns()
    if looks_again_s(campaigns) != every_s:
        st.rerun()  # the whole page: its figures and how often it looks again may differ
    part(campaigns)
