"""The message as one person gets it, with its length and cost."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.pure.formatting import count, count_range, plural
from dashboard.app.widgets.marks import bubble
from dashboard.app.widgets.page import section
from dashboard.app.wizard.trial import trial
from dashboard.campaigns import explain

DEFAULT_SENDER = "The account's default sender"


def one_message(draft: Draft, messages: pd.DataFrame) -> None:
    """Draw the message of the person picked among those of these MESSAGES, with the offer of a test."""
    if messages.empty:
        section("Preview")
        st.caption("Nobody gets this text: there are fewer people than texts.")
        return
    place = _picked(draft, len(messages))
    message = messages.iloc[place]
    problem = None if pd.isna(message["problem"]) else str(message["problem"])
    bubble(draft.sender or DEFAULT_SENDER, str(message["body"]), missing=problem is not None)
    if problem is not None:
        st.error(f"Row {message['row']} is left out. {explain(problem)}", icon=":material/block:")
        return
    credits_ = count_range(int(message["credits_low"]), int(message["credits_high"]), "credit")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(
            f"Row {message['row']} · {plural(int(message['characters']), 'character')} of 1,024 · {credits_}"
        )
        trial(draft, messages, place)


def _picked(draft: Draft, people: int) -> int:
    """Draw the head with the person's number; returns their place among the messages."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        section("Preview")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            number = st.number_input(
                "Person",
                min_value=1,
                max_value=people,
                key=f"person-{draft.id}",
                label_visibility="collapsed",
                width=130,
                help="Which person's message to show.",
            )
            st.caption(f"of {count(people)}")
    return min(int(number), people) - 1
