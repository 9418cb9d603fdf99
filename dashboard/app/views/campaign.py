"""One campaign, named by `?id=`."""

import streamlit as st

from dashboard.app.followup import audience, decided, files, head, outcome, recipients, text, unknown
from dashboard.app.people import signed_in
from dashboard.app.standing.stages import CAMPAIGN_STATES
from dashboard.app.widgets.page import empty, one_of
from dashboard.errors import UnknownCampaignError
from dashboard.words import _

signed_in()
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.page_link("views/campaigns.py", label=_("All campaigns"), icon=":material/arrow_back:")
    downloads = st.container(width="content")
try:
    campaign, found = outcome.read(st.query_params.get("id", ""))
except UnknownCampaignError:
    st.title(_("Campaign not found"), anchor=False)
    empty(_("The address may be old or cut off."), page="views/campaigns.py", action=_("All campaigns"))
    st.stop()

top = one_of(CAMPAIGN_STATES, campaign.state)
some = one_of((True, False), bool(campaign.unknown))
words, below = st.container(), one_of(CAMPAIGN_STATES, campaign.state)
every_s = head.looks_again_s(campaign)
just_read = [(campaign, found)]


def live() -> None:
    """Draw the head and what became of the messages, both as of the same moment."""
    now, found = just_read.pop() if just_read else outcome.read(campaign.campaign)
    changes = [(one.state, one.unknown, head.looks_again_s(one)) for one in (campaign, now)]
    if changes[0] != changes[1]:
        st.rerun()  # the whole page: buttons, charts and batches to decide about may differ
    with top:
        head.show(now)
    cards, people = st.container(), st.container()
    with cards:
        outcome.show(now, found)
        decided.show(now)
    with people:
        recipients.show(now, found.stages)


with downloads:
    files.show(campaign)
with below:
    st.fragment(live, run_every=every_s)()
with some:  # not in the part that refreshes every few seconds: clicks and typing would be lost
    unknown.show(campaign)
with words:
    text.show(campaign)
    audience.show(campaign)
