"""A calendar of what goes out by itself: today and the next six days."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.standing.coming import Coming, Day, calendar, ends
from dashboard.app.standing.costs import estimate_words
from dashboard.app.standing.stages import CAMPAIGN_STATES
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.formatting import hours
from dashboard.words import _, count, day_of_week, plural

SHOWN = 4


def show(campaigns: pd.DataFrame) -> None:
    """Draw the days with their campaigns, times, messages and costs; draw nothing if nothing is coming."""
    now, here = datetime.now(UTC), zone()
    days = calendar(runtime.current().shown.coming(until=ends(now, here)), campaigns, now=now, zone=here)
    if not days:
        return
    with st.container(border=True, key="coming", gap="xsmall"):
        section(_("Next seven days"))
        st.caption(_("Times are in {zone}.").format(zone=here.key))
        with st.container(key="days", gap=None):
            for day in days:
                _day(day, today=days[0].date)


def _day(day: Day, *, today: date) -> None:
    kind = "busy" if day.coming else "free"
    with st.container(key=f"{kind}-day-{day.date.isoformat()}", gap="xsmall"):
        st.subheader(_name(day.date, today), anchor=False)
        for one in day.coming[:SHOWN]:
            _row(one, day.date)
        if more := day.coming[SHOWN:]:
            st.page_link(
                "views/campaigns.py",
                label=_("{number} more under Campaigns").format(number=count(len(more))),
                query_params={"campaigns-state": sorted({_label(one) for one in more})},
            )


def _name(day: date, today: date) -> str:
    if day == today:
        return _("Today")
    return _("Tomorrow") if day == today + timedelta(days=1) else day_of_week(day)


def _label(one: Coming) -> str:
    return _(CAMPAIGN_STATES[one.campaign.state].label)


def _row(one: Coming, day: date) -> None:
    own = one.campaign.campaign
    with st.container(key=f"linked-{own}-{day.isoformat()}", gap=None):
        st.page_link("views/campaign.py", label=plain(one.campaign.name), query_params={"id": own})
        said = [
            hours(one.first, one.last, zone()),
            plural(one.messages, "{count} message", "{count} messages"),
        ]
        if one.is_all:
            said.append(plain(estimate_words(one.campaign)))
        st.caption(" · ".join(said))
