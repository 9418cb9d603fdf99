"""What a page shows while a campaign is being prepared: how far it is. It may be left meanwhile."""

from __future__ import annotations

import time

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.starts import Start
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.words import _, plural, share

LOOK_AGAIN_S = 1.0
_WATCHED = "start-watched"


def preparing(draft: Draft) -> bool:
    """Draw the progress of a draft that is becoming a campaign; False if it is not, or no longer.

    What kept it from becoming one is said until it is sent again or deleted.
    """
    app = runtime.current()
    start = app.starts.find(draft.id)
    if start is None:
        return False
    if not start.is_over:
        st.session_state[_WATCHED] = draft.id
        _progress(draft, start)
        st.fragment(_look_again, run_every=LOOK_AGAIN_S)(time.monotonic())
        return True
    if start.failure is not None:
        st.error(plain(start.failure), icon=":material/error:")
        return False
    app.starts.forget(draft.id)
    _open(start.result())
    return True


def follow(draft: Draft) -> None:
    """Open the campaign that a draft became while this page watched."""
    runtime.current().starts.forget(draft.id)
    if st.session_state.pop(_WATCHED, None) == draft.id:
        _open(draft.campaign)


def _open(campaign: str | None) -> None:
    st.switch_page("views/campaign.py", query_params={"id": str(campaign)})


def _look_again(drawn_at: float) -> None:
    """Draw the page again after a while. This draws nothing itself: it would draw into the next page."""
    if time.monotonic() - drawn_at >= LOOK_AGAIN_S / 2:
        st.rerun()


def _progress(draft: Draft, start: Start) -> None:
    section(plain(draft.name))
    st.progress(
        start.share,
        _("{messages}: {share} done").format(
            messages=plural(start.messages, "Preparing {count} message", "Preparing {count} messages"),
            share=share(round(start.share, 2)),
        ),
    )
    st.caption(_("You can leave this page. Nothing is sent before all messages are prepared."))
