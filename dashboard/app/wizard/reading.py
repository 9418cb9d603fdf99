"""How a sheet was read: in a line, with its first rows, and what to say if the guess is wrong."""

from __future__ import annotations

import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft
from dashboard.app.widgets.kept import Kept, kept
from dashboard.app.widgets.plain import plain
from dashboard.contacts import Sheet
from dashboard.formatting import file_size
from dashboard.words import N_, _, plural

SAMPLE_ROWS = 8
ENCODINGS = ["utf-8", "cp1252", "utf-16", "cp1250", "cp1251", "mac_roman", "shift_jis", "gb18030"]
DELIMITERS = {",": N_("Comma ,"), ";": N_("Semicolon ;"), "\t": N_("Tab"), "|": N_("Bar |")}


def summary(draft: Draft, sheet: Sheet) -> None:
    """Say how much was read, and what was noticed."""
    rows, columns = sheet.frame.shape
    st.markdown(
        _(
            ":green[:material/task_alt:] **{rows} and {columns}** read ({size}). These are the first rows."
        ).format(
            rows=plural(rows, "{count} row", "{count} rows"),
            columns=plural(columns, "{count} column", "{count} columns"),
            size=file_size(draft.size_bytes),
        )
    )
    for note in sheet.notes:
        st.caption(f":material/info: {plain(note)}")


def reading_options(draft: Draft, sheet: Sheet | None) -> None:
    """Let the person say how to read the sheet if the guess is wrong."""
    if sheet is not None and len(sheet.worksheets) > 1:
        _choice(draft, "worksheet", _("Worksheet"), list(sheet.worksheets), sheet.worksheet)
    if sheet is not None and sheet.hidden_rows:
        st.checkbox(
            plural(
                len(sheet.hidden_rows),
                "Use the {count} row hidden in the spreadsheet",
                "Use the {count} rows hidden in the spreadsheet",
            ),
            value=draft.hidden_rows,
            **_kept_in(draft, "hidden_rows"),
        )
        st.caption(_("Whoever refuses texts in a hidden row is not texted in either case."))
    if sheet is None or sheet.encoding is not None:
        with st.expander(_("Letters or columns look wrong?"), icon=":material/tune:"):
            _choice(draft, "encoding", _("Encoding"), ENCODINGS, sheet.encoding if sheet else None)
            _choice(draft, "delimiter", _("Delimiter"), list(DELIMITERS), sheet.delimiter if sheet else None)
            _header_row(draft, sheet)


def _choice(draft: Draft, field: str, label: str, options: list[str], current: str | None) -> None:
    if current is not None and current not in options:
        options = [current, *options]
    st.selectbox(
        label,
        options,
        index=options.index(current) if current else None,
        format_func=lambda option: _(DELIMITERS[option]) if option in DELIMITERS else option,
        placeholder=_("Detect automatically"),
        **_kept_in(draft, field),
    )


def _header_row(draft: Draft, sheet: Sheet | None) -> None:
    st.number_input(
        _("Row with the column names"),
        min_value=0,
        value=(sheet.header_row or 0) if sheet else None,
        placeholder=_("Detect automatically"),
        **_kept_in(draft, "header_row"),
        help=_("0 if the sheet has no column names."),
    )


def _kept_in(draft: Draft, field: str) -> Kept:
    """The key has the reading: once it is another one, every tab shows what holds now."""
    return kept(
        f"{field}-{draft.id}-{draft.readings}",
        lambda value: drafting.change_draft(draft, **{field: value}),
    )


def first_rows(sheet: Sheet) -> None:
    """Draw the first rows of a sheet."""
    with st.container(key="preview-table"):
        st.dataframe(
            sheet.frame.head(SAMPLE_ROWS), hide_index=True, alt=_("First rows of the sheet as it was read")
        )
