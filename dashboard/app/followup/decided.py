"""What people decided about unknown batches, and how they knew: the newest, as long as a campaign is kept."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.seen import text_seen
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import table
from dashboard.app.widgets.page import section
from dashboard.formatting import moment
from dashboard.ledger import Campaign
from dashboard.ledger.database.states import Decision
from dashboard.ledger.outbox.decisions import SHOWN
from dashboard.words import N_, _, count

SAID: dict[Decision, str] = {
    "accepted": N_("Were sent"),
    "ready": N_("Sent again"),
    "abandoned": N_("Left as they are"),
}


def show(campaign: Campaign) -> None:
    """Draw the decisions, newest first; draw nothing if there were none."""
    found = runtime.current().shown.decided(campaign.campaign)
    if not found:
        return
    with st.container(border=True):
        section(_("What was decided"))
        table(
            [_("When"), _("Decision"), _("Messages"), _("Who"), _("Why")],
            [
                (
                    moment(one.at, zone()),
                    _(SAID[one.decision]),
                    count(one.messages),
                    one.who,
                    text_seen(one.why),
                )
                for one in found
            ],
            name=_("Decisions about unknown batches"),
            figures=[_("Messages")],
        )
        if len(found) == SHOWN:
            st.caption(_("The newest {number} decisions are shown.").format(number=count(SHOWN)))
