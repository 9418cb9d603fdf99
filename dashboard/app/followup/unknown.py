"""Batches that nobody can tell about: what rides on each, and a person's decision."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.pure.formatting import credit_count, money
from dashboard.app.pure.outcome import UnknownBatch, unknown_batches
from dashboard.app.widgets.page import section
from dashboard.errors import DashboardError
from dashboard.ledger import Campaign
from dashboard.ledger.states import Decision
from dashboard.words import N_, _, plural

DECISIONS: dict[Decision, tuple[str, str]] = {
    "accepted": (N_("It was sent"), N_("The service has these messages. They are counted as accepted.")),
    "ready": (N_("Send it again"), N_("The service never got them. They are sent again with the same ids.")),
    "abandoned": (
        N_("Leave it"),
        N_("Nobody knows, and they are not sent again. Some people may have got no message."),
    ),
}


def show(campaign: Campaign) -> None:
    """Draw the unknown batches with their decisions; nothing when there are none."""
    if not campaign.unknown:
        return
    batches = unknown_batches(runtime.current().ledger.unknown(campaign.campaign))
    section(
        plural(
            campaign.unknown,
            "{count} message nobody can tell about",
            "{count} messages nobody can tell about",
        )
    )
    st.caption(
        _(
            "The connection broke or the service answered unclearly after these were handed over, so they "
            "may or may not have been sent. They are never sent again by themselves. A delivery report "
            "settles them; or look into the service's own list and decide."
        )
    )
    for batch in batches:
        with st.container(
            border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.markdown(
                _("**Batch {batch}** · {risk}  \n{reason}").format(
                    batch=batch.batch, risk=_risk(batch), reason=batch.reason
                )
            )
            if signed_in().may("sender"):
                with st.container(horizontal=True, width="content"):
                    for decision, (label, _consequence) in DECISIONS.items():
                        if st.button(_(label), key=f"{decision}-{batch.batch}"):
                            ask = st.dialog(_("Decide this batch"), icon=":material/help:")(_decide)
                            ask(batch.batch, decision, _risk(batch))


def _risk(batch: UnknownBatch) -> str:
    worth = credit_count(batch.credits) if batch.money is None else money(batch.money, batch.currency)
    return plural(
        batch.messages, "{count} message, {worth} at risk", "{count} messages, {worth} at risk", worth=worth
    )


def _decide(batch: int, decision: Decision, risk: str) -> None:
    label, consequence = DECISIONS[decision]
    st.write(f"**{_(label)}** · {risk}.")
    st.write(_(consequence))
    if decision == "ready":
        st.write(_("If the service did get them, these people get the message twice and you pay twice."))
    why = st.text_input(
        _("How do you know?"), placeholder=_("The service's list for 10:00 does not show them")
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Back")):
            st.rerun()
        if st.button(_(label), type="primary", disabled=not why.strip(), key="confirm-decision"):
            try:
                actions.decide_batch(batch, decision, why.strip())
            except DashboardError as error:
                st.error(str(error), icon=":material/error:")
            else:
                st.rerun()
