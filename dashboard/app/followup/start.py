"""Start a campaign that waits: prepared and not started, for its time, or for an approval; asks first."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.four_eyes import asked_for, may_approve
from dashboard.app.people import signed_in
from dashboard.app.standing.costs import estimate_words
from dashboard.app.viewer import zone
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers, asking, close_if_asked, doing
from dashboard.formatting import clocks
from dashboard.ledger import Campaign
from dashboard.words import _, plural

WAITING = ("draft", "scheduled")


def place(campaign_id: str) -> str:
    """Where it says why it was not started."""
    return f"start-{campaign_id}"


def button(campaign: Campaign) -> None:
    """Draw the button, and the question once it was clicked; nothing where others have to approve."""
    own = campaign.campaign
    asked = asked_for([own]).get(own) if campaign.state == "draft" else None
    if asked and not may_approve(signed_in(), asked):
        return
    label = _("Approve…") if asked else _("Start…") if campaign.state == "draft" else _("Send now…")
    title, icon = _("Send this campaign?"), ":material/send:"
    asking(place(own), label, title, _confirm, own, icon=icon, type="primary")


def _confirm(campaign_id: str) -> None:
    close_if_asked(place(campaign_id))
    campaign = runtime.current().shown.campaign(campaign_id)
    if campaign.state not in WAITING:
        st.rerun()  # it was started or cancelled meanwhile
    asked = asked_for([campaign_id]).get(campaign_id)
    if asked:
        st.write(_("Asked for by {people}.").format(people=plain(", ".join(asked.who))))
    st.write(
        plural(
            campaign.ready + campaign.unknown,  # of a restored copy, which may be sent again once it runs
            "**{name}** goes to **{count} person**: {cost}.",
            "**{name}** goes to **{count} people**: {cost}.",
            name=plain(campaign.name),
            cost=estimate_words(campaign),
        )
    )
    at = campaign.scheduled_at
    if campaign.state == "draft" and at and at > runtime.current().now():
        st.write(_("When: {times}.").format(times=clocks(at, zone())))
    st.write(_("Messages handed over to the service cannot be recalled."))
    yes = _("Start the campaign") if campaign.state == "draft" else _("Send it now")
    do = partial(actions.start_prepared, campaign_id, campaign.state)
    if asked:
        do = partial(actions.approve_campaign, campaign_id)
    answers(
        place(campaign_id),
        no=_("Not yet"),
        yes=_("Approve it") if asked else yes,
        key="confirm-start",
        then=doing(place(campaign_id), do),
    )
