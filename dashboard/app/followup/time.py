"""Move the time at which a campaign starts by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.viewer import zone
from dashboard.app.widgets.pressed import answers, asking, close, close_if_asked, doing
from dashboard.errors import CampaignError
from dashboard.formatting import clocks
from dashboard.ledger import Campaign
from dashboard.words import _, day_format


def place(campaign_id: str) -> str:
    """Where it says why the time was not moved."""
    return f"time-{campaign_id}"


def button(campaign: Campaign) -> None:
    """Draw the button, and the question once it was clicked."""
    own = campaign.campaign
    title, icon = _("When is it sent?"), ":material/schedule:"
    asking(place(own), _("Change the time…"), title, _ask, own, icon=icon)


def _ask(campaign_id: str) -> None:
    close_if_asked(place(campaign_id))
    campaign = runtime.current().shown.campaign(campaign_id)
    if campaign.state != "scheduled" or campaign.scheduled_at is None:
        st.rerun()  # it was started or cancelled meanwhile
    here, key = zone(), f"time-chosen-{campaign_id}"
    st.datetime_input(
        _("Send at ({zone})").format(zone=here.key),
        value=campaign.scheduled_at.astimezone(here).replace(tzinfo=None),
        format=day_format(),
        key=key,
    )
    chosen: datetime | None = st.session_state[key]
    if chosen is not None:
        st.caption(clocks(chosen.replace(tzinfo=here).astimezone(UTC), here))
    st.caption(_("People, texts and price stay as they are. Whoever opts out before then is left out."))
    answers(
        place(campaign_id),
        no=_("Keep the time"),
        yes=_("Move it"),
        key="confirm-time",
        then=doing(place(campaign_id), partial(_move, campaign_id, key)),
    )


def _move(campaign_id: str, key: str) -> None:
    chosen: datetime | None = st.session_state[key]
    if chosen is None:
        raise CampaignError(_("Choose a day and a time."))
    actions.move_campaign(campaign_id, chosen.replace(tzinfo=zone()))
    close(place(campaign_id))
