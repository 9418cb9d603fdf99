"""Further lists in step 1: of people to text as well, and of people to leave out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.draft_sheets import lists_of, names_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.widgets.kept import once, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.app.widgets.room import say_room
from dashboard.app.wizard.reading import reading_options
from dashboard.app.wizard.saved_lists import choose_saved_list
from dashboard.errors import OutputError, SheetError
from dashboard.words import N_, _, plural

TYPES = [
    *("csv", "tsv", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods"),
    *("json", "jsonl", "ndjson", "parquet", "vcf"),
]
KINDS = {False: N_("Text them too"), True: N_("Leave them out")}


def more_lists(draft: Draft) -> bool:
    """Draw the further lists, and the choice of another; returns whether all of them can be read."""
    section(_("More lists"))
    st.caption(
        _(
            "All lists are checked together: nobody gets two texts, and whoever refused in one of them "
            "gets none."
        )
    )
    say_refusal(_place(draft))
    lists = runtime.current().drafts.lists(draft)
    texted = lists_of(draft)
    names = dict(zip([one.id for one in texted], names_of(texted), strict=True))
    read = [_one(draft, one, names.get(one.id) or names_of([one])[0]) for one in lists]
    for lost in runtime.current().drafts.lost_lists(draft):
        read.append(False)
        st.error(
            _("A list of this draft can no longer be read. Remove it, and add it again."),
            icon=":material/error:",
        )
        _remove(draft, lost)
    with st.expander(_("Add a list"), icon=":material/playlist_add:", key=f"more-lists-{draft.id}"):
        _add(draft)
    return all(read)


def _place(draft: Draft) -> str:
    return f"lists-{draft.id}"


def _one(draft: Draft, one: Draft, name: str) -> bool:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            icon = ":material/person_off:" if one.leaves_out else ":material/group_add:"
            st.markdown(f"{icon} **{plain(name)}**")
            sheet, problem = None, ""
            try:
                sheet = sheet_of(one)
            except SheetError as error:
                problem = str(error)
            if sheet is not None:
                rows = plural(len(sheet.frame), "{count} row", "{count} rows")
                st.caption(
                    _("{rows} to leave out").format(rows=rows)
                    if one.leaves_out
                    else _("{rows} to text").format(rows=rows)
                )
            st.space("stretch")
            _remove(draft, one.id)
        if problem:
            st.error(plain(problem), icon=":material/error:")
        for note in sheet.notes if sheet is not None else ():
            st.caption(f":material/info: {plain(note)}")
        reading_options(one, sheet)
    return sheet is not None


def _remove(draft: Draft, list_id: str) -> None:
    st.button(
        _("Remove"),
        key=f"remove-{list_id}",
        type="tertiary",
        icon=":material/close:",
        on_click=whole(drafting.remove_list),
        args=(draft.id, list_id),
    )


def _add(draft: Draft) -> None:
    """Ask what the list is for, and which list it is."""
    leaves_out = st.segmented_control(
        _("What for"),
        list(KINDS),
        default=False,
        required=True,
        format_func=lambda kind: _(KINDS[kind]),
        key=f"list-kind-{draft.id}",
    )
    # A new key after each upload empties the uploader, so that the file does not stay in memory.
    counter = f"list-uploads-{draft.id}"
    key = f"list-{draft.id}-{st.session_state.get(counter, 0)}"
    limit = runtime.current().given.upload_mb
    file = st.file_uploader(_("A sheet"), type=TYPES, key=key, max_upload_size=limit)
    say_room()
    if file is not None:
        add = partial(drafting.add_list, draft.id, file.name, file, leaves_out=bool(leaves_out))
        try:
            whole(_take)(once(add), counter, key)
        except OutputError as error:
            st.error(plain(error), icon=":material/error:")
        else:
            st.rerun()
    key = f"saved-list-{draft.id}"
    add_saved = once(partial(drafting.add_saved_list, draft.id, leaves_out=bool(leaves_out)))
    choose_saved_list(key, partial(_add_saved, draft, key, add_saved))


def _take(add: Callable[[], None], counter: str, key: str) -> None:
    """Store an upload, though a click comes meanwhile; the next one has another key."""
    add()
    st.session_state[counter] = int(key.rpartition("-")[2]) + 1


def _add_saved(draft: Draft, key: str, add: Callable[[str], None], chosen: str | None) -> None:
    if chosen is None:
        return
    pressed = doing(_place(draft), partial(add, chosen))
    pressed["on_click"](*pressed["args"])
    st.session_state[key] = None
