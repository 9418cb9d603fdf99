"""Step 3: a verdict on every row, and tables in which a person can fix what can be fixed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import drafting
from dashboard.app.draft_sheets import lists_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.gathered import all_applied, checked_of, keyed_contacts
from dashboard.app.sheets.likely_country import likely_country
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.marks import counted_reasons
from dashboard.app.widgets.page import section
from dashboard.app.wizard import steps
from dashboard.app.wizard.audience import audience
from dashboard.app.wizard.keeping import keeping
from dashboard.app.wizard.open_columns import open_columns
from dashboard.app.wizard.row_questions import row_questions
from dashboard.app.wizard.rows_by_status import rows_by_status
from dashboard.contacts import ContactList, is_ready
from dashboard.contacts.words.country_names import country_name
from dashboard.words import N_, _, count, plural

TILES = (
    (N_("Ready to send"), "ok", N_("Valid mobile numbers, each person once.")),
    (N_("To look at"), "review", N_("Probably right; sent only if you approve them.")),
    (N_("To fix"), "invalid", N_("Not a number that can take a text message.")),
    (N_("Duplicates"), "duplicate", N_("The same number again.")),
    (N_("Opted out"), "opted_out", N_("They asked not to be texted, or did not agree.")),
    (N_("No number"), "empty", N_("There is nothing in the phone columns.")),
)
PREPARING = N_("Preparing the number check, which happens once on this machine; then every row is checked…")


def show(draft: Draft) -> None:
    """Draw the step."""
    rows = sum(len(sheet_of(one).frame) for one in lists_of(draft))
    checking = plural(rows, "Checking {count} row…", "Checking {count} rows…")
    with st.spinner(checking if is_ready() else _(PREPARING), show_time=True):
        key, contacts = keyed_contacts(draft)
    with st.grid(6, min_column_width=130, gap="small"):
        for label, status, help_text in TILES:
            st.metric(
                _(label), count(contacts.count(status)), help=_(help_text), border=True, height="stretch"
            )
    _corrected(draft)
    _other_country(draft, contacts)
    is_open = open_columns(draft, contacts)
    is_asking = row_questions(draft, key, contacts)
    notes(contacts)
    _problems(contacts)
    audience(draft, contacts)
    take = rows_by_status(draft, contacts, is_asking=is_asking)
    keeping(draft, contacts)
    is_complete = all_applied(draft)
    steps.foot(
        draft,
        back=2,
        onward=4,
        ready=bool(contacts.count("ok")) and is_complete,
        why_not=_why_not(contacts, is_complete=is_complete, is_asking=is_open or is_asking),
        confirm=partial(_onward, draft, take),
    )


def _onward(draft: Draft, take_edits: Callable[[], None]) -> None:
    take_edits()
    steps.go(draft, 4)


def _why_not(contacts: ContactList, *, is_complete: bool, is_asking: bool) -> str:
    """What keeps one from going on, if anything does."""
    if not is_complete:
        return _("A condition has no value, or no column of these lists. Complete it, or remove it.")
    if contacts.count("not_chosen"):
        return _("Nobody is chosen. Change the conditions above.")
    if is_asking:
        return _("No row can be texted. Answer what is asked above, or correct the rows.")
    return _("No row can be texted. Correct the rows above, or go back to the columns and the country.")


def _corrected(draft: Draft) -> None:
    ready = checked_of(draft).rows.query("status == 'ok'")["row"]
    still = int(ready.isin(draft.approved).sum())  # the others have lapsed
    if not draft.fixes and not still:
        return
    fixed = plural(len(draft.fixes), "{count} phone corrected", "{count} phones corrected")
    approved = plural(still, "{count} row approved", "{count} rows approved")
    both = _("{corrected} and {approved}").format(corrected=fixed, approved=approved)
    done = both if draft.fixes and still else fixed if draft.fixes else approved
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_(":material/edit_note: {done} here.").format(done=done))
        st.button(
            _("Undo"),
            type="tertiary",
            icon=":material/undo:",
            on_click=whole(drafting.change_draft),
            args=(draft,),
            kwargs={"fixes": {}, "approved": {}},
        )


def _other_country(draft: Draft, contacts: ContactList) -> None:
    """Offer the country the numbers seem to be from, if it is not the chosen one."""
    likely = likely_country(contacts)
    if likely is None:
        return
    country, rows = likely
    name = country_name(country)
    st.warning(
        plural(
            rows,
            "{count} row would be valid in {country}. Are numbers without a country code from there?",
            "{count} rows would be valid in {country}. Are numbers without a country code from there?",
            country=name,
        ),
        icon=":material/public:",
    )
    st.button(
        _("Use {country}").format(country=name),
        icon=":material/public:",
        on_click=whole(_use_country),
        args=(draft, country),
    )


def _use_country(draft: Draft, country: str) -> None:
    st.session_state.pop(f"country-{draft.id}", None)  # redrawn from the draft
    drafting.change_draft(draft, country=country)


def notes(contacts: ContactList) -> None:
    """Say what a person should know before texting the list."""
    for note in contacts.notes:
        st.warning(note, icon=":material/person_search:")


def _problems(contacts: ContactList) -> None:
    summary = contacts.summary()
    summary = summary[summary["status"] != "ok"]
    if summary.empty:
        return
    section(_("What was found"))
    counted_reasons(
        zip(summary["rows"], summary["meaning"], strict=True),
        _("Problems found, and how many rows have each"),
    )
