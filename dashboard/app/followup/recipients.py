"""The people of a campaign and what became of each one's message, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.people import signed_in
from dashboard.app.seen import Seen, rows_seen
from dashboard.app.standing.names import names_of
from dashboard.app.standing.number_search import numbers_wanted
from dashboard.app.standing.person import NUMBER
from dashboard.app.standing.recipient_table import recipient_table
from dashboard.app.viewer import time_column, zone
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.page import search_field, section, table_key
from dashboard.formatting import moment
from dashboard.ledger import Campaign
from dashboard.reports.measures.stages import stage_words
from dashboard.words import _, count

PAGE_ROWS = 500
FIRST_PAGE = (0,)
"""After which place in the campaign each page begins, up to the current one."""

_ASKED = "person-asked-about"


def stage_key(campaign_id: str) -> str:
    """The key of the chosen stages, also in the address, in the page's words; never a phone number."""
    return f"recipients-stage-{campaign_id}"


def show(campaign: Campaign, stages: Sequence[str]) -> None:
    """Draw the table with its filter; `stages` are those that have any messages."""
    section(_("Recipients"))
    if campaign.forgotten_at:
        st.caption(
            _("Numbers and texts were deleted {time}. What became of each message stays.").format(
                time=moment(campaign.forgotten_at, zone())
            )
        )
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        wanted = ""
        if not campaign.forgotten_at:
            find = f"recipients-find-{campaign.campaign}"
            wanted = search_field(_("Find a number"), find, width=220)
        chosen = st.pills(
            _("Status"),
            stages,
            selection_mode="multi",
            format_func=stage_words,
            key=stage_key(campaign.campaign),
            label_visibility="collapsed",
            bind="query-params",
        )
    before, asked = f"recipients-before-{campaign.campaign}", (wanted, *chosen)
    found = partial(
        runtime.current().shown.recipients,
        campaign.campaign,
        stages=chosen,
        numbers=numbers_wanted(wanted, whole=not signed_in().sees_numbers),
        limit=PAGE_ROWS + 1,
    )
    of, begun = st.session_state.get(before, (asked, FIRST_PAGE))
    if of != asked:  # with other filters it is another table
        begun = FIRST_PAGE
    page = found(after=begun[-1])
    while page.empty and begun != FIRST_PAGE:  # whom it showed have another status now
        begun = begun[:-1]
        page = found(after=begun[-1])
    st.session_state[before] = asked, begun
    if page.empty:
        st.caption(_("No recipient matches. Clear the number or the status above."))
        if wanted and not signed_in().sees_numbers:
            st.caption(_("As numbers are masked for you, only a whole number is found, not a part of one."))
        return
    _table(campaign, page.head(PAGE_ROWS), rows_seen())
    _turn(page, before, asked, begun)
    if st.session_state.pop(_ASKED, False):
        st.switch_page("views/person.py")


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _names(campaign_id: str, rows: tuple[int, ...]) -> pd.Series:
    """What the people of these rows are called, kept for the session: a campaign's sheet never changes."""
    return names_of(runtime.current().shown.sheet_rows(campaign_id, rows=rows))


def _table(campaign: Campaign, page: pd.DataFrame, seen: Seen) -> None:
    rows = tuple(page["row"].dropna().astype("int64"))
    called = None if campaign.forgotten_at else _names(campaign.campaign, rows)
    chosen = st.dataframe(
        seen(recipient_table(page, now=datetime.now(UTC), called=called)),
        hide_index=True,
        key=table_key(f"recipients-{campaign.campaign}", page["place"]),
        on_select="rerun",
        selection_mode="single-row",
        height=min(36 * (len(page) + 1) + 3, 420),
        column_config={
            _("Row"): st.column_config.NumberColumn(width="small", help=_("Row of the contact sheet")),
            _("Number"): st.column_config.TextColumn(pinned=True),
            _("Message"): st.column_config.TextColumn(width="large"),
            **{name: time_column(name, _("D MMM, HH:mm:ss")) for name in (_("Sent"), _("Delivered"))},
        },
        placeholder="",
        alt=_("Recipients with the status of each message"),
    )
    picked = chosen.selection.rows
    if picked and not campaign.forgotten_at and signed_in().sees_numbers:
        st.button(
            _("All messages to this person"),
            icon=":material/person_search:",
            on_click=whole(_ask_about),
            args=(str(page["to"].iloc[picked[0]]),),
        )


def _ask_about(number: str) -> None:
    st.session_state[NUMBER] = number
    st.session_state[_ASKED] = True


def _turn(page: pd.DataFrame, before: str, asked: tuple[str, ...], begun: tuple[int, ...]) -> None:
    """Draw the buttons for the rows before and after these, if there are any."""
    shown, more = page.head(PAGE_ROWS), len(page) > PAGE_ROWS
    if begun == FIRST_PAGE and not more:
        return
    first, last = (int(shown["place"].iloc[end]) for end in (0, -1))
    with st.container(horizontal=True, vertical_alignment="center"):
        # Each button is told where it leads: a second click while the page is busy leads there too.
        back, onward = (before, asked, begun[:-1]), (before, asked, (*begun, last))
        st.button(
            _("Back"),
            icon=":material/chevron_left:",
            disabled=begun == FIRST_PAGE,
            on_click=whole(_to),
            args=back,
            key=f"back-{before}",
        )
        st.button(
            _("Next"),
            icon=":material/chevron_right:",
            disabled=not more,
            on_click=whole(_to),
            args=onward,
            key=f"next-{before}",
        )
        st.caption(
            _("Messages {first} to {last} in the order of sending").format(
                first=count(first), last=count(last)
            )
        )


def _to(before: str, asked: tuple[str, ...], begun: tuple[int, ...]) -> None:
    st.session_state[before] = asked, begun
