"""Overview: what needs attention, what is coming, how the last days went, what is being sent now."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.app import runtime
from dashboard.app.overview import attention, charts, coming, figures, live, open_drafts
from dashboard.app.overview.following import follow
from dashboard.app.people import signed_in
from dashboard.app.standing.period import first_day, period
from dashboard.app.widgets.page import empty, head
from dashboard.app.widgets.sample import offer_sample
from dashboard.app.widgets.sample_history import offer_sample_history
from dashboard.words import N_, _

DAYS = {N_("7 days"): 7, N_("30 days"): 30, N_("90 days"): 90}
TOLD_APART = ("campaign", "currency", "price_per_credit", "handed_over_at", "state", "stage", "cause")

person, ledger = signed_in(), runtime.current().shown
campaigns = ledger.campaigns()
drafts = runtime.current().drafts.open_ones(person.name) if person.may("sender") else []
compared = _("Each figure is compared with the period of the same length before it.")
with head(_("Overview"), "" if campaigns.empty else compared):
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
    if person.may("sender"):
        with st.container(key="begin", width="content"):
            st.page_link("views/new.py", label=_("New campaign"), icon=":material/edit_square:")
if campaigns.empty:
    if drafts:
        open_drafts.show(drafts)
    with empty(_("Figures, costs and delivery times appear here once the first campaign is on its way.")):
        offer_sample()
        offer_sample_history()
    st.stop()

days, now, tz = DAYS[chosen], datetime.now(UTC), runtime.current().time_zone
counted = ledger.counts(since=first_day(2 * days, now, tz), keys=TOLD_APART)
shown = period(counted, days=days, now=now, zone=tz)
follow(attention.show, campaigns)
follow(coming.show, campaigns)
if drafts:
    open_drafts.show(drafts)
figures.show(shown)
follow(live.show, campaigns)
recent = counted[counted["handed_over_at"] >= first_day(days, now, tz)]
charts.show(campaigns, recent, days=days, now=now)
