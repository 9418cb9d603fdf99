"""How the checked rows are kept: as files to download, and as a list to be used again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app import drafting
from dashboard.app.downloads.file_names import title_of
from dashboard.app.downloads.offering import offer
from dashboard.app.downloads.tables import as_csv, as_xlsx
from dashboard.app.draft_sheets import lists_of
from dashboard.app.drafts import Draft
from dashboard.app.gathered import typed_of
from dashboard.app.sheets.rows_in_words import rows_in_words
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard.steps import as_stored
from dashboard.contacts import ContactList, checked, rejects
from dashboard.errors import LedgerError
from dashboard.words import _, plural


def keeping(draft: Draft, contacts: ContactList) -> None:
    """Offer the verdicts as files, and the sheet as a list to be used again."""
    if st.session_state.pop(f"list-saved-{draft.id}", False):
        st.toast(_("The list is saved. You can find it under Contacts."), icon=":material/check:")
    sheet = typed_of(draft)  # read now, because files are made outside the session, on request
    left_out = len(contacts.rows) - contacts.count("ok")
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover(_("Download"), icon=":material/download:", key=f"rows-download-{draft.id}"):
            if left_out:
                _download(
                    draft,
                    plural(left_out, "{count} row left out", "{count} rows left out"),
                    _("rows left out"),
                    partial(rows_in_words, contacts, sheet, left_out=True),
                    partial(rejects, contacts, sheet),
                )
            _download(
                draft,
                _("Every row with its verdict"),
                _("rows checked"),
                partial(rows_in_words, contacts, sheet),
                partial(checked, contacts, sheet),
            )
        if len(lists_of(draft)) > 1:  # each of them is a list of its own
            return
        label = _("Save the list again…") if draft.saved_list else _("Save the list…")
        if st.button(label, icon=":material/bookmark_add:"):
            st.dialog(_("Save the list"), icon=":material/bookmark_add:")(_save)(draft)


def _download(
    draft: Draft,
    label: str,
    content: str,
    for_people: Callable[[], pd.DataFrame],
    for_programs: Callable[[], pd.DataFrame],
) -> None:
    st.markdown(f"**{label}**")
    offer(
        draft.name or title_of(draft.file_name),
        content,
        lambda: as_xlsx(for_people(), _("Rows")),
        lambda: as_csv(for_programs()),
        key=draft.id,
    )


def _save(draft: Draft) -> None:
    """Ask what to call the list."""
    name = st.text_input(
        _("Name"), value=draft.name or title_of(draft.file_name), max_chars=120, key=f"list-name-{draft.id}"
    )
    st.caption(
        _(
            "The sheet is kept with everything you decided about it. When it is used again, it is "
            "checked again, including against the opt-outs of that day."
        )
    )
    if st.button(_("Save"), type="primary", disabled=not name.strip(), key="confirm-save-list"):
        try:
            drafting.save_list(as_stored(draft), name)
        except LedgerError as error:  # the list it was started from has since been deleted
            drafting.change_draft(draft, saved_list=None)  # so the next click saves a new one
            st.error(plain(error), icon=":material/error:")
        else:
            st.session_state[f"list-saved-{draft.id}"] = True
            st.rerun()
