"""Opt-outs: who is never texted, why and since when; and who was taken off the list."""

from typing import Any

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.app import actions, runtime
from dashboard.app.downloads.offering import offer
from dashboard.app.downloads.tables import as_csv, as_xlsx, worded
from dashboard.app.people import Person, signed_in
from dashboard.app.seen import Seen, rows_seen
from dashboard.app.sheets.phone_lists import search
from dashboard.app.viewer import time_column
from dashboard.app.widgets.countries import country_field
from dashboard.app.widgets.page import empty, head, search_field, table_key
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.room import say_room
from dashboard.app.wizard.lists import TYPES
from dashboard.contacts import Limits, ReadOptOuts, read_opt_outs, read_sheet
from dashboard.errors import DashboardError
from dashboard.words import N_, _, count, plural

SHOWN_ROWS = 500
ROWS_NAMED = 5
CURRENT, HISTORY = N_("On the list"), N_("Taken off")


@st.dialog(_("Add opt-outs"), icon=":material/do_not_disturb_on:")
def add() -> None:
    """Ask for numbers to add, typed or in a file."""
    settings = runtime.current().settings
    typed = st.text_area(
        _("Phone numbers"), placeholder="+44 7911 123456", help=_("One per line."), height=120
    )
    file = st.file_uploader(
        _("Or a sheet with a phone column"),
        type=TYPES,
        max_upload_size=settings.upload_mb,
        help=_("If a column says who unsubscribed or agreed, only those who refused are added."),
    )
    say_room()
    country = country_field(
        _("Country of numbers without a country code"),
        settings.country,
        placeholder=_("None: every number begins with +"),
    )
    reason = st.text_input(_("Why"), placeholder=_("Asked by phone on 3 March"))
    if not st.button(_("Add"), type="primary", disabled=not (typed.strip() or file)):
        return
    try:
        with st.spinner(_("Reading the numbers…"), show_time=True):
            found = (
                _read(file, country)
                if file
                else read_opt_outs(typed.splitlines(), country, trusts_e164=False)
            )
        if not found.phones:
            st.error(plain(_nothing(found)), icon=":material/error:")
            return
        source = file.name if file else _("Added on the page")
        new = actions.add_opt_outs(found.phones, reason=reason.strip() or _("Not given"), source=source)
    except DashboardError as error:
        st.error(plain(error), icon=":material/error:")
        return
    st.session_state["optouts-said"] = _said(found, new, from_file=file is not None)
    st.rerun()


def _read(file: UploadedFile, country: str | None) -> ReadOptOuts:
    wired = runtime.current()
    with wired.turns.turn():
        return read_opt_outs(read_sheet(file, limits=Limits.of(wired.settings)), country)


def _nothing(found: ReadOptOuts) -> str:
    if found.columns and found.passed_over:
        return _("Nobody was added: according to the sheet, nobody refused ({columns}).").format(
            columns=", ".join(found.columns)
        )
    return _("No valid phone number was found. Write them with + and the country code.")


def _said(found: ReadOptOuts, new: int, *, from_file: bool) -> str:
    sentences = [
        plural(
            len(found.phones),
            "{count} number is now on the list ({new} new).",
            "{count} numbers are now on the list ({new} new).",
            new=count(new),
        )
    ]
    if found.columns:
        sentences.append(
            plural(
                found.passed_over,
                "{count} row skipped: the sheet does not say that this person refused ({columns}).",
                "{count} rows skipped: the sheet does not say that these people refused ({columns}).",
                columns=", ".join(found.columns),
            )
        )
    if found.unread:
        named = ", ".join(str(row) for row in found.unread[:ROWS_NAMED])
        more = "…" if len(found.unread) > ROWS_NAMED else ""
        where = (
            plural(len(found.unread), "{count} row", "{count} rows")
            if from_file
            else plural(len(found.unread), "{count} line", "{count} lines")
        )
        sentences.append(_("No valid number in {where}: {rows}").format(where=where, rows=named + more))
    return " ".join(sentences)


