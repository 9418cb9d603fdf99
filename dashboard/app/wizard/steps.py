"""The order of the steps, and what all of them share: moving on, and keeping what was typed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.drafts import STEPS, Draft, address
from dashboard.app.people import signed_in
from dashboard.app.phrasing.steps import NAMES
from dashboard.app.widgets.kept import Kept, kept, whole
from dashboard.app.widgets.marks import step_mark
from dashboard.words import _

_ADDRESS = "named-in-address"


def go(draft: Draft, step: int) -> None:
    """Open a step; used as a button's callback."""
    drafting.change_draft(draft, step=step)
    name_in_address(draft.id, step)


def name_in_address(draft_id: str, step: int) -> None:
    """Let the address name the draft and its step, so that Back, reload and every tab keep to it."""
    query = st.session_state[_ADDRESS] = address(draft_id, step)
    _name(query)


def keep_address() -> None:
    """Name what was last named once more: a click made meanwhile comes with the address before."""
    if query := st.session_state.pop(_ADDRESS, None):
        _name(query)


def _name(query: dict[str, str]) -> None:
    if query.items() - st.query_params.items():  # the same once more would be one Back more
        st.query_params.update(query)


def open_step(draft: Draft) -> int:
    """The step that the address names, if the draft has come that far, or else the one that was open last.

    An address without a step stays with the step it first led to: it is where the browser's Back leads.
    """
    named = st.query_params.get("step")
    if named in STEPS:
        asked = STEPS.index(named) + 1
    else:
        asked = st.session_state.setdefault(f"came-to-{draft.id}", draft.step)
    may_be = range(1, min(draft.furthest, len(STEPS)) + 1)
    return next(step for step in (asked, draft.step, 1) if step in may_be)


def is_read_otherwise(draft: Draft) -> bool:
    """Whether its rows are others than when this tab last drew it, after something was decided about them."""
    key, now = f"drawn-rows-{draft.id}", (draft.readings, draft.furthest)
    readings, furthest = st.session_state.get(key, now)
    st.session_state[key] = now
    return bool(readings != draft.readings and furthest > 1)


def way(draft: Draft | None, step: int) -> None:
    """Draw the steps: those that were open before lead back to them."""
    with st.container(horizontal=True, gap="xsmall", key="steps"):
        for number, name in enumerate(map(_, NAMES), 1):
            if draft is None or number == step or number > draft.furthest:
                step_mark(number, name, is_open=number == step)
            else:
                st.button(
                    name,
                    key=f"step-{STEPS[number - 1]}",
                    icon=":material/check:",
                    on_click=whole(go),
                    args=(draft, number),
                )


def kept_in(draft: Draft, field: str, convert: Callable[[Any], Any] = lambda value: value) -> Kept:
    """Arguments for a widget whose value is one of the draft's fields, so that a reload loses nothing."""

    def store(value: Any) -> None:
        drafting.change_draft(draft, **{field: convert(value)})

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
            st.button(_("Back"), on_click=whole(go), args=(draft, back), icon=":material/arrow_back:")
        if onward is not None:
            st.button(
                _("Continue"),
                type="primary",
                on_click=whole(confirm or partial(go, draft, onward)),
                disabled=not (ready or looks_again),
                icon=":material/arrow_forward:",
                icon_position="right",
            )
        if not ready and why_not:
            st.caption(why_not)
