"""Some campaigns side by side, named by `?ids=`."""

from collections.abc import Sequence

import streamlit as st

from dashboard.app import runtime
from dashboard.app.people import signed_in
from dashboard.app.standing.beside import FEWEST, MOST, beside
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import bubble, side_by_side
from dashboard.app.widgets.page import empty, head, section
from dashboard.app.widgets.plain import plain
from dashboard.errors import UnknownCampaignError
from dashboard.ledger import Campaign
from dashboard.words import _


def show() -> None:
    """Draw the figures of the campaigns in one table, and below it their texts."""
    signed_in()
    st.page_link("views/campaigns.py", label=_("All campaigns"), icon=":material/arrow_back:")
    head(_("Compare campaigns"), _("Campaigns to other people differ for other reasons, too."))
    campaigns = _asked_for()
    if not campaigns:
        empty(
            _("Choose two to four campaigns in the list. The address may be old or cut off."),
            page="views/campaigns.py",
            action=_("All campaigns"),
        )
        return
    clock = zone()
    names = [campaign.name for campaign in campaigns]
    side_by_side(names, beside(campaigns, clock), name=_("Figures side by side"))
    st.caption(_("Times are in {zone}.").format(zone=clock.key))
    _texts(campaigns)


def _asked_for() -> list[Campaign]:
    """The campaigns in the address, each once; none if they cannot be compared, or one is unknown."""
    asked = dict.fromkeys(one for one in st.query_params.get("ids", "").split(",") if one)
    if not FEWEST <= len(asked) <= MOST:
        return []
    try:
        return [runtime.current().shown.campaign(one) for one in asked]
    except UnknownCampaignError:
        return []


def _texts(campaigns: Sequence[Campaign]) -> None:
    section(_("What they said"))
    for place, campaign in zip(st.columns(len(campaigns)), campaigns, strict=True):
        with place, st.container(key=f"linked-{campaign.campaign}"):
            st.page_link(
                "views/campaign.py", label=plain(campaign.name), query_params={"id": campaign.campaign}
            )
            for text in runtime.current().shown.sent_texts(campaign.campaign):
                if text.variant:
                    st.caption(_("Text {name}").format(name=text.variant))
                bubble(campaign.sender, text.template)


show()
