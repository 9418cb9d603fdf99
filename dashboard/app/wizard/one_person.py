"""One person of the list: the message they get, and what the sheet says of them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written
from dashboard.app.sheets.fix_table import row_name
from dashboard.app.widgets.marks import bubble, facts
from dashboard.app.widgets.plain import plain
from dashboard.campaigns import explain_message
from dashboard.contacts import ContactList
from dashboard.contacts.words.country_names import country_name
from dashboard.formatting import credit_count
from dashboard.words import _


def one_person(draft: Draft, contacts: ContactList, written: Written | None, row: int | None) -> None:
    """Draw the person in this row.

    Args:
        draft: The draft.
        contacts: Its list.
        written: Its messages; None as long as there is no text.
        row: Row number; nothing is drawn if the list no longer has it.
    """
    found = contacts.rows[contacts.rows["row"] == row]
    if row is None or found.empty:
        st.write(_("This row is no longer there. Close this and choose another."))
        return
    person = found.iloc[0]
    rows = {
        _("Row"): row_name(contacts, row),
        _("Number"): str(person["phone"]),
        _("Country"): country_name(str(person["country"])),
    }
    if written is None:
        st.caption(_("There is no text yet; it is written in the next step."))
    else:
        rows |= _message(draft, written, row)
    facts(rows)
    cells = contacts.fields.loc[found.index[0]]
    cells = cells.iloc[:-2] if contacts.lists else cells  # the row above says where it is from
    st.caption(_("What the sheet says"))
    facts({str(name): str(cell) for name, cell in cells.items() if str(cell).strip()})


def _message(draft: Draft, written: Written, row: int) -> dict[str, str]:
    """Draw the message of the person in this row; returns what it costs."""
    found = written.messages[written.messages["row"] == row]
    if found.empty:
        return {}
    message = found.iloc[0]
    missing = not pd.isna(message["problem"])
    bubble(draft.sender, written.arriving(str(message["body"])), missing=missing)
    if missing:
        st.error(plain(explain_message(str(message["problem"]))), icon=":material/block:")
        return {}
    return {_("Credits"): credit_count(int(message["credits_low"]), int(message["credits_high"]))}
