"""Step 1: the contact sheet. It goes straight to disk, out of memory; the session keeps the draft's id."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import drafting, runtime, starting
from dashboard.app.draft_sheets import sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.people import signed_in
from dashboard.app.phrasing.steps import NAMES
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import once, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.app.widgets.room import say_room
from dashboard.app.widgets.sample import offer_sample
from dashboard.app.wizard import steps
from dashboard.app.wizard.lists import TYPES, more_lists
from dashboard.app.wizard.reading import first_rows, reading_options, summary
from dashboard.app.wizard.saved_lists import choose_saved_list
from dashboard.errors import OutputError, SheetError
from dashboard.formatting import file_size, moment
from dashboard.words import _, count, plural

SHOWN_DRAFTS = 5


def show(draft: Draft | None) -> None:
    """Draw the step; without a draft, begin one."""
    if draft is None:
        _uploader(draft)
        offer_sample()
        choose_saved_list("saved-list", partial(_use_list, once(partial(drafting.use_list, draft=draft))))
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
        reading_options(draft, None)
        _uploader(draft)
        return
    summary(draft, sheet)
    reading_options(draft, sheet)
    first_rows(sheet)
    with st.expander(_("Use another sheet"), icon=":material/swap_horiz:"):
        _uploader(draft)
    lists_are_read = more_lists(draft)
    steps.foot(
        draft,
        back=None,
        onward=2,
        ready=lists_are_read,
        why_not=_("Remove the list that cannot be read, or say how to read it."),
    )


def _first_sheet(draft: Draft) -> None:
    """Ask a draft that began with a text who gets it."""
    st.info(
        _("The text, the sender and the links of “{name}” are in this draft. Now choose who gets it.").format(
            name=plain(draft.name)
        ),
        icon=":material/content_copy:",
    )
    _earlier_lists(draft)
    _uploader(draft)
    choose_saved_list("saved-list", partial(_use_list, once(partial(drafting.use_list, draft=draft))))


def _earlier_lists(draft: Draft) -> None:
    """Offer the saved lists of the campaign that is being repeated, and name those that are gone."""
    place = f"earlier-lists-{draft.id}"
    say_refusal(place)
    saved = [one for one in draft.earlier_lists if one.saved_list]
    if any(not one.leaves_out for one in saved):
        names = ", ".join(
            _("without {list}").format(list=one.name) if one.leaves_out else one.name for one in saved
        )
        st.button(
            _("Use the same lists: {names}").format(names=plain(names)),
            icon=":material/group:",
            key=place,
            **doing(place, partial(_use_earlier_lists, once(partial(drafting.use_earlier_lists, draft.id)))),
        )
    if gone := [one.name for one in draft.earlier_lists if not one.saved_list]:
        st.caption(
            plural(
                len(gone),
                "{names} was uploaded, not saved: choose it again below.",
                "{names} were uploaded, not saved: choose them again below.",
                names=plain(", ".join(gone)),
            )
        )


def _use_earlier_lists(use: Callable[[], Draft | None]) -> None:
    if draft := use():
        steps.name_in_address(draft.id, draft.step)


def _use_list(use: Callable[[str], Draft], chosen: str | None) -> None:
    if chosen is not None:
        draft = use(chosen)
        steps.name_in_address(draft.id, draft.step)


def _uploader(draft: Draft | None) -> None:
    label = _("Contact sheet") if draft is None or not draft.file_name else _("Use another sheet")
    # A new key after each upload empties the uploader, so that the file does not stay in memory.
    uploads = f"uploads-{draft.id}" if draft else "uploads"
    key = f"sheet-{uploads}-{st.session_state.get(uploads, 0)}"
    limit = runtime.current().given.upload_mb
    file = st.file_uploader(label, type=TYPES, key=key, max_upload_size=limit)
    st.caption(
        _(
            "CSV, Excel, OpenDocument, JSON, Parquet or vCard, one person per row, up to {limit} MB. "
            "Nothing is sent before the last step."
        ).format(limit=count(limit))
    )
    say_room()
    if file is None:
        return
    store = drafting.begin_draft if draft is None else partial(drafting.replace_sheet, draft)
    try:
        whole(_take)(once(partial(store, file.name, file)), uploads, key)
    except OutputError as error:
        st.error(plain(error), icon=":material/error:")
        return
    st.rerun()


def _take(store: Callable[[], Draft], uploads: str, key: str) -> None:
    """Store an upload, though a click comes meanwhile; the next one has another key."""
    stored = store()
    st.session_state[uploads] = int(key.rpartition("-")[2]) + 1
    steps.name_in_address(stored.id, stored.step)


def _open_drafts() -> None:
    drafts = runtime.current().drafts.open_ones(signed_in().name)
    if not drafts:
        return
    section(
        _("Continue a draft"),
        help=plural(
            runtime.current().given.keep_drafts_days,
            "Drafts are kept for {count} day after they were last used.",
            "Drafts are kept for {count} days after they were last used.",
        ),
    )
    for draft in drafts[:SHOWN_DRAFTS]:
        _open_draft(draft)
    if older := drafts[SHOWN_DRAFTS:]:
        with st.expander(plural(len(older), "{count} older draft", "{count} older drafts")):
            for draft in older:
                _open_draft(draft)


def say_unreadable(drafts: int) -> None:
    """Draw that so many drafts are there and cannot be read, and what to do; nothing if there are none."""
    if drafts:
        st.warning(
            plural(
                drafts,
                "{count} draft cannot be read: it is damaged, or from another version of this program. It is "
                "kept for now. Open it with that version, or start over.",
                "{count} drafts cannot be read: they are damaged, or from another version of this program. "
                "They are kept for now. Open them with that version, or start over.",
            ),
            icon=":material/draft:",
        )


def _open_draft(draft: Draft) -> None:
    start = runtime.current().starts.find(draft.id)
    with st.container(border=True):
        _about(draft)
        failure = None if start is None else start.failure
        if failure is not None and starting.put_away(draft).campaign is None:
            st.error(plain(failure), icon=":material/error:")


def _about(draft: Draft) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # Not a link: a link to the page already open leaves the address as it is, and the next click loses
        # the draft.
        st.button(
            plain(draft.name or draft.file_name),
            key=f"take-up-{draft.id}",
            type="tertiary",
            icon=":material/draft:",
            on_click=whole(steps.name_in_address),
            args=(draft.id, draft.step),
        )
        st.caption(
            _("{step} · started {time}").format(
                step=_(NAMES[draft.step - 1]), time=moment(draft.created_at, zone())
            )
        )
        st.space("stretch")
        delete = _("Delete…")
        if st.button(delete, key=f"discard-{draft.id}", type="tertiary", icon=":material/delete:"):
            st.dialog(_("Delete this draft?"), icon=":material/delete:")(_confirm_discard)(draft)


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
            drafting.discard_draft(draft)
            st.rerun()
