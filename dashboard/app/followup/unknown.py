"""Unknown batches: what is at stake, a page at a time, and the three decisions."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.followup.unknown_table import Stake, of_total, unknown_table
from dashboard.app.seen import may_change
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import section
from dashboard.app.widgets.pressed import answers, close_if_asked, doing, open_if_asked, opening
from dashboard.formatting import moment
from dashboard.ledger import Campaign
from dashboard.ledger.database.states import Decision
from dashboard.ledger.outbox.risks import UnknownTotal
from dashboard.words import N_, _, plural

DECISIONS: dict[Decision, tuple[str, str]] = {
    "accepted": (
        N_("They were sent"),
        N_("The service has these messages. They are counted as accepted."),
    ),
    "ready": (
        N_("Send them again"),
        N_("The service never got them. They are sent again with the same ids."),
    ),
    "abandoned": (
        N_("Leave them"),
        N_("Nobody knows, and they are not sent again. Some people may not have received a message."),
    ),
}


def show(campaign: Campaign) -> None:
    """Draw the unknown batches with their decisions; draw nothing if there are none."""
    if not campaign.unknown:
        return
    section(
        plural(
            campaign.unknown,
            "{count} message with an unknown outcome",
            "{count} messages with an unknown outcome",
        )
    )
    st.caption(
        _(
            "The connection broke or the service gave an unclear answer after these were handed over, "
            "so they may or may not have been sent. They are never sent again automatically. A "
            "delivery report settles them; otherwise, check the service's own list and decide."
        )
    )
    app = runtime.current()
    now = app.now()
    total = app.shown.unknown_total(campaign.campaign)
    wait_s = ((total.resend_from or now) - now).total_seconds()
    st.fragment(_batches, run_every=wait_s + 1 if wait_s > 0 else None)(campaign, [total])


def _batches(campaign: Campaign, just_read: list[UnknownTotal]) -> None:
    """Draw the table with the decisions; it is redrawn once all may be sent again."""
    total = just_read.pop() if just_read else runtime.current().shown.unknown_total(campaign.campaign)
    every = of_total(total)
    may_decide = may_change()
    chosen = unknown_table(campaign.campaign, every, choosing=may_decide and every.batches > 1)
    if not may_decide:
        st.caption(every.words())
    if not may_decide or not every.batches:
        return
    if chosen is not None:
        _decisions(campaign, chosen)
    elif every.batches > 1:
        st.caption(_("Select rows in the table to decide about only some of them."))
    _decisions(campaign, every)


def _decisions(campaign: Campaign, stake: Stake) -> None:
    """Draw what a decision would cover, and the three buttons."""
    why_not = _no_resend(campaign, stake)
    with st.container(
        border=True,
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        key=f"stake-{stake.name}-{campaign.campaign}",
    ):
        st.markdown(f"{stake.lead()}  \n{stake.risk()}")
        with st.container(horizontal=True, width="content"):
            for decision, (label, _consequence) in DECISIONS.items():
                waits = bool(why_not) and decision == "ready"
                key, help_ = f"{decision}-{stake.name}-{campaign.campaign}", why_not if waits else None
                st.button(_(label), key=key, disabled=waits, help=help_, **opening(key))
                ask = st.dialog(_("Decide what happened to them"), icon=":material/help:")(_decide)
                open_if_asked(key, partial(ask, campaign, decision, stake))
        if why_not:
            st.caption(why_not)


def _no_resend(campaign: Campaign, stake: Stake) -> str:
    """Why these cannot be sent again now; empty if they can."""
    if campaign.state == "cancelled":
        return _("The campaign was cancelled, so none of it is sent again.")
    if stake.resend_from and stake.resend_from > runtime.current().now():
        return _("The request may still be on its way. These messages can be sent again from {time}.").format(
            time=moment(stake.resend_from, zone())
        )
    return ""


def _decide(drawn: Campaign, decision: Decision, stake: Stake) -> None:
    campaign = drawn.campaign
    if runtime.current().shown.campaign(campaign).unknown != drawn.unknown:
        st.rerun()  # decided, or a report settled some: the page says what is left
    label, consequence = DECISIONS[decision]
    st.write(f"**{_(label)}** · {stake.words()}")
    st.write(_(consequence))
    if decision == "ready":
        st.write(_("If the service did get them, these people get the message twice and you pay twice."))
    key = f"why-{campaign}-{stake.name}-{'-'.join(map(str, stake.only or ()))}"
    close_if_asked(key)
    why = st.text_input(
        _("How do you know?"),
        placeholder=_("The service's list for 10:00 does not show them"),
        key=key,
        persist_state="session",  # the dialog closes if the campaign moves on in the meantime
    )
    answers(
        key,
        no=_("Back"),
        yes=_(label),
        key="confirm-decision",
        then=doing(key, partial(_keep, campaign, decision, stake, key)),
        disabled=not why.strip(),
    )


def _keep(campaign: str, decision: Decision, stake: Stake, why: str) -> None:
    """Keep a decision with the reason that was typed under this key."""
    said = st.session_state[why].strip()
    actions.decide_batches(campaign, decision, said, only=stake.only, as_of=stake.newest_at)
