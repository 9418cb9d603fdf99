"""Overview: what needs attention, how the last days went, what is being sent now."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.app import runtime
from dashboard.app.overview import attention, charts, counting, figures, live
from dashboard.app.people import signed_in
from dashboard.app.standing.period import first_day, period
from dashboard.app.widgets.page import empty, head
from dashboard.words import N_, _

DAYS = {N_("7 days"): 7, N_("30 days"): 30, N_("90 days"): 90}

person = signed_in()
campaigns = runtime.current().ledger.campaigns()
with head(_("Overview"), _("Each figure is compared with the period of the same length before it.")):
    if not campaigns.empty:
        chosen = st.segmented_control(
            _("Period"),
            list(DAYS),
            default="30 days",
            required=True,
            format_func=_,
            label_visibility="collapsed",
            key="overview-period",
            bind="query-params",
        )
if campaigns.empty:
    empty(
        _("Figures, costs and delivery times appear here once the first campaign is on its way."),
        page="views/new.py" if person.may("sender") else "",
        action=_("Start with a contact sheet"),
        icon=":material/edit_square:",
    )
    st.stop()

days, now, tz = DAYS[chosen], datetime.now(UTC), runtime.current().time_zone
counted = counting.since(first_day(2 * days, now, tz), campaigns)
shown = period(counted, days=days, now=now, zone=tz)
attention.show()
figures.show(shown)
live.show()
recent = counted[counted["handed_over_at"] >= first_day(days, now, tz)]
charts.show(campaigns, recent, days=days, now=now)
