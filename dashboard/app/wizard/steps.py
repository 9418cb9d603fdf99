"""The order of the steps, and what all of them share: moving on, and keeping what was typed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.people import signed_in
from dashboard.app.widgets.kept import Kept, kept, whole
from dashboard.words import N_, _

NAMES = (N_("Upload"), N_("Match columns"), N_("Check rows"), N_("Message"), N_("Review and send"))


def go(draft_id: str, step: int) -> None:
    """Open a step; used as a button's callback."""
    actions.change_draft(draft_id, step=step)


def kept_in(draft: Draft, field: str, convert: Callable[[Any], Any] = lambda value: value) -> Kept:
    """Arguments for a widget whose value is one of the draft's fields, so that a reload loses nothing."""

    def store(value: Any) -> None:
        actions.change_draft(draft.id, **{field: convert(value)})

    return kept(f"{field}-{draft.id}", store)


def as_stored(draft: Draft) -> Draft:
    """The draft as it is on disk now: the one a callback was drawn with may be out of date."""
    return runtime.current().drafts.find(draft.id, signed_in().name) or draft


def foot(
    draft: Draft,
    *,
    back: int | None,
    onward: int | None,
    ready: bool = True,
    why_not: str = "",
    confirm: Callable[[], None] | None = None,
    looks_again: bool = False,
) -> None:
    """Draw Back and Continue under a step.

    Args:
        draft: The draft.
        back: The step before.
        onward: The next step.
        ready: Whether the next step may be opened.
        why_not: What is missing, if it may not.
        confirm: What Continue does, if it does more than open the next step.
        looks_again: Whether `confirm` itself refuses what is not ready, so that Continue is never disabled.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="step-foot"):
        if back is not None:
            st.button(_("Back"), on_click=whole(go), args=(draft.id, back), icon=":material/arrow_back:")
        if onward is not None:
            st.button(
                _("Continue"),
                type="primary",
                on_click=whole(confirm or partial(go, draft.id, onward)),
                disabled=not (ready or looks_again),
                icon=":material/arrow_forward:",
                icon_position="right",
            )
        if not ready and why_not:
            st.caption(why_not)
