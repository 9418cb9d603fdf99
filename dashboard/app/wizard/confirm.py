"""The last question before a campaign is sent, and the start."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written
from dashboard.app.pure.formatting import count_range, plural
from dashboard.app.wizard.cost import in_money
from dashboard.campaigns import Handover, what_can_be_cancelled
from dashboard.errors import CampaignError, LedgerError


@st.dialog("Send this campaign?", icon=":material/send:")
def confirm(draft: Draft, written: Written, times: str) -> None:
    """Say who gets it, what it costs and what can be undone, and ask; `times` says when it is sent."""
    settings, estimate = runtime.current().settings, written.estimate
    credits_ = count_range(estimate.credits_low, estimate.credits_high, "credit")
    cost = ""
    if estimate.cost_low is not None:
        cost = f", {in_money(estimate)}"
    people = plural(estimate.messages, "person", "people")
    st.write(f"**{people}** will get a text message from **{draft.name}**: {credits_}{cost}.")
    if draft.when == "now" and not draft.keep_hours:
        st.write("Sending starts at once. What was handed over to the service cannot be recalled.")
    else:
        st.write(f"When: {times}.")
        st.write(what_can_be_cancelled(Handover(draft.handover)))
    if settings.uses_sandbox:
        st.caption(":material/science: Sandbox: no message leaves this machine.")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Not yet"):
            st.rerun()
        if st.button(
            "Send now" if draft.when == "now" else "Schedule it", type="primary", key="confirm-send"
        ):
            _start(draft, estimate.messages)


def _start(draft: Draft, messages: int) -> None:
    try:
        with st.spinner(f"Fixing {plural(messages, 'message')}…", show_time=True):
            campaign = actions.start_campaign(draft)
    except actions.AlreadySentError as error:
        campaign = error.campaign
    except (CampaignError, LedgerError) as error:
        st.error(str(error), icon=":material/error:")
        return
    st.switch_page("views/campaign.py", query_params={"id": campaign})
