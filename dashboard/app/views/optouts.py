"""Opt-outs: who is never texted, with why and since when; and who was taken off the list."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.app import actions, runtime
from dashboard.app.people import Person, signed_in
from dashboard.app.pure.countries import country_name, country_names
from dashboard.app.pure.downloads import CSV, XLSX, as_csv, as_xlsx
from dashboard.app.pure.formatting import count, plural
from dashboard.app.pure.phone_lists import FoundPhones, find_phones, read_phones, search
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import empty, head, table_key
from dashboard.app.wizard.upload import TYPES
from dashboard.contacts import Limits, read_sheet
from dashboard.errors import DashboardError

SHOWN_ROWS = 500
ROWS_NAMED = 5
CURRENT, HISTORY = "On the list", "Taken off"


@st.dialog("Add opt-outs", icon=":material/do_not_disturb_on:")
def add() -> None:
    """Ask for numbers to add, typed or in a file."""
    settings = runtime.current().settings
    typed = st.text_area("Phone numbers", placeholder="+44 7911 123456", help="One a line.", height=120)
    file = st.file_uploader(
        "Or a sheet with a phone column",
        type=TYPES,
        max_upload_size=settings.upload_mb,
        help="Where a column says who unsubscribed or agreed, only those who refused are added.",
    )
    codes = list(country_names())
    country = st.selectbox(
        "Country of numbers without a country code",
        codes,
        index=codes.index(settings.country) if settings.country else None,
        format_func=lambda code: f"{country_name(code)} ({code})",
        placeholder="None: every number begins with +",
    )
    reason = st.text_input("Why", placeholder="Asked by phone on 3 March")
    if not st.button("Add", type="primary", disabled=not (typed.strip() or file)):
        return
    try:
        with st.spinner("Reading the numbers…", show_time=True):
            found = _read(file, country) if file else find_phones(typed.splitlines(), country)
        if not found.phones:
            st.error(_nothing(found), icon=":material/error:")
            return
        source = file.name if file else "Added on the page"
        new = actions.add_opt_outs(found.phones, reason=reason.strip() or "Not given", source=source)
    except DashboardError as error:
        st.error(str(error), icon=":material/error:")
        return
    st.session_state["optouts-said"] = _said(found, new, "row" if file else "line")
    st.rerun()


def _read(file: UploadedFile, country: str | None) -> FoundPhones:
    return read_phones(read_sheet(file, limits=Limits.of(runtime.current().settings)), country)


def _nothing(found: FoundPhones) -> str:
    if found.column and found.passed_over:
        return f"The column “{found.column}” says of nobody that they refused, so nobody was added."
    return "No valid phone number was found. Write them with + and the country code."


def _said(found: FoundPhones, new: int, unit: str) -> str:
    sentences = [f"{plural(len(found.phones), 'number')} on the list from now on, {count(new)} of them new."]
    if found.column:
        sentences.append(
            f"{plural(found.passed_over, 'row')} passed over, as the column “{found.column}” says so."
        )
    if found.without:
        named = ", ".join(str(row) for row in found.without[:ROWS_NAMED])
        more = "…" if len(found.without) > ROWS_NAMED else ""
        sentences.append(f"No valid number in {plural(len(found.without), unit)}: {named}{more}")
    return " ".join(sentences)


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
    history = runtime.current().ledger.opt_out_history()
    with head(
        "Opt-outs",
        "Nobody on this list is texted, whichever sheet they are in. It is checked when a sheet is checked "
        "and again when a campaign starts.",
    ):
        if person.may("sender") and st.button("Add numbers", type="primary", icon=":material/add:"):
            add()
    if said := st.session_state.pop("optouts-said", None):
        st.success(said, icon=":material/check:")
    if history.empty:
        empty("Numbers appear here once somebody opted out. Add the ones you know of, or import a list.")
        return
    removed = history["removed_at"].notna()
    shown = CURRENT
    if removed.any():
        counts = {CURRENT: int((~removed).sum()), HISTORY: int(removed.sum())}
        shown = st.segmented_control(
            "Which numbers",
            [CURRENT, HISTORY],
            default=CURRENT,
            required=True,
            format_func=lambda option: f"{option} ({count(counts[option])})",
            key="optouts-which",
            label_visibility="collapsed",
        )
    listed = history[removed if shown == HISTORY else ~removed]
    found = search(listed, _tools(listed))
    _list(found, person, past=shown == HISTORY)
    hidden = f"; the first {count(SHOWN_ROWS)} are shown" if len(found) > SHOWN_ROWS else ""
    st.caption(f"{plural(len(found), 'number')}{' found' if len(found) < len(listed) else ''}{hidden}.")


def _tools(listed: pd.DataFrame) -> str:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        wanted = st.text_input(
            "Find a number",
            placeholder="Find a number",
            key="optouts-find",
            icon=":material/search:",
            label_visibility="collapsed",
            width=320,
        )
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(f"Download all {count(len(listed))}")
            for kind, mime, write in (("xlsx", XLSX, as_xlsx), ("csv", CSV, as_csv)):
                st.download_button(
                    kind.upper(),
                    data=partial(write, listed.dropna(axis="columns", how="all")),
                    file_name=f"opt-outs.{kind}",
                    mime=mime,
                    icon=":material/download:",
                    on_click="ignore",
                )
    return (wanted or "").strip()


def _list(found: pd.DataFrame, person: Person, *, past: bool) -> None:
    found = found.head(SHOWN_ROWS)
    columns: dict[str, Any] = {
        "phone": st.column_config.TextColumn("Number", width="medium"),
        "reason": "Why",
        "source": "Where from",
        "added_at": _time("Since"),
        "removed_at": _time("Taken off"),
        "removed_by": "By",
        "removed_why": "Why it was taken off",
    }
    if past or not person.may("admin"):
        order = list(columns) if past else list(columns)[:4]
        st.dataframe(found[order], hide_index=True, column_config=columns, alt="Opt-outs with their history")
        return
    chosen = st.dataframe(
        found[list(columns)[:4]],
        hide_index=True,
        key=table_key("optouts-list", found["phone"]),
        on_select="rerun",
        selection_mode="single-row",
        column_config=columns,
        alt="Opt-outs with reason, source and date",
    )
    if chosen.selection.rows and st.button("Take it off the list…", icon=":material/undo:"):
        remove(str(found["phone"].iloc[chosen.selection.rows[0]]))


def _time(label: str) -> Any:
    zone_key = zone().key
    return st.column_config.DatetimeColumn(
        f"{label} ({zone_key})", format="D MMM YYYY, HH:mm", timezone=zone_key
    )


show(signed_in())
