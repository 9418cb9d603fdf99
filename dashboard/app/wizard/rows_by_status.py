"""The rows by status: those left out, to look through and to correct, and those that are ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft
from dashboard.app.sheets.elsewhere import Elsewhere, valid_elsewhere
from dashboard.app.sheets.fix_table import (
    ABOUT_CONSENT,
    APPROVE,
    EDITABLE,
    PAGE_ROWS,
    PHONE,
    PROBLEM,
    Edits,
    choose_rows,
    fix_table,
    problem_counts,
    read_edits,
    with_edits,
)
from dashboard.app.sheets.likely_country import likely_country
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.page import search_field, section, table_key
from dashboard.app.widgets.paging import page_of
from dashboard.app.wizard import steps
from dashboard.app.wizard.ready_rows import ready_rows
from dashboard.contacts import ContactList, explain
from dashboard.contacts.categories import having
from dashboard.contacts.problems import QUESTIONS
from dashboard.contacts.words.country_names import country_name
from dashboard.words import N_, _, count, plural

LABELS = {
    "review": N_("To look at"),
    "invalid": N_("To fix"),
    "duplicate": N_("Duplicates"),
    "opted_out": N_("Opted out"),
    "empty": N_("No number"),
    "not_chosen": N_("Not chosen"),
    "ok": N_("Ready"),
}
LINE, CHARACTERS = 19, 48
"""Height of a line of a table in pixels, and the fewest characters of a reason that stand in one."""
KEEP = {"first": N_("Keep the first"), "last": N_("Keep the last"), "warn": N_("Look at each")}


def rows_by_status(draft: Draft, contacts: ContactList, *, is_asking: bool) -> Callable[[], None]:
    """Draw the rows, one status at a time, those to work on first; returns what takes the edits.

    Args:
        draft: The draft.
        contacts: Its contacts.
        is_asking: Whether questions about rows stand above.
    """
    take = partial(_take, draft)
    counts = {status: contacts.count(status) for status in LABELS}
    options = [status for status in _in_order(contacts) if counts[status]]
    if not options:
        return take
    section(_("Row by row"))
    status = st.segmented_control(
        _("Row by row"),
        options,
        default=options[0],
        required=True,
        format_func=lambda option: f"{_(LABELS[option])} ({count(counts[option])})",
        key=f"fix-tab-{draft.id}",
        label_visibility="collapsed",
    )
    phones = contacts.how.columns.phones
    problem, words = _filters(draft, contacts, status)
    chosen = choose_rows(contacts, phones, status, problem, words)
    if chosen.empty:
        st.caption(_("No row matches. Clear the search above."))
        return take
    if status == "ok":
        ready_rows(draft, contacts, chosen, filters=(problem, words))
        return take
    _elsewhere(draft, contacts, chosen, status)
    page = page_of(len(chosen), PAGE_ROWS, f"fix-page-{status}-{draft.id}", problem, words)
    table = fix_table(contacts, phones, chosen.iloc[page.rows])
    if status in EDITABLE:
        take = _editor(draft, contacts, table, chosen, status, is_asking=is_asking)
    else:
        st.dataframe(
            table,
            hide_index=bool(contacts.lists),
            alt=_("Rows left out: {why}").format(why=_(LABELS[status]).lower()),
        )
    page.choose()
    return take


def _in_order(contacts: ContactList) -> list[str]:
    """The statuses in the order of fixing: whether people may be texted at all comes before their phones."""
    asks = any(code in ABOUT_CONSENT for code in problem_counts(contacts, "review"))
    return list(LABELS) if asks else sorted(LABELS, key=lambda status: status != "invalid")


def _elsewhere(draft: Draft, contacts: ContactList, chosen: pd.DataFrame, status: str) -> None:
    """Offer to read the numbers to fix as those of the countries in which most of them are valid."""
    if status != "invalid" or likely_country(contacts) is not None:  # then the whole list is from there
        return
    looked_at = (tuple(chosen[name]) for name in ("row", "raw_phone", "repairs"))
    found = _valid_elsewhere(hash(tuple(looked_at)), chosen)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        for group in found:
            st.button(
                plural(
                    len(group.fixes),
                    "{count} of these is valid in {country}: use it",
                    "{count} of these are valid in {country}: use them",
                    country=country_name(group.country),
                ),
                key=f"elsewhere-{group.country}-{draft.id}",
                icon=":material/public:",
                on_click=whole(_fix),
                args=(draft, group.fixes),
            )
        st.caption(_("Only if these people are from there. You can undo it."))


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _valid_elsewhere(key: int, _chosen: pd.DataFrame) -> list[Elsewhere]:
    return valid_elsewhere(_chosen)


def _fix(draft: Draft, fixes: dict[int, str]) -> None:
    drafting.change_draft(
        draft,
        lambda now: {
            "fixes": now.fixes | fixes,
            "typed": {row: text for row, text in now.typed.items() if row not in fixes},
        },
    )


def _filters(draft: Draft, contacts: ContactList, status: str) -> tuple[str | None, str]:
    """Ask which of the rows to show: those with one problem, or with these words in them."""
    problems = problem_counts(contacts, status)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = search_field(_("Find a row"), f"fix-find-{status}-{draft.id}", width=240)
        problem = None
        if len(problems) > 1:
            problem = st.selectbox(
                _("Problem"),
                list(problems),
                index=None,
                format_func=lambda code: f"{explain(code)} ({count(problems[code])})",
                placeholder=_("Any problem"),
                key=f"fix-problem-{status}-{draft.id}",
                label_visibility="collapsed",
                width=320,
            )
        if status == "duplicate" or draft.keep == "warn":
            st.selectbox(
                _("When rows share a number"),
                list(KEEP),
                index=list(KEEP).index(draft.keep),
                format_func=lambda option: _(KEEP[option]),
                **steps.kept_in(draft, "keep"),
                label_visibility="collapsed",
                width=180,
            )
    return problem, words


def _editor(
    draft: Draft,
    contacts: ContactList,
    before: pd.DataFrame,
    chosen: pd.DataFrame,
    status: str,
    *,
    is_asking: bool,
) -> partial[None]:
    asked = contacts.approvals(before.index)
    version = draft.fingerprint("fixes", "approved")[:12]  # a new editor once its edits have been taken
    key = table_key(f"fix-{status}-{draft.id}-{version}", [*before.index, *asked.values()])
    edits = _unchecked(draft, key, before, asked)
    take = partial(_check, draft, key, before, asked)
    asks = having(chosen["problems"], QUESTIONS) & (status == "review")
    st.data_editor(
        with_edits(before, edits),
        disabled=["_index", *(name for name in before.columns if name not in {_(PHONE), _(APPROVE)})],
        height="auto",
        row_height=_height(before) if asks.any() else None,  # what has to be read, is wrapped
        column_config={_(PROBLEM): st.column_config.TextColumn(width="large")},
        hide_index=bool(contacts.lists),
        key=key,
        on_change=whole(_keep),
        args=(draft, key, before, asked),
        alt=_("Rows to fix: correct the phone, or approve the row"),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Check these again"),
            type="primary" if edits else "secondary",
            disabled=not edits,
            on_click=whole(take),
            icon=":material/rule:",
        )
        st.caption(
            plural(
                len(edits),
                "{count} correction is not checked yet.",
                "{count} corrections are not checked yet.",
            )
            if edits
            else _("Edit a phone, then check again."),
            width="content",
        )
        if status == "review":
            _approve_doubted(draft, contacts, chosen[~asks])
        if asks.any():
            st.caption(
                _("Whether somebody may be texted is answered above, or approved row by row.")
                if is_asking
                else _("Whether somebody may be texted is approved row by row.")
            )
    return take


def _height(table: pd.DataFrame) -> int:
    """Pixels in which the longest reason can be read; of fewer than four lines Streamlit wraps none."""
    return LINE * max(4, 1 + int(table[_(PROBLEM)].str.len().max()) // CHARACTERS)


def _approve_doubted(draft: Draft, contacts: ContactList, doubted: pd.DataFrame) -> None:
    """Offer to approve the rows of which only the number is doubted, if there are some."""
    if len(doubted):
        st.button(
            _("Approve all {number}").format(number=count(len(doubted))),
            on_click=whole(_approve),
            args=(draft, contacts, doubted),
            icon=":material/done_all:",
        )


def _unchecked(draft: Draft, key: str, before: pd.DataFrame, asked: Mapping[int, str]) -> Edits:
    """What was typed but not checked yet, on this and the other pages of the table."""
    cells = st.session_state.get(key, {}).get("edited_rows", {})
    edits = read_edits(before, cells, Edits(draft.typed, draft.ticked), asked)
    return edits.without(Edits(draft.fixes, draft.approved))


def _keep(draft: Draft, key: str, before: pd.DataFrame, asked: Mapping[int, str]) -> None:
    """Store what is typed at once, by row.

    While the page is busy, people type into the previous run's table, which is replaced as soon as its edits
    are checked; anything that was only in that table was lost.
    """

    def decide(now: Draft) -> dict[str, Any]:
        edits = _unchecked(now, key, before, asked)
        return {"typed": edits.fixes, "ticked": edits.approved}

    drafting.change_draft(draft, decide)


def _check(draft: Draft, key: str, before: pd.DataFrame, asked: Mapping[int, str]) -> None:
    """Take what was typed, up to this click."""
    _keep(draft, key, before, asked)
    _take(draft)


def _take(draft: Draft) -> None:

    def decide(now: Draft) -> dict[str, Any]:
        fixes, approved = now.fixes | now.typed, now.approved | now.ticked
        return {"fixes": fixes, "approved": approved, "typed": {}, "ticked": {}}

    drafting.change_draft(draft, decide)


def _approve(draft: Draft, contacts: ContactList, rows: pd.DataFrame) -> None:
    approved = contacts.approvals(rows["row"])
    drafting.change_draft(
        draft,
        lambda now: {
            "approved": now.approved | approved,
            "ticked": {row: answered for row, answered in now.ticked.items() if row not in approved},
        },
    )
