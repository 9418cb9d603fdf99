"""The people who can be texted, with the message that each of them gets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written, written_of
from dashboard.app.sheets.fix_table import PAGE_ROWS
from dashboard.app.sheets.ready_table import MESSAGE, ready_table
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.page import table_key
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.pressed import open_if_asked, opening
from dashboard.app.wizard.one_person import one_person
from dashboard.contacts import ContactList
from dashboard.errors import CampaignError
from dashboard.words import _

_ROW_HEIGHT = 76
"""Pixels for three lines of a message, which is what most of one takes."""


def ready_rows(
    draft: Draft,
    contacts: ContactList,
    chosen: pd.DataFrame,
    written: Written | None = None,
    *,
    filters: Sequence[Hashable] = (),
) -> None:
    """Draw a page of these rows, and the choice of another.

    Args:
        draft: The draft.
        contacts: Its checked list.
        chosen: Verdicts with the status ok.
        written: The messages as they will be sent; as far as they are written if left out.
        filters: By what the rows were chosen.
    """
    if written is None:
        written = _written(draft)
    page = page_of(len(chosen), PAGE_ROWS, f"ready-page-{draft.id}-{draft.step}", *filters)
    shown = chosen.iloc[page.rows]
    place = f"person-of-row-{draft.id}"
    key = table_key(f"ready-{draft.id}-{st.session_state.get(f'{place}-opened', 0)}", shown["row"])
    messages = None if written is None else written.messages
    table = ready_table(contacts, contacts.how.columns.phones, shown, messages)
    if written is not None:
        table[_(MESSAGE)] = table[_(MESSAGE)].map(written.arriving)
    st.dataframe(
        table,
        hide_index=bool(contacts.lists),
        row_height=None if written is None else _ROW_HEIGHT,
        column_config={_(MESSAGE): st.column_config.TextColumn(width="large")},
        alt=_("People who can be texted, with the message that each of them gets"),
        key=key,
        on_select=whole(partial(_open, place, key, shown["row"].tolist())),
        selection_mode="single-cell",
    )
    dialog = st.dialog(_("One person"), icon=":material/person:")(one_person)
    open_if_asked(place, partial(dialog, draft, contacts, written, st.session_state.get(f"{place}-row")))
    page.choose()
    st.caption(
        _("Click a row to see one person and their message.")
        if written is not None
        else _(
            "Click a row to see one person. Each person's message appears here once it is written, in the "
            "next step."
        )
    )


def _open(place: str, key: str, rows: Sequence[int]) -> None:
    """Open the person of the row that was clicked; the table then has a new key, so that it can be again."""
    cells = st.session_state[key].selection.cells
    if not cells:
        return
    st.session_state[f"{place}-row"] = int(rows[cells[0][0]])
    st.session_state[f"{place}-opened"] = st.session_state.get(f"{place}-opened", 0) + 1
    opened = opening(place)
    opened["on_click"](*opened["args"])


def _written(draft: Draft) -> Written | None:
    """The messages, if there is a text without a mistake."""
    if not draft.name.strip() or not all(text.strip() for text in draft.texts):
        return None
    try:
        return written_of(draft)
    except CampaignError:
        return None  # the next step says which mistake
