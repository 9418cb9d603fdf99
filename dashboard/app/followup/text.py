"""What a campaign says, and the way to say it again."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.marks import bubble
from dashboard.app.widgets.page import section
from dashboard.ledger import Campaign
from dashboard.words import _

_BEGUN = "begun-with-a-text"


def show(campaign: Campaign) -> None:
    """Draw the text, or each of those compared, as it was written; people's messages are below."""
    texts = runtime.current().ledger.sent_texts(campaign.campaign)
    if not texts:
        return
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            section(_("The text") if len(texts) == 1 else _("The texts"))
            _again(campaign)
        for place, text in zip(st.columns(len(texts)), texts, strict=True):
            with place:
                if len(texts) > 1:
                    st.caption(_("Text {name}").format(name=text.variant))
                bubble(campaign.sender, text.template)


def _again(campaign: Campaign) -> None:
    if not signed_in().may("sender"):
        return
    st.button(
        _("Use again"),
        icon=":material/content_copy:",
        help=_("Begin a new campaign with the same text, sender and links. You choose who gets it."),
        on_click=whole(_begin),
        args=(campaign.campaign,),
    )
    if draft := st.session_state.pop(_BEGUN, None):
        st.switch_page("views/new.py", query_params={"draft": draft})


def _begin(campaign: str) -> None:
    st.session_state[_BEGUN] = actions.use_texts(campaign).id