@st.dialog(_("Take a number off the list"), icon=":material/undo:")
def remove(phone: str) -> None:
    """Ask why before a number can be texted again."""
    st.write(
        _(
            "The next campaign can text **{phone}** again. This is recorded with your name and the reason."
        ).format(phone=phone)
    )
    reason = st.text_input(_("Why"), placeholder=_("Opted in again on the website on 3 March"))
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Keep it on the list")):
            st.rerun()
        if st.button(_("Take it off"), type="primary", disabled=not reason.strip()):
            try:
                actions.remove_opt_out(phone, reason=reason.strip())
            except DashboardError as error:
                st.error(plain(error), icon=":material/error:")
                return
            st.session_state["optouts-said"] = _("The number can be texted again.")
            st.rerun()


def show(person: Person) -> None:
    """Draw the page."""
    history = runtime.current().ledger.opt_out_history()
    with head(
        _("Opt-outs"),
        _(
            "Nobody on this list is texted, whichever sheet they are in. The list is applied when a "
            "sheet is checked and again when a campaign starts."
        ),
    ):
        if person.may("sender") and st.button(_("Add numbers"), type="primary", icon=":material/add:"):
            add()
    if said := st.session_state.pop("optouts-said", None):
        st.success(plain(said), icon=":material/check:")
    if history.empty:
        empty(_("Numbers appear here once somebody opts out. Add the ones you know of, or import a list."))
        return
    removed = history["removed_at"].notna()
    shown = CURRENT
    if removed.any():
        counts = {CURRENT: int((~removed).sum()), HISTORY: int(removed.sum())}
        shown = st.segmented_control(
            _("Which numbers"),
            [CURRENT, HISTORY],
            default=CURRENT,
            required=True,
            format_func=lambda option: f"{_(option)} ({count(counts[option])})",
            key="optouts-which",
            label_visibility="collapsed",
        )
    listed = history[removed if shown == HISTORY else ~removed]
    seen = rows_seen()
    found = search(listed, _tools(listed, seen), whole=not person.sees_numbers)
    _list(seen(found), person, past=shown == HISTORY)
    st.caption(_how_many(len(found), len(listed)))


def _how_many(found: int, listed: int) -> str:
    said = (
        plural(found, "{count} number found", "{count} numbers found")
        if found < listed
        else plural(found, "{count} number", "{count} numbers")
    )
    if found <= SHOWN_ROWS:
        return f"{said}."
    return _("{numbers}; the first {shown} are shown.").format(numbers=said, shown=count(SHOWN_ROWS))


def _tools(listed: pd.DataFrame, seen: Seen) -> str:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        wanted = search_field(_("Find a number"), "optouts-find", width=320)
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            if signed_in().may_export:
                st.caption(_("Download all {number}").format(number=count(len(listed))))
            filled, tz = listed.dropna(axis="columns", how="all"), runtime.current().time_zone.key
            offer(
                "",
                _("Opt-outs"),
                lambda: as_xlsx(worded(seen(filled), _titles(), tz), _("Opt-outs")),
                lambda: as_csv(seen(filled)),
                key="opt-outs",
            )
    return wanted.strip()


def _list(found: pd.DataFrame, person: Person, *, past: bool) -> None:
    found = found.head(SHOWN_ROWS)
    columns: dict[str, Any] = {
        **_titles(),
        "phone": st.column_config.TextColumn(_("Number"), width="medium"),
        "added_at": time_column(_("Since"), _("D MMM YYYY, HH:mm")),
        "removed_at": time_column(_("Taken off"), _("D MMM YYYY, HH:mm")),
    }
    if past or not person.may("admin"):
        order = list(columns) if past else list(columns)[:4]
        st.dataframe(
            found[order], hide_index=True, column_config=columns, alt=_("Opt-outs with their history")
        )
        return
    chosen = st.dataframe(
        found[list(columns)[:4]],
        hide_index=True,
        key=table_key("optouts-list", found["phone"]),
        on_select="rerun",
        selection_mode="single-row",
        column_config=columns,
        alt=_("Opt-outs with reason, source and date"),
    )
    if chosen.selection.rows and st.button(_("Take it off the list…"), icon=":material/undo:"):
        remove(str(found["phone"].iloc[chosen.selection.rows[0]]))


def _titles() -> dict[str, str]:
    return {
        "phone": _("Number"),
        "reason": _("Why"),
        "source": _("Source"),
        "added_at": _("Since"),
        "removed_at": _("Taken off"),
        "removed_by": _("By"),
        "removed_why": _("Why it was taken off"),
    }


show(signed_in())
