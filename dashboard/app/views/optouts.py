"""Opt-outs: who is never texted, with why and since when."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import Person, signed_in
from dashboard.app.pure.downloads import XLSX, as_xlsx
from dashboard.app.pure.formatting import count, plural
from dashboard.app.pure.phone_lists import find_phones, read_phones, search
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import empty, head
from dashboard.errors import DashboardError

SHOWN_ROWS = 500


@st.dialog("Add opt-outs", icon=":material/do_not_disturb_on:")
def add() -> None:
    """Ask for numbers to add, typed or in a file."""
    typed = st.text_area("Phone numbers", placeholder="+44 7911 123456", help="One a line.", height=120)
    file = st.file_uploader("Or a sheet with a phone column", type=["csv", "xlsx", "xls", "ods", "txt"])
    reason = st.text_input("Why", placeholder="Asked by phone on 3 March")
    country = runtime.current().settings.country
    if not st.button("Add", type="primary", disabled=not (typed.strip() or file)):
        return
    try:
        found = read_phones(file.getvalue(), country) if file else find_phones(typed.splitlines(), country)
        if not found.phones:
            st.error("No valid phone number was found. Write them with + and the country code.")
            return
        actions.add_opt_outs(found.phones, reason=reason.strip() or "Not given", source="Added on the page")
    except DashboardError as error:
        st.error(str(error), icon=":material/error:")
        return
    not_numbers = f" {plural(found.unreadable, 'line')} held no valid number." if found.unreadable else ""
    st.session_state["optouts-said"] = (
        f"{plural(len(found.phones), 'number')} on the list from now on.{not_numbers}"
    )
    st.rerun()


@st.dialog("Take a number off the list", icon=":material/undo:")
def remove(phone: str) -> None:
    """Ask why before a number can be texted again."""
    st.write(
        f"**{phone}** can be texted again by the next campaign. This is kept with your name and the reason."
    )
    reason = st.text_input("Why", placeholder="Opted in again on the website on 3 March")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Keep it on the list"):
            st.rerun()
        if st.button("Take it off", type="primary", disabled=not reason.strip()):
            try:
                actions.remove_opt_out(phone, reason=reason.strip())
            except DashboardError as error:
                st.error(str(error), icon=":material/error:")
                return
            st.session_state["optouts-said"] = "The number can be texted again."
            st.rerun()


def show(person: Person) -> None:
    """Draw the page."""
    listed = runtime.current().ledger.opt_outs()
    with head(
        "Opt-outs",
        "Nobody on this list is texted, whichever sheet they are in. It is checked when a sheet is checked "
        "and again when a campaign starts.",
    ):
        if person.may("sender") and st.button("Add numbers", type="primary", icon=":material/add:"):
            add()
    if said := st.session_state.pop("optouts-said", None):
        st.toast(said, icon=":material/check:")
    if listed.empty:
        empty("Numbers appear here once somebody opted out. Add the ones you know of, or import a list.")
        return
    wanted = _tools(len(listed))
    found = search(listed, wanted)
    _list(found, person)
    st.caption(f"{plural(len(found), 'number')}{' found' if wanted else ''}.")


def _tools(total: int) -> str:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        wanted = st.text_input(
            "Find a number",
            placeholder="Find a number",
            key="optouts-find",
            icon=":material/search:",
            label_visibility="collapsed",
            width=320,
        )
        st.download_button(
            f"Download all {count(total)}",
            data=lambda: as_xlsx(runtime.current().ledger.opt_outs()),
            file_name="opt-outs.xlsx",
            mime=XLSX,
            icon=":material/download:",
            on_click="ignore",
        )
    return (wanted or "").strip()


def _list(found: pd.DataFrame, person: Person) -> None:
    columns: dict[str, Any] = {
        "phone": st.column_config.TextColumn("Number", width="medium"),
        "reason": "Why",
        "source": "Where from",
        "added_at": st.column_config.DatetimeColumn(
            f"Since ({zone().key})", format="D MMM YYYY, HH:mm", timezone=zone().key
        ),
    }
    name = "Opt-outs with reason, source and date"
    if not person.may("admin"):
        st.dataframe(found.head(SHOWN_ROWS), hide_index=True, column_config=columns, alt=name)
        return
    chosen = st.dataframe(
        found.head(SHOWN_ROWS),
        hide_index=True,
        key="optouts-list",
        on_select="rerun",
        selection_mode="single-row",
        column_config=columns,
        alt=name,
    )
    if chosen.selection.rows and st.button("Take it off the list…", icon=":material/undo:"):
        remove(str(found["phone"].iloc[chosen.selection.rows[0]]))


show(signed_in())
