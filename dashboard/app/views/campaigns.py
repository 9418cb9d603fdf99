"""All campaigns: find one, see each one's status and cost."""

import streamlit as st

from dashboard.app import runtime
from dashboard.app.people import signed_in
from dashboard.app.standing.campaign_search import find_campaigns
from dashboard.app.standing.stages import CAMPAIGN_STATES
from dashboard.app.widgets.campaign_rows import campaign_rows
from dashboard.app.widgets.comparing import comparing
from dashboard.app.widgets.page import empty, head, search_field
from dashboard.app.widgets.paging import page_of
from dashboard.ledger import Campaign
from dashboard.words import _, plural

PAGE = 10

person = signed_in()
campaigns = runtime.current().shown.campaigns()
with head(_("Campaigns"), _("Every campaign, with its status and cost.")):
    if person.may("sender") and st.button(_("New campaign"), type="primary", icon=":material/edit_square:"):
        st.switch_page("views/new.py")

if campaigns.empty:
    empty(
        _("Campaigns appear here once you send one. Start with a contact sheet."),
        page="views/new.py",
        action=_("New campaign"),
        icon=":material/edit_square:",
    )
    st.stop()

with st.container(horizontal=True, vertical_alignment="center"):
    wanted = search_field(_("Find a campaign"), "campaigns-find", width=300, bind="query-params")
    states = st.pills(
        _("Status"),
        [state for state in CAMPAIGN_STATES if (campaigns["state"] == state).any()],
        selection_mode="multi",
        format_func=lambda state: _(CAMPAIGN_STATES[state].label),
        key="campaigns-state",
        label_visibility="collapsed",
        bind="query-params",
    )
    comparing(campaigns)
found = find_campaigns(campaigns, wanted, states)
if found.empty:
    empty(_("No campaign matches. Clear the search or the status above."))
    st.stop()
page = page_of(len(found), PAGE, "campaigns-page", wanted, *states)
campaign_rows(Campaign.of_rows(found.iloc[page.rows]))
page.foot(plural(len(found), "{count} campaign", "{count} campaigns"))
