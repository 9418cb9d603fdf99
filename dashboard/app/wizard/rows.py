"""Step 3: a verdict on every row, and a table to put right what a person can put right."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions
from dashboard.app.drafts import Draft
from dashboard.app.prepare import columns_of, contacts_of, sheet_of
from dashboard.app.pure.downloads import XLSX, as_xlsx
from dashboard.app.pure.fix_table import APPROVE, PHONE, fix_table, page_count, read_edits
from dashboard.app.pure.formatting import count, plural
from dashboard.app.widgets.marks import counted_reasons
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.contacts import ContactList, is_ready, rejects

TILES = (
    ("Ready to send", "ok", "Valid mobile numbers, each person once."),
    ("To look at", "review", "Probably right; sent only when you approve them."),
    ("To fix", "invalid", "Not a number that can take a text message."),
    ("Duplicates", "duplicate", "The same number again; the first one is kept."),
    ("Opted out", "opted_out", "They asked not to be texted, or did not agree."),
    ("No number", "empty", "There is nothing in the phone columns."),
)
CHECKING = "Checking every row…"
PREPARING = "Preparing the number check, once on this machine; then every row is checked…"
TABS = {"invalid": "To fix", "review": "To look at"}


def show(draft: Draft) -> None:
    """Draw the step."""
    with st.spinner(CHECKING if is_ready() else PREPARING):
        contacts = contacts_of(draft)
    with st.grid(6, min_column_width=130, gap="small"):
        for label, status, help_text in TILES:
            st.metric(label, count(contacts.count(status)), help=help_text, border=True, height="stretch")
    _corrected(draft)
    _problems(contacts)
    _tables(draft, contacts)
    ready = contacts.count("ok")
    steps.foot(
        draft,
        back=2,
        onward=4,
        ready=bool(ready),
        why_not="No row can be sent to. Correct the rows above, or go back to the columns and the country.",
    )


def _corrected(draft: Draft) -> None:
    if not draft.fixes and not draft.approved:
        return
    parts = [plural(len(draft.fixes), "phone") + " corrected"] if draft.fixes else []
    parts += [plural(len(draft.approved), "row") + " approved"] if draft.approved else []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/edit_note: {' and '.join(parts)} here.")
        st.button(
            "Undo",
            type="tertiary",
            icon=":material/undo:",
            on_click=actions.change_draft,
            args=(draft.id,),
            kwargs={"fixes": {}, "approved": frozenset()},
        )


def _problems(contacts: ContactList) -> None:
    summary = contacts.summary()
    summary = summary[summary["status"] != "ok"]
    if summary.empty:
        return
    section("What was found")
    counted_reasons(
        zip(summary["rows"], summary["meaning"], strict=True), "Problems found, with how many rows have each"
    )


def _tables(draft: Draft, contacts: ContactList) -> None:
    left_out = len(contacts.rows) - contacts.count("ok")
    if not left_out:
        return
    counts = {status: contacts.count(status) for status in TABS}
    options = [status for status in TABS if counts[status]]
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        status = (
            st.segmented_control(
                "Rows to put right",
                options,
                default=options[0],
                required=True,
                format_func=lambda option: f"{TABS[option]} ({count(counts[option])})",
                key=f"fix-tab-{draft.id}",
            )
            if options
            else None
        )
        st.download_button(
            f"Download all {plural(left_out, 'row')} left out",
            data=lambda: as_xlsx(rejects(contacts, sheet_of(draft))),
            file_name="rows-left-out.xlsx",
            mime=XLSX,
            icon=":material/download:",
            on_click="ignore",
        )
    if status:
        _editor(draft, contacts, status, counts[status])


def _editor(draft: Draft, contacts: ContactList, status: str, rows: int) -> None:
    pages = page_count(rows)
    page_key = f"fix-page-{status}-{draft.id}"
    page = min(int(st.session_state.get(page_key) or 1), pages)
    before = fix_table(contacts, columns_of(draft).phones, status, page=page)
    version = draft.fingerprint("fixes", "approved")[:12]  # a new editor once its edits were taken
    after = st.data_editor(
        before,
        disabled=[name for name in before.columns if name not in {PHONE, APPROVE}],
        height="auto",
        key=f"fix-{status}-{page}-{version}",
        alt="Rows to put right: correct the phone, or approve the row",
    )
    edits = read_edits(before, after)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Check these again",
            type="primary" if edits else "secondary",
            disabled=not edits,
            on_click=actions.change_draft,
            args=(draft.id,),
            kwargs={"fixes": draft.fixes | edits.fixes, "approved": draft.approved | edits.approved},
            icon=":material/rule:",
        )
        if status == "review":
            st.button(
                f"Approve all {count(rows)}",
                on_click=actions.change_draft,
                args=(draft.id,),
                kwargs={"approved": draft.approved | _rows_with(contacts, status)},
                icon=":material/done_all:",
            )
        if pages > 1:
            st.pagination(pages, key=page_key)
        st.caption("Type over a phone, then check again.")


def _rows_with(contacts: ContactList, status: str) -> frozenset[int]:
    return frozenset(int(row) for row in contacts.rows.loc[contacts.rows["status"] == status, "row"])
