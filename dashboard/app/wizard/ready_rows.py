"""The people who can be texted, with the message that each of them gets."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.prepare import columns_of, written_of
from dashboard.app.sheets.fix_table import PAGE_ROWS
from dashboard.app.sheets.ready_table import MESSAGE, ready_table
from dashboard.app.widgets.paging import page_of
from dashboard.contacts import ContactList
from dashboard.errors import CampaignError
from dashboard.words import _

_ROW_HEIGHT = 76
"""Pixels for three lines of a message, which is what most of one takes."""


def ready_rows(
    draft: Draft, contacts: ContactList, chosen: pd.DataFrame, messages: pd.DataFrame | None = None
) -> None:
    """Draw a page of these rows, and the choice of another.

    Args:
        draft: The draft.
        contacts: Its checked list.
        chosen: Verdicts with the status ok.
        messages: MESSAGES as they will be sent; as far as they are written if left out.
    """
    if messages is None:
        messages = _written(draft)
    page = page_of(len(chosen), PAGE_ROWS, f"ready-page-{draft.id}-{draft.step}")
    st.dataframe(
        ready_table(contacts, columns_of(draft).phones, chosen.iloc[page.rows], messages),
        row_height=None if messages is None else _ROW_HEIGHT,
        column_config={_(MESSAGE): st.column_config.TextColumn(width="large")},
        alt=_("People who can be texted, with the message that each of them gets"),
    )
    page.choose()
    if messages is None:
        st.caption(_("Each person's message appears here once it is written, in the next step."))


def _written(draft: Draft) -> pd.DataFrame | None:
    """The messages, if there is a text without a mistake."""
    if not draft.name.strip() or not all(text.strip() for text in draft.texts):
        return None
    try:
        return written_of(draft).messages
    except CampaignError:
        return None  # the next step says which mistake
