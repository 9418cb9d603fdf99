"""That rows wait for what nobody has said of their columns, and the way back to say it."""

from __future__ import annotations

import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.phrasing.steps import NAMES
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.contacts import ContactList, Problem, Status
from dashboard.contacts.categories import having
from dashboard.contacts.columns.questions import question_notes
from dashboard.words import _

MATCH_COLUMNS = 2


def open_columns(draft: Draft, contacts: ContactList) -> bool:
    """Name the columns that rows wait for, with a way to them; returns whether there are some."""
    waits = contacts.rows["status"] == Status.REVIEW
    if not (waits & having(contacts.rows["problems"], (Problem.COLUMN_UNANSWERED,))).any():
        return False
    lists = contacts.lists.values() or [contacts]
    asked = {question.column: question for one in lists for question in one.how.columns.questions}
    for note in question_notes(asked.values()):
        st.warning(plain(note), icon=":material/view_column:")
    st.button(
        _(NAMES[MATCH_COLUMNS - 1]),
        key=f"open-columns-{draft.id}",
        icon=":material/arrow_back:",
        on_click=whole(steps.go),
        args=(draft, MATCH_COLUMNS),
    )
    return True
