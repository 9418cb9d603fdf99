"""Step 4: the message at the left, and at the right what a person gets and what it costs."""

from __future__ import annotations

import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written, contacts_of, written_of
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.app.wizard.advice import advice
from dashboard.app.wizard.cost import cost
from dashboard.app.wizard.editor import editor
from dashboard.app.wizard.options import options
from dashboard.app.wizard.preview import one_message
from dashboard.errors import CampaignError


def show(draft: Draft) -> None:
    """Draw the step."""
    fields = [str(name) for name in contacts_of(draft).fields.columns]
    left, right = st.columns([3, 2], gap="large")
    with left:
        _name(draft)
        editor(draft, fields)
        options(draft)
    with right, st.container(key="preview"):
        written = _preview(draft)
    ready = bool(draft.name.strip()) and written is not None and written.estimate.messages > 0
    steps.foot(draft, back=3, onward=5, ready=ready, why_not=_missing(draft, written))


def _name(draft: Draft) -> None:
    key = f"name-{draft.id}"
    st.text_input(
        "Campaign name",
        value=draft.name,
        max_chars=120,
        key=key,
        placeholder="Spring sale",
        help="You and the service group messages by it; recipients do not see it.",
        on_change=steps.keep,
        args=(draft.id, "name", key, str.strip),
    )


def _preview(draft: Draft) -> Written | None:
    if not draft.template.strip():
        section("Preview")
        st.caption("The message appears here as each person gets it, with its length and cost.")
        return None
    try:
        written = written_of(draft)
    except CampaignError as error:
        section("Preview")
        st.error(str(error), icon=":material/error:")
        return None
    one_message(draft, written)
    cost(draft, written)
    advice(draft, written)
    return written


def _missing(draft: Draft, written: Written | None) -> str:
    if not draft.name.strip():
        return "Give the campaign a name."
    if not draft.template.strip():
        return "Write the message."
    if written is None:
        return "Correct the message."
    return "No message can be sent as it is written."
