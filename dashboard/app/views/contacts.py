"""Contacts: sheets that were checked and saved, to be used again."""

from pathlib import Path

import pandas as pd
import streamlit as st

from dashboard.app import actions, drafting, runtime
from dashboard.app.downloads.file_names import file_name
from dashboard.app.drafts import address
from dashboard.app.people import Person, signed_in
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import empty, head, table_key
from dashboard.app.widgets.plain import plain
from dashboard.words import N_, _, plural

COUNTS = {
    "rows": N_("Rows"),
    "ok": N_("Ready"),
    "review": N_("To look at"),
    "invalid": N_("To fix"),
    "duplicate": N_("Duplicates"),
    "opted_out": N_("Opted out"),
    "empty": N_("No number"),
}


@st.dialog(_("Delete this list?"), icon=":material/delete:")
def delete(list_id: str, name: str) -> None:
    """Ask before a list is deleted with its sheet."""
    st.write(
        _(
            "**{name}** and its sheet will be deleted for everyone. Campaigns made from it are not affected."
        ).format(name=plain(name))
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Keep it")):
            st.rerun()
        if st.button(_("Delete it"), type="primary", key="confirm-delete-list"):
            drafting.delete_list(list_id)
            st.session_state["contacts-said"] = _("The list was deleted.")
            st.rerun()


def show(person: Person) -> None:
    """Draw the page."""
    lists = runtime.current().ledger.lists.all()
    with head(
        _("Contacts"), _("Sheets that were checked and saved. A list is checked again each time it is used.")
    ):
        if person.may("sender") and st.button(_("Upload a sheet"), type="primary", icon=":material/upload:"):
            st.switch_page("views/new.py")
    if said := st.session_state.pop("contacts-said", None):
        st.toast(said, icon=":material/check:")
    if lists.empty:
        empty(
            _(
                "Lists appear here once you save one: upload a sheet, check its rows and choose “Save the "
                "list”."
            ),
            page="views/new.py",
            action=_("Upload a sheet"),
            icon=":material/upload:",
        )
        return
    st.caption(  # above the table, whose toolbar would cover the button
        plural(len(lists), "{count} list. Choose one to use it.", "{count} lists. Choose one to use it.")
    )
    chosen = _table(lists)
    if chosen is not None:
        _steps(person, chosen)


def _table(lists: pd.DataFrame) -> pd.Series | None:
    event = st.dataframe(
        lists[["name", *COUNTS, "saved_at", "saved_by", "source"]],
        hide_index=True,
        key=table_key("contacts-lists", lists["list"]),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "name": st.column_config.TextColumn(_("List"), width="medium"),
            "source": _("File"),
            **{
                name: st.column_config.NumberColumn(_(label), format="localized")
                for name, label in COUNTS.items()
            },
            "saved_at": st.column_config.DatetimeColumn(
                _("Saved ({zone})").format(zone=zone().key),
                format=_("D MMM YYYY, HH:mm"),
                timezone=zone().key,
            ),
            "saved_by": _("By"),
        },
        alt=_("Saved lists, with their rows by verdict on the day they were saved"),
    )
    return lists.iloc[event.selection.rows[0]] if event.selection.rows else None


def _sheet_name(chosen: pd.Series) -> str:
    """What the sheet is called: it is as of the day on which it was saved, not of today."""
    saved_on = chosen["saved_at"].tz_convert(runtime.current().time_zone).date()
    ending = Path(str(chosen["source"])).suffix.lstrip(".") or "csv"
    return file_name(str(chosen["name"]), _("contacts"), saved_on, ending)


def _steps(person: Person, chosen: pd.Series) -> None:
    list_id = str(chosen["list"])
    with st.container(horizontal=True):
        if person.may("sender") and st.button(
            _("New campaign with it"), type="primary", icon=":material/edit_square:"
        ):
            draft = drafting.use_list(list_id)
            st.switch_page("views/new.py", query_params=address(draft.id, draft.step))
        if person.sees_numbers:  # a file of any kind, in which nothing can be masked
            _download(list_id, chosen)
        if person.may("sender") and st.button(_("Delete…"), icon=":material/delete:"):
            delete(list_id, str(chosen["name"]))


def _download(list_id: str, chosen: pd.Series) -> None:
    st.download_button(
        _("Download the sheet"),
        data=actions.handed_out(
            lambda: b"".join(runtime.current().ledger.lists.content(list_id)), list_id, "list"
        ),
        file_name=_sheet_name(chosen),
        icon=":material/download:",
        on_click="ignore",
    )


show(signed_in())
