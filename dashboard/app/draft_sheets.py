"""From a draft to its sheets, and to which of their columns holds what.

Read only when how to read them changes; they live in the session that asked for them, and end with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import READING, Columns, Draft
from dashboard.contacts import ColumnMap, Limits, Sheet, guess_columns, read_sheet
from dashboard.contacts.columns.chosen import CHOSEN, other_roles, with_chosen

READ_BY = ("digest", "file_name", *READING)
"""Fields of a draft by which its sheet is read."""


def sheet_of(draft: Draft) -> Sheet:
    """Read the draft's sheet.

    Raises:
        SheetError: It cannot be read; the sentence says why.
    """
    return _read(draft.fingerprint(*READ_BY), draft)


def columns_of(draft: Draft) -> ColumnMap:
    """The columns as confirmed, or as guessed if nobody has confirmed them yet."""
    return confirmed(guessed_of(draft), draft.columns)


def guessed_of(draft: Draft) -> ColumnMap:
    """The columns as guessed, whatever anybody has chosen."""
    return _guess(draft.fingerprint(*READ_BY), draft)


def confirmed(guessed: ColumnMap, chosen: Columns | None) -> ColumnMap:
    """The guess with the person's choices."""
    return guessed if chosen is None else with_chosen(guessed, chosen.model_dump())


def as_columns(columns: ColumnMap, guessed: ColumnMap) -> Columns:
    """What a draft keeps about the columns, of which these were guessed."""
    own = {name: getattr(columns, name) for name in CHOSEN}
    return Columns(**own, roles=other_roles(columns, guessed))


def lists_of(draft: Draft) -> list[Draft]:
    """The lists whose people are texted: the draft itself, and its further lists."""
    return [draft, *(one for one in runtime.current().drafts.lists(draft) if not one.leaves_out)]


def names_of(lists: Sequence[Draft]) -> list[str]:
    """What lists are called, each differently."""
    names: list[str] = []
    for one in lists:
        name = (one.name if one.part_of else "") or one.file_name
        again = sum(each == name or each.startswith(f"{name} (") for each in names)
        names.append(f"{name} ({again + 1})" if again else name)
    return names


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _guess(key: str, _draft: Draft) -> ColumnMap:
    return guess_columns(sheet_of(_draft))


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _read(key: str, _draft: Draft) -> Sheet:
    wired = runtime.current()
    with wired.turns.turn():
        sheet = read_sheet(
            wired.drafts.sheet(_draft),
            worksheet=_draft.worksheet,
            encoding=_draft.encoding,
            delimiter=_draft.delimiter,
            header_row=_draft.header_row,
            limits=Limits.of(wired.settings),
        )
    sheet = replace(sheet, name=_draft.file_name)  # on disk it is called otherwise
    return sheet if _draft.hidden_rows else sheet.without_hidden_rows()
