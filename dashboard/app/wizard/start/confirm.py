"""The last question before a campaign is sent, and the start."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.four_eyes import needs_approval
from dashboard.app.prepare import Written
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard.text.cost import in_money
from dashboard.campaigns import Handover, what_can_be_cancelled
from dashboard.errors import CampaignError, LedgerError
from dashboard.formatting import credit_count
from dashboard.words import N_, _, plural

APPROVAL = N_(
    "These are more messages than you may start alone within a day. The campaign is prepared, and waits on "
    "its page until somebody else approves it."
)
SOON_S = 2.0
"""How long the question stays open while the messages are being prepared."""


def confirm(draft: Draft, written: Written, times: str) -> None:
    """Ask once more; `times` says when it is sent."""
    st.dialog(_("Send this campaign?"), icon=":material/send:")(_ask)(draft, written, times)


def _ask(draft: Draft, written: Written, times: str) -> None:
    """Say who gets it, what it costs and what can be undone, and ask."""
    settings, estimate = runtime.current().settings, written.estimate
    cost = [credit_count(estimate.credits_low, estimate.credits_high)]
    cost += [] if estimate.cost_low is None else [in_money(estimate)]
    st.write(
        plural(
            estimate.messages,
            "**{count} person** will get a text message from **{name}**: {cost}.",
            "**{count} people** will get a text message from **{name}**: {cost}.",
            name=plain(draft.name),
            cost=", ".join(cost),
        )
    )
    waits = needs_approval(estimate.messages)
    if waits:
        st.info(_(APPROVAL), icon=":material/how_to_reg:")
    elif draft.when == "now" and not draft.keep_hours:
        st.write(_("Sending starts at once. Messages handed over to the service cannot be recalled."))
    else:
        st.write(_("When: {times}.").format(times=times))
        st.write(what_can_be_cancelled(Handover(draft.handover)))
    if settings.uses_sandbox:
        st.caption(_(":material/science: Sandbox: no message leaves this machine."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Not yet")):
            st.rerun()
        label = _("Send now") if draft.when == "now" else _("Schedule it")
        if st.button(_("Ask for approval") if waits else label, type="primary", key="confirm-send"):
            _start(draft, written)


def _start(draft: Draft, written: Written) -> None:
    messages = written.estimate.messages
    try:
        with st.spinner(
            plural(messages, "Preparing {count} message…", "Preparing {count} messages…"), show_time=True
        ):
            campaign = actions.start_campaign(draft, written).result(SOON_S)
    except actions.AlreadySentError as error:
        campaign = error.campaign
    except (CampaignError, LedgerError) as error:
        st.error(plain(error), icon=":material/error:")
        return
    if campaign is None:
        st.rerun()  # the page shows how far it is
    runtime.current().starts.forget(draft.id)
    st.switch_page("views/campaign.py", query_params={"id": campaign})
