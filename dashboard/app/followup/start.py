"""Start a campaign that was prepared and not started; asks first."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.standing.costs import estimate_words
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers, close_if_asked, doing, open_if_asked, opening
from dashboard.ledger import Campaign
from dashboard.words import _, plural

WAITING = ("draft", "scheduled")


def place(campaign_id: str) -> str:
    """Where it says why it was not started."""
    return f"start-{campaign_id}"


def button(campaign: Campaign) -> None:
    """Draw the button, and the question once it was clicked."""
    own = campaign.campaign
    label = _("Start…") if campaign.state == "draft" else _("Send now…")
    st.button(label, icon=":material/send:", type="primary", **opening(place(own)))
    ask = st.dialog(_("Send this campaign?"), icon=":material/send:")(_confirm)
    open_if_asked(place(own), partial(ask, own))


def _confirm(campaign_id: str) -> None:
    close_if_asked(place(campaign_id))
    campaign = runtime.current().shown.campaign(campaign_id)
    if campaign.state not in WAITING:
        st.rerun()  # it was started or cancelled meanwhile
    st.write(
        plural(
            campaign.ready,
            "**{count} person** will get a text message from **{name}**: {cost}.",
            "**{count} people** will get a text message from **{name}**: {cost}.",
            name=plain(campaign.name),
            cost=estimate_words(campaign),
        )
    )
    st.write(_("Messages handed over to the service cannot be recalled."))
    yes = _("Start the campaign") if campaign.state == "draft" else _("Send it now")
    answers(
        place(campaign_id),
        no=_("Not yet"),
        yes=yes,
        key="confirm-start",
        then=doing(place(campaign_id), partial(actions.start_prepared, campaign_id)),
    )
