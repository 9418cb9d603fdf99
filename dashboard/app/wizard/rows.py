"""Step 3: a verdict on every row, and tables to put right what a person can put right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app import actions
from dashboard.app.drafts import Draft
from dashboard.app.prepare import columns_of, contacts_of, sheet_of
from dashboard.app.pure.downloads import CSV, XLSX, as_csv, as_xlsx
from dashboard.app.pure.fix_table import (
    APPROVE,
    EDITABLE,
    PHONE,
    choose_rows,
    fix_table,
    page_count,
    problem_counts,
    read_edits,
)
from dashboard.app.pure.formatting import count, plural
from dashboard.app.widgets.marks import counted_reasons
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.contacts import ContactList, Sheet, checked, explain, is_ready, rejects

TILES = (
    ("Ready to send", "ok", "Valid mobile numbers, each person once."),
    ("To look at", "review", "Probably right; sent only when you approve them."),
    ("To fix", "invalid", "Not a number that can take a text message."),
    ("Duplicates", "duplicate", "The same number again."),
    ("Opted out", "opted_out", "They asked not to be texted, or did not agree."),
    ("No number", "empty", "There is nothing in the phone columns."),
)
LABELS = {status: label for label, status, _ in TILES}
MakeTable = Callable[[ContactList, Sheet], pd.DataFrame]
TABS = ("invalid", "review", "duplicate", "opted_out", "empty")
KEEP = {
    "first": "Keep the first",
    "last": "Keep the last",
    "warn": "Look at each",
}
PREPARING = "Preparing the number check, once on this machine; then every row is checked…"


def show(draft: Draft) -> None:
    """Draw the step."""
    sheet = sheet_of(draft)
    checking = f"Checking {plural(len(sheet.frame), 'row')}…"
    with st.spinner(checking if is_ready() else PREPARING, show_time=True):
        contacts = contacts_of(draft)
    with st.grid(6, min_column_width=130, gap="small"):
        for label, status, help_text in TILES:
            st.metric(label, count(contacts.count(status)), help=help_text, border=True, height="stretch")
    _corrected(draft)
    _problems(contacts)
    _tables(draft, contacts)
    _keeping(draft, contacts)
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
    """Draw the rows that are left out, one status at a time."""
    counts = {status: contacts.count(status) for status in TABS}
    options = [status for status in TABS if counts[status]]
    if not options:
        return
    section("Rows left out")
    status = st.segmented_control(
        "Rows left out",
        options,
        default=options[0],
        required=True,
        format_func=lambda option: f"{LABELS[option]} ({count(counts[option])})",
        key=f"fix-tab-{draft.id}",
        label_visibility="collapsed",
    )
    phones = columns_of(draft).phones
    problem, words = _filters(draft, contacts, status)
    chosen = choose_rows(contacts, phones, status, problem, words)
    if chosen.empty:
        st.caption("No row matches. Clear the search above.")
        return
    pages = page_count(len(chosen))
    page_key = f"fix-page-{status}-{draft.id}"
    page = min(int(st.session_state.get(page_key) or 1), pages)
    table = fix_table(contacts, phones, chosen, page=page)
    if status in EDITABLE:
        _editor(draft, table, chosen, status)
    else:
        st.dataframe(table, alt=f"Rows left out: {LABELS[status].lower()}")
    if pages > 1:
        st.pagination(pages, key=page_key)


def _filters(draft: Draft, contacts: ContactList, status: str) -> tuple[str | None, str]:
    """Ask which of the rows to show: those with one problem, or with these words in them."""
    problems = problem_counts(contacts, status)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Find a row",
            placeholder="Find a row",
            key=f"fix-find-{status}-{draft.id}",
            icon=":material/search:",
            label_visibility="collapsed",
            width=240,
        )
        problem = None
        if len(problems) > 1:
            problem = st.selectbox(
                "Problem",
                list(problems),
                index=None,
                format_func=lambda code: f"{explain(code)} ({count(problems[code])})",
                placeholder="Any problem",
                key=f"fix-problem-{status}-{draft.id}",
                label_visibility="collapsed",
                width=320,
            )
        if status == "duplicate" or draft.keep == "warn":
            keep_key = f"keep-{draft.id}"
            st.selectbox(
                "Of rows with the same number",
                list(KEEP),
                index=list(KEEP).index(draft.keep),
                format_func=lambda option: KEEP[option],
                key=keep_key,
                on_change=steps.keep,
                args=(draft.id, "keep", keep_key),
                label_visibility="collapsed",
                width=180,
            )
    return problem, words or ""


def _editor(draft: Draft, before: pd.DataFrame, chosen: pd.DataFrame, status: str) -> None:
    version = draft.fingerprint("fixes", "approved")[:12]  # a new editor once its edits were taken
    after = st.data_editor(
        before,
        disabled=[name for name in before.columns if name not in {PHONE, APPROVE}],
        height="auto",
        key=f"fix-{status}-{before.index[0]}-{len(before)}-{version}",
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
                f"Approve all {count(len(chosen))}",
                on_click=actions.change_draft,
                args=(draft.id,),
                kwargs={"approved": draft.approved | frozenset(chosen["row"].astype("int").tolist())},
                icon=":material/done_all:",
            )
        st.caption("Type over a phone, then check again.")


@st.dialog("Save the list", icon=":material/bookmark_add:")
def _save(draft: Draft) -> None:
    """Ask what to call the list."""
    name = st.text_input("Name", value=draft.name or draft.file_name, max_chars=120, key="list-name")
    st.caption(
        "The sheet is kept with everything you decided about it. Used again, it is checked again, "
        "also against the opt-outs of that day."
    )
    if st.button("Save", type="primary", disabled=not name.strip(), key="confirm-save-list"):
        actions.save_list(draft, name)
        st.session_state["list-saved"] = True
        st.rerun()


def _keeping(draft: Draft, contacts: ContactList) -> None:
    """Offer the verdicts as files, and the list to be used again."""
    if st.session_state.pop("list-saved", False):
        st.toast("The list is saved. You find it under Contacts.", icon=":material/check:")
    left_out = len(contacts.rows) - contacts.count("ok")
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Download", icon=":material/download:"):
            if left_out:
                _download(f"{plural(left_out, 'row')} left out", "rows-left-out", draft, contacts, rejects)
            _download("Every row with its verdict", "rows-checked", draft, contacts, checked)
        if st.button(
            "Save the list again…" if draft.saved_list else "Save the list…", icon=":material/bookmark_add:"
        ):
            _save(draft)


def _download(
    label: str,
    name: str,
    draft: Draft,
    contacts: ContactList,
    make: Callable[[ContactList, Sheet], pd.DataFrame],
) -> None:
    st.markdown(f"**{label}**")
    with st.container(horizontal=True):
        for kind, mime, write in (("xlsx", XLSX, as_xlsx), ("csv", CSV, as_csv)):
            st.download_button(
                kind.upper(),
                data=partial(_file, write, make, draft, contacts),
                file_name=f"{name}.{kind}",
                mime=mime,
                key=f"{name}-{kind}",
                on_click="ignore",
            )


def _file(
    write: Callable[[pd.DataFrame], bytes], make: MakeTable, draft: Draft, contacts: ContactList
) -> bytes:
    return write(make(contacts, sheet_of(draft)))
