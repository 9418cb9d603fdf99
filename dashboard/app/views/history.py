"""History: who did what and when, for administrators."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, TypedDict

import streamlit as st

from dashboard.app import runtime
from dashboard.app.downloads.offering import offer
from dashboard.app.downloads.tables import MOST_XLSX_ROWS, as_csv, as_xlsx, worded
from dashboard.app.people import signed_in
from dashboard.app.phrasing.done import doer, done, told_about
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import table
from dashboard.app.widgets.page import empty, head
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.refusal import stop_without_role
from dashboard.ledger.audit.verbs import VERBS
from dashboard.words import _, count, day_and_time, day_format, plural

PAGE = 25


class Chosen(TypedDict):
    """Which rows are shown; None for all. The days are those of the clock on the page."""

    who: str | None
    what: str | None
    since: datetime | None
    until: datetime | None


def show() -> None:
    """Draw the choice of rows, and the newest of them."""
    chosen = _chosen()
    found = runtime.current().ledger.audit.count(**chosen)
    if not found:
        empty(_("Nobody did anything of this kind. Choose another person, another kind or other days."))
        return
    page = page_of(found, PAGE, "history-page", *chosen.values())
    rows = runtime.current().ledger.audit.entries(**chosen, limit=page.size, skip=page.first)
    names, here = _names(), zone()
    with st.container(key="history"):
        table(
            (_("When ({zone})").format(zone=here.key), _("Who"), _("What"), _("About")),
            [
                (
                    day_and_time(at.astimezone(here)),
                    doer(who),
                    done(what),
                    told_about(about, details, names),
                )
                for at, who, what, about, details in zip(
                    *(rows[name] for name in ("at", "who", "what", "about", "details")), strict=True
                )
            ],
            name=_("Who did what"),
        )
    page.foot(plural(found, "{count} entry, the newest first", "{count} entries, the newest first"))
    _download(chosen, found)


def _chosen() -> Chosen:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = st.selectbox(
            _("Person"),
            runtime.current().ledger.audit.people(),
            index=None,
            placeholder=_("Everybody"),
            format_func=doer,
            key="history-who",
            width=260,
        )
        what = st.selectbox(
            _("What"),
            VERBS,
            index=None,
            placeholder=_("Everything"),
            format_func=done,
            key="history-what",
            width=260,
        )
        days = st.date_input(
            _("Days"),
            value=[],
            key="history-days",
            width=260,
            format=day_format(),
            help=_("Choose the first and the last day."),
        )
    since, until = _bounds(days)
    return Chosen(who=who, what=what, since=since, until=until)


def _bounds(days: Any) -> tuple[datetime | None, datetime | None]:
    """From the first moment of the first day until the first after the last; one day alone is a whole one."""
    if not days:
        return None, None
    return _begins(days[0]), _begins(days[-1] + timedelta(days=1))


def _begins(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone())


def _names() -> dict[str, str]:
    """What campaigns and saved lists are called, by their ids."""
    ledger = runtime.current().ledger
    campaigns, lists = ledger.campaigns(), ledger.lists.all()
    return dict(zip(campaigns["campaign"], campaigns["name"], strict=True)) | dict(
        zip(lists["list"], lists["name"], strict=True)
    )


def _download(chosen: Chosen, found: int) -> None:
    audit, tz = runtime.current().ledger.audit, runtime.current().time_zone.key
    titles = {
        "number": _("Number"),
        "at": _("When ({zone})").format(zone=tz),
        "who": _("Who"),
        "what": _("What"),
        "about": _("About"),
        "details": _("Details"),
        "hash": _("Hash"),
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_("Download all {number}").format(number=count(found)))
        offer(
            "",
            _("History"),
            (lambda: as_xlsx(worded(audit.entries(**chosen), titles, tz), _("History")))
            if found <= MOST_XLSX_ROWS
            else None,
            lambda: as_csv(audit.entries(**chosen)),
            key="audit",
        )


person = signed_in()
head(_("History"), _("Who did what and when. Entries are only ever added."))
stop_without_role(person, "admin")
show()
