"""What columns say of texting people, in step 2: each can be given another role, and others be added."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting
from dashboard.app.draft_sheets import as_columns, confirmed, guessed_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.widgets.kept import kept
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.contacts import ColumnMap
from dashboard.contacts.columns.rules import ROLES, Role
from dashboard.words import _, plural


def roles(draft: Draft, columns: ColumnMap) -> None:
    """Draw every column that has a role or was guessed to have one, and a place to add another.

    Args:
        draft: The list's draft.
        columns: Its columns, as chosen so far.
    """
    names = [str(name) for name in sheet_of(draft).frame.columns]
    shown = {*guessed_of(draft).roles, *columns.roles}
    telling = [name for name in names if name in shown and name in columns.telling]
    others = [name for name in names if name in shown and name not in columns.telling]
    section(
        _("Columns that say who may be texted"),
        help=_(
            "People are left out where a column of those who agreed says no, or one of those who opted out "
            "says yes. Where another column seems to refuse, they are left out or wait under **To look at**."
        ),
    )
    for name in telling:
        _role(draft, columns, name)
    if others:
        label = plural(
            len(others),
            "{count} column says nothing about texts",
            "{count} columns say nothing about texts",
        )
        with st.expander(label):
            for name in others:
                _role(draft, columns, name)
    added = st.selectbox(
        _("Add a column"),
        [name for name in names if name not in {*shown, *columns.phones}],
        index=None,
        placeholder=_("No column"),
        key=f"role-added-{draft.id}-{len(shown)}",
    )
    if added is not None:
        _role(draft, columns, added, is_added=True)


def _role(draft: Draft, columns: ColumnMap, name: str, *, is_added: bool = False) -> None:
    key = f"role-{draft.id}-{hash(name)}"
    is_open = is_added and name not in columns.answers
    said = _said(columns, name, st.session_state.get(key) if is_open else Role.NOTHING)
    if st.session_state.get(key) != said:  # said in another tab, or guessed again
        st.session_state[key] = said
    st.selectbox(
        plain(name),
        list(ROLES),
        index=None if said is None else 0,
        format_func=lambda role: _(ROLES[role]),
        placeholder=_("Choose what it says"),
        **kept(key, partial(_say, draft, name)),
    )


def _said(columns: ColumnMap, name: str, usual: Role | None) -> Role | None:
    """The role of a column; None if its values or rows have meanings of their own, or are asked about."""
    asked = {question.column for question in columns.questions}
    by_value = {*columns.answers.get(name, {}).values()} - {"nothing"}
    role = Role.QUESTION if name in asked or by_value else columns.roles.get(name, usual)
    return role if role in ROLES else None


def _say(draft: Draft, name: str, role: Role) -> None:
    """Store a role along with what was chosen so far; that a question says nothing, value by value."""
    guessed = guessed_of(steps.as_stored(draft))
    asked = {question.column: question.values for question in guessed.questions}
    said = dict.fromkeys(asked[name], "nothing") if role == Role.NOTHING and name in asked else role

    def decide(now: Draft) -> dict[str, Any]:
        columns = confirmed(guessed, now.columns).answered({name: said})
        return {"columns": as_columns(columns, guessed), "columns_since": None}

    drafting.change_draft(draft, decide)
