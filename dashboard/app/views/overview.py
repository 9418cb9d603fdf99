"""Overview: what needs attention, how the last days went, what is being sent now."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.app import runtime
from dashboard.app.overview import attention, charts, figures, live
from dashboard.app.people import signed_in
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

attention.show()
figures.show(campaigns, days=DAYS[chosen], now=datetime.now(UTC))
live.show()
charts.show(campaigns, days=DAYS[chosen], now=datetime.now(UTC))
