"""One campaign, named by `?id=`."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.app import runtime
from dashboard.app.followup import audience, decided, files, head, outcome, recipients, text, unknown
from dashboard.app.people import signed_in
from dashboard.app.standing.stages import CAMPAIGN_STATES
from dashboard.app.widgets.page import empty, one_of
from dashboard.errors import UnknownCampaignError
from dashboard.reports.measures.stages import start_of_quarter
from dashboard.words import _

LOOK_AGAIN_S = 3.0
MESSAGES_PER_S = 10_000  # adding up about fifty times as many takes a second

signed_in()
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.page_link("views/campaigns.py", label=_("All campaigns"), icon=":material/arrow_back:")
    downloads = st.container(width="content")
ledger = runtime.current().shown
try:
    campaign = ledger.campaign(st.query_params.get("id", ""))
except UnknownCampaignError:
    st.title(_("Campaign not found"), anchor=False)
    empty(_("The address may be old or cut off."), page="views/campaigns.py", action=_("All campaigns"))
    st.stop()


def details() -> None:
    """Draw what became of the messages, as of now."""
    now = ledger.campaign(campaign.campaign)
    with st.spinner(_("Adding up the messages …")):
        found = outcome.outcome(now, start_of_quarter(datetime.now(UTC)))
    cards, people = st.container(), st.container()
    with cards:
        outcome.show(now, found)
        decided.show(now)
    with people:
        recipients.show(now, found.stages)


top = one_of(CAMPAIGN_STATES, campaign.state)
some = one_of((True, False), bool(campaign.unknown))
words, below = st.container(), one_of(CAMPAIGN_STATES, campaign.state)
with downloads:
    files.show(campaign)
with top:
    head.show(campaign.campaign)
with some:  # not in the part that refreshes every few seconds: clicks and typing would be lost
    unknown.show(campaign)
with words:
    text.show(campaign)
    audience.show(campaign)
every_s = head.looks_again_s(campaign)
if every_s is not None:  # what takes longer to add up is added up less often
    every_s = max(LOOK_AGAIN_S, campaign.recipients / MESSAGES_PER_S, every_s)
with below:
    st.fragment(details, run_every=every_s)()
