"""Batches that nobody can tell about: what rides on each, and a person's decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.errors import DashboardError
from dashboard.formatting import credit_count, moment, money
from dashboard.jobs.outcome import UnknownBatch, unknown_batches
from dashboard.ledger import Campaign
from dashboard.ledger.database.states import Decision
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
    batches = unknown_batches(runtime.current().ledger.unknown(campaign.campaign))
    now = datetime.now(UTC)
    waits = [(batch.resend_from - now).total_seconds() for batch in batches if batch.resend_from > now]
    st.fragment(_batches, run_every=min(waits) + 1 if waits else None)(batches)


def _batches(batches: Sequence[UnknownBatch]) -> None:
    """Draw each with its buttons; drawn again when the next may be sent again."""
    now = datetime.now(UTC)
    for batch in batches:
        with st.container(
            border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.markdown(
                _("**Batch {batch}** · {risk}  \n{reason}").format(
                    batch=batch.batch, risk=_risk(batch), reason=plain(batch.reason)
                )
            )
            if signed_in().may("sender"):
                _buttons(batch, too_early=batch.resend_from > now)


def _buttons(batch: UnknownBatch, *, too_early: bool) -> None:
    from_then = _(
        "The request may still be on its way. These messages can be sent again from {time} on."
    ).format(time=moment(batch.resend_from, zone()))
    with st.container(horizontal=True, width="content"):
        for decision, (label, _consequence) in DECISIONS.items():
            waits = too_early and decision == "ready"
            key, help_ = f"{decision}-{batch.batch}", from_then if waits else None
            if st.button(_(label), key=key, disabled=waits, help=help_):
                ask = st.dialog(_("Decide this batch"), icon=":material/help:")(_decide)
                ask(batch.batch, decision, _risk(batch))
    if too_early:
        st.caption(from_then)


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
        _("How do you know?"),
        placeholder=_("The service's list for 10:00 does not show them"),
        key=f"why-{batch}",
        persist_state="session",  # the dialog closes when the campaign moves on meanwhile
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Back")):
            st.rerun()
        if st.button(_(label), type="primary", disabled=not why.strip(), key="confirm-decision"):
            try:
                actions.decide_batch(batch, decision, why.strip())
            except DashboardError as error:
                st.error(plain(error), icon=":material/error:")
            else:
                st.rerun()
