"""The choice of some campaigns to see side by side."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.standing.beside import FEWEST, MOST
from dashboard.app.viewer import zone
from dashboard.words import _, day_and_time


def comparing(campaigns: pd.DataFrame) -> None:
    """Draw the button, under it the choice, and the way to the comparison once there is something to compare.

    Args:
        campaigns: As `Ledger.campaigns` gives them.
    """
    if len(campaigns) < FEWEST:
        return
    names = _names(campaigns)
    with st.popover(_("Compare"), icon=":material/compare_arrows:"):
        way = st.container()  # above the field, whose height changes when it is left: a tap would miss
        chosen = st.multiselect(
            _("Compare campaigns"),
            list(names),
            format_func=lambda one: names.get(one, one),
            max_selections=MOST,
            select_all=False,
            placeholder=_("Choose two to four"),
            key="campaigns-compared",
            label_visibility="collapsed",
            width=420,
        )
        with way:
            _way(chosen)


def _way(chosen: list[str]) -> None:
    if len(chosen) < FEWEST:
        st.caption(_("Choose two to four campaigns to see them side by side."))
        return
    st.page_link(
        "views/compare.py",
        label=_("Side by side"),
        icon=":material/arrow_forward:",
        query_params={"ids": ",".join(chosen)},
    )


def _names(campaigns: pd.DataFrame) -> dict[str, str]:
    """What each is called, by its id; those called alike, with when they were made."""
    made = campaigns["created_at"].dt.tz_convert(zone()).map(day_and_time)
    names = campaigns["name"].astype("object")
    told_apart = names.where(~names.duplicated(keep=False), names + " (" + made + ")")
    return dict(zip(campaigns["campaign"].astype("str"), told_apart, strict=True))
