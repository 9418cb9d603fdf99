"""The message as one person gets it, with its length and cost."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.gathered import contacts_of
from dashboard.app.prepare import Written
from dashboard.app.sheets.fix_table import row_name
from dashboard.app.widgets.marks import bubble
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard.start.trial import trial
from dashboard.app.wizard.text.live import editor_key
from dashboard.campaigns import explain_message
from dashboard.formatting import credit_count
from dashboard.words import _, count, plural

MOST_CHARACTERS = 1024


def one_message(draft: Draft, place: int | None, written: Written, messages: pd.DataFrame) -> None:
    """Draw the message of the person picked, with the offer of a test.

    Args:
        draft: The draft.
        place: The place of the variant being edited; None while there is one text.
        written: All messages.
        messages: Those MESSAGES with this text.
    """
    if messages.empty:
        section(_("Preview"))
        st.caption(_("Nobody gets this text: there are fewer people than texts."))
        return
    picked = _picked(draft, len(messages))
    message = messages.iloc[picked]
    row = plain(row_name(contacts_of(draft), int(message["row"])))
    problem = None if pd.isna(message["problem"]) else str(message["problem"])
    bubble(
        draft.sender,
        written.arriving(str(message["body"])),
        missing=problem is not None,
        follows=editor_key(draft, place) if problem is None else None,
    )
    if problem is not None:
        st.error(
            _("Row {row} is left out. {problem}").format(row=row, problem=plain(explain_message(problem))),
            icon=":material/block:",
        )
        return
    in_credits = credit_count(int(message["credits_low"]), int(message["credits_high"]))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(
            plural(
                int(message["characters"]),
                "Row {row} · {count} character of {most} · {credits}",
                "Row {row} · {count} characters of {most} · {credits}",
                row=row,
                credits=in_credits,
                most=count(MOST_CHARACTERS),
            )
        )
        trial(draft, messages, picked, row)


def _picked(draft: Draft, people: int) -> int:
    """Draw the head with the person's number; returns their place among the messages."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        section(_("Preview"))
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            number = st.number_input(
                _("Person"),
                min_value=1,
                max_value=people,
                key=f"person-{draft.id}",
                label_visibility="collapsed",
                width=130,
                help=_("Which person's message to show."),
            )
            st.caption(_("of {number}").format(number=count(people)))
    return min(int(number), people) - 1
