"""Step 1: the contact sheet. It goes straight to disk, out of memory; the session keeps the draft's id."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import KEPT_DAYS, Draft
from dashboard.app.people import signed_in
from dashboard.app.prepare import sheet_of
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import kept, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.app.wizard.start.preparing import not_started
from dashboard.contacts import Sheet
from dashboard.errors import LedgerUnavailableError, SheetError
from dashboard.formatting import file_size, moment
from dashboard.words import N_, _, count, plural

TYPES = [
    *("csv", "tsv", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods"),
    *("json", "jsonl", "ndjson", "parquet", "vcf"),
]
SAMPLE_ROWS, SHOWN_DRAFTS = 8, 5
ENCODINGS = ["utf-8", "cp1252", "utf-16", "cp1250", "cp1251", "mac_roman", "shift_jis", "gb18030"]
DELIMITERS = {",": N_("Comma ,"), ";": N_("Semicolon ;"), "\t": N_("Tab"), "|": N_("Bar |")}


def show(draft: Draft | None) -> None:
    """Draw the step; without a draft, begin one."""
    if draft is None:
        _uploader(draft)
        _saved_lists(draft)
        _open_drafts()
        return
    if not draft.file_name:
        _first_sheet(draft)
        return
    try:
        with st.spinner(
            _("Reading {file} ({size})…").format(
                file=plain(draft.file_name), size=file_size(draft.size_bytes)
            ),
            show_time=True,
        ):
            sheet = sheet_of(draft)
    except SheetError as error:
        st.error(plain(f"{draft.file_name}: {error}"), icon=":material/error:")
        _reading_options(draft, None)
        _uploader(draft)
        return
    _summary(draft, sheet)
    _reading_options(draft, sheet)
    with st.container(key="preview-table"):
        st.dataframe(
            sheet.frame.head(SAMPLE_ROWS), hide_index=True, alt=_("First rows of the sheet as it was read")
        )
    with st.expander(_("Use another sheet"), icon=":material/swap_horiz:"):
        _uploader(draft)
    steps.foot(draft, back=None, onward=2)


def _first_sheet(draft: Draft) -> None:
    """Ask a draft that began with a text who gets it."""
    st.info(
        _("The text, the sender and the links of “{name}” are in this draft. Now choose who gets it.").format(
            name=plain(draft.name)
        ),
        icon=":material/content_copy:",
    )
    _uploader(draft)
    _saved_lists(draft)


def _saved_lists(draft: Draft | None) -> None:
    """Offer the saved lists instead of a sheet."""
    try:
        lists = runtime.current().ledger.lists.all()
    except LedgerUnavailableError:  # a sheet can be read without it
        return
    if lists.empty:
        return
    names = dict(zip(lists["list"], lists["name"], strict=True))
    st.selectbox(
        _("Or a saved list"),
        list(names),
        index=None,
        format_func=lambda one: str(names[one]),
        placeholder=_("Choose a list"),
        **kept("saved-list", partial(_use_list, draft)),
    )


def _use_list(draft: Draft | None, chosen: str | None) -> None:
    if chosen is not None:
        st.query_params["draft"] = actions.use_list(chosen, draft).id


def _uploader(draft: Draft | None) -> None:
    label = _("Contact sheet") if draft is None or not draft.file_name else _("Use another sheet")
    # A new key after each upload empties the uploader, so that the file does not stay in memory.
    uploads = f"uploads-{draft.id}" if draft else "uploads"
    key = f"sheet-{uploads}-{st.session_state.get(uploads, 0)}"
    file = st.file_uploader(label, type=TYPES, key=key, max_upload_size=runtime.current().given.upload_mb)
    limit = runtime.current().given.upload_mb
    st.caption(
        _(
            "CSV, Excel, OpenDocument, JSON, Parquet or vCard, one person per row, up to {limit} MB. "
            "Nothing is sent before the last step."
        ).format(limit=count(limit))
    )
    if file is None:
        return
    stored = (
        actions.begin_draft(file.name, file)
        if draft is None
        else actions.replace_sheet(draft, file.name, file)
    )
    st.session_state[uploads] = st.session_state.get(uploads, 0) + 1
    st.query_params["draft"] = stored.id
    st.rerun()


def _open_drafts() -> None:
    drafts = runtime.current().drafts.open_ones(signed_in().name)
    if not drafts:
        return
    section(
        _("Continue a draft"),
        help=plural(
            KEPT_DAYS,
            "Drafts are kept for {count} day after the last change.",
            "Drafts are kept for {count} days after the last change.",
        ),
    )
    for draft in drafts[:SHOWN_DRAFTS]:
        _open_draft(draft)
    if older := drafts[SHOWN_DRAFTS:]:
        with st.expander(plural(len(older), "{count} older draft", "{count} older drafts")):
            for draft in older:
                _open_draft(draft)


def _open_draft(draft: Draft) -> None:
    start = runtime.current().starts.find(draft.id)
    with st.container(border=True):
        _about(draft)
        if start is not None and start.failure is not None:
            st.error(not_started(start.failure), icon=":material/error:")


def _about(draft: Draft) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # Not a link: a link to the page already open leaves the address as it is, and the next click loses
        # the draft.
        st.button(
            plain(draft.name or draft.file_name),
            key=f"take-up-{draft.id}",
            type="tertiary",
            icon=":material/draft:",
            on_click=whole(_take_up),
            args=(draft.id,),
        )
        st.caption(
            _("{step} · started {time}").format(
                step=_(steps.NAMES[draft.step - 1]), time=moment(draft.created_at, zone())
            )
        )
        st.space("stretch")
        delete = _("Delete…")
        if st.button(delete, key=f"discard-{draft.id}", type="tertiary", icon=":material/delete:"):
            st.dialog(_("Delete this draft?"), icon=":material/delete:")(_confirm_discard)(draft)


def _take_up(draft_id: str) -> None:
    st.query_params["draft"] = draft_id


def _confirm_discard(draft: Draft) -> None:
    st.write(
        _(
            "**{name}** will be deleted with its sheet and everything you decided about it. This "
            "cannot be undone."
        ).format(name=plain(draft.name or draft.file_name))
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Keep it")):
            st.rerun()
        if st.button(_("Delete the draft"), type="primary", key="confirm-discard"):
            actions.discard_draft(draft)
            st.rerun()


def _summary(draft: Draft, sheet: Sheet) -> None:
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


def _reading_options(draft: Draft, sheet: Sheet | None) -> None:
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
            **steps.kept_in(draft, "hidden_rows"),
        )
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
        **steps.kept_in(draft, field),
    )


def _header_row(draft: Draft, sheet: Sheet | None) -> None:
    st.number_input(
        _("Row with the column names"),
        min_value=0,
        value=(sheet.header_row or 0) if sheet else None,
        placeholder=_("Detect automatically"),
        **steps.kept_in(draft, "header_row"),
        help=_("0 if the sheet has no column names."),
    )
