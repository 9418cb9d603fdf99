"""Batches that nobody can tell about: what rides on each, and a person's decision."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.pure.formatting import money, plural
from dashboard.app.pure.outcome import UnknownBatch, unknown_batches
from dashboard.app.widgets.page import section
from dashboard.errors import DashboardError
from dashboard.ledger import Campaign
from dashboard.ledger.states import Decision

DECISIONS: dict[Decision, tuple[str, str]] = {
    "accepted": ("It was sent", "The service has these messages. They are counted as accepted."),
    "ready": ("Send it again", "The service never got them. They are sent again with the same ids."),
    "abandoned": (
        "Leave it",
        "Nobody knows, and they are not sent again. Some people may have got no message.",
    ),
}


def show(campaign: Campaign) -> None:
    """Draw the unknown batches with their decisions; nothing when there are none."""
    if not campaign.unknown:
        return
    batches = unknown_batches(runtime.current().ledger.unknown(campaign.campaign))
    section(f"{plural(campaign.unknown, 'message')} nobody can tell about")
    st.caption(
        "The connection broke or the service answered unclearly after these were handed over, so they may "
        "or may not have been sent. They are never sent again by themselves. A delivery report settles "
        "them; or look into the service's own list and decide."
    )
    for batch in batches:
        with st.container(
            border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.markdown(f"**Batch {batch.batch}** · {_risk(batch)}  \n{batch.reason}")
            if signed_in().may("sender"):
                with st.container(horizontal=True, width="content"):
                    for decision, (label, _) in DECISIONS.items():
                        if st.button(label, key=f"{decision}-{batch.batch}"):
                            _decide(batch.batch, decision, _risk(batch))


def _risk(batch: UnknownBatch) -> str:
    worth = plural(batch.credits, "credit") if batch.money is None else money(batch.money, batch.currency)
    return f"{plural(batch.messages, 'message')}, {worth} at risk"


@st.dialog("Decide this batch", icon=":material/help:")
def _decide(batch: int, decision: Decision, risk: str) -> None:
    label, consequence = DECISIONS[decision]
    st.write(f"**{label}** · {risk}.")
    st.write(consequence)
    if decision == "ready":
        st.write("If the service did get them, these people get the message twice and you pay twice.")
    why = st.text_input("How do you know?", placeholder="The service's list for 10:00 does not show them")
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Back"):
            st.rerun()
        if st.button(label, type="primary", disabled=not why.strip(), key="confirm-decision"):
            try:
                actions.decide_batch(batch, decision, why.strip())
            except DashboardError as error:
                st.error(str(error), icon=":material/error:")
            else:
                st.rerun()
