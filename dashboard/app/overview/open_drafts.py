"""Campaigns that somebody began and did not finish."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.app.drafts import Draft, address
from dashboard.app.phrasing.steps import NAMES
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.formatting import moment
from dashboard.words import _, count

SHOWN = 4


def show(drafts: Sequence[Draft]) -> None:
    """Draw the newest drafts, each a link to the step at which it was left."""
    with st.container(border=True, key="drafts", height="stretch"):
        section(_("Continue a draft"))
        for draft in drafts[:SHOWN]:
            _row(draft)
        if len(drafts) > SHOWN:
            st.page_link(
                "views/new.py",
                label=_("{number} more under New campaign").format(number=count(len(drafts) - SHOWN)),
            )


def _row(draft: Draft) -> None:
    with st.container(key=f"linked-{draft.id}", gap=None):
        st.page_link(
            "views/new.py",
            label=plain(draft.name or draft.file_name),
            query_params=address(draft.id, draft.step),
        )
        st.caption(
            _("{step} · started {time}").format(
                step=_(NAMES[draft.step - 1]), time=moment(draft.created_at, zone())
            )
        )
