"""The sample sheet, offered on the first day."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.drafts import Draft, address
from dashboard.app.people import signed_in
from dashboard.app.widgets.kept import once
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.errors import LedgerUnavailableError
from dashboard.words import _

_PLACE, _BEGUN = "sample", "begun-sample"


def offer_sample() -> None:
    """Offer it as long as there is no campaign, where the sandbox is the service."""
    if not is_first_day():
        return
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        st.button(
            _("Try it with a sample sheet"),
            key="sample",
            icon=":material/science:",
            **doing(_PLACE, partial(_begin, once(drafting.begin_sample))),
        )
        st.caption(
            _("Made-up people with the usual mess in their numbers. Nobody is texted."), width="content"
        )
    say_refusal(_PLACE)
    if begun := st.session_state.pop(_BEGUN, None):
        st.switch_page("views/new.py", query_params=begun)


def _begin(begin: Callable[[], Draft]) -> None:
    draft = begin()
    st.session_state[_BEGUN] = address(draft.id, draft.step)


def is_first_day() -> bool:
    """Whether there is something to try for whoever is looking: no campaign, and no real service."""
    app = runtime.current()
    if not app.given.uses_sandbox or not signed_in().may("sender"):
        return False
    try:
        return app.ledger.campaigns().empty
    except LedgerUnavailableError:  # a sheet can be read without it
        return False
