"""What a campaign says, and what can be begun from it."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.followup import again
from dashboard.app.widgets.marks import bubble
from dashboard.app.widgets.page import section
from dashboard.ledger import Campaign
from dashboard.words import _


def show(campaign: Campaign) -> None:
    """Draw the text, or each of those compared, as it was written; people's messages are below."""
    texts = runtime.current().shown.sent_texts(campaign.campaign)
    if not texts:
        return
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            section(_("The text") if len(texts) == 1 else _("The texts"))
            again.buttons(campaign, texts)
        for place, text in zip(st.columns(len(texts)), texts, strict=True):
            with place:
                if len(texts) > 1:
                    st.caption(_("Text {name}").format(name=text.variant))
                bubble(campaign.sender, text.template)
