"""The last question before a campaign is sent, and the start."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime, starting
from dashboard.app.as_seen import AGAIN, ChangedError, Seen, shown_version, version_of
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


def ask_if_seen(draft: Draft, written: Written, times: str, again: int, *, asked: bool) -> None:
    """Ask once more, if this tab showed the same when the button was clicked; else say that it did not.

    Args:
        draft: The draft.
        written: Its messages, as they have just been drawn.
        times: When they are sent.
        again: How many of them went to the same people from other campaigns, as the page says.
        asked: Whether the button was clicked.
    """
    key, now = f"shown-{draft.id}", shown_version(draft)
    shown, said = st.session_state.get(key, ("", 0))
    st.session_state[key] = now, again
    refused = st.session_state.pop(_refused(draft), "")
    if asked and shown == now and again <= said:
        seen = Seen(written, version_of(draft), needs_approval(written.estimate.messages), again)
        st.dialog(_("Send this campaign?"), icon=":material/send:")(_ask)(draft, seen, times)
    elif asked or refused:
        st.warning(
            plain(refused or ChangedError(_(AGAIN) if shown == now else "")), icon=":material/sync_problem:"
        )


def _ask(draft: Draft, seen: Seen, times: str) -> None:
    """Say who gets it, what it costs and what can be undone, and ask."""
    settings, estimate = runtime.current().settings, seen.written.estimate
    cost = [credit_count(estimate.credits_low, estimate.credits_high)]
    cost += [] if estimate.cost_low is None else [in_money(estimate)]
    st.write(
        plural(
            estimate.messages,
            "**{name}** goes to **{count} person**: {cost}.",
            "**{name}** goes to **{count} people**: {cost}.",
            name=plain(draft.name),
            cost=", ".join(cost),
        )
    )
    if seen.waits:
        st.info(_(APPROVAL), icon=":material/how_to_reg:")
    elif draft.when == "now" and not draft.keep_hours:
        st.write(_("Sending starts at once. Messages handed over to the service cannot be recalled."))
    else:
        st.write(_("When: {times}.").format(times=times))
        st.write(what_can_be_cancelled(Handover(draft.handover)))
    st.caption(_("Whoever opts out before then gets nothing."))
    if settings.uses_sandbox:
        st.caption(_(":material/science: Sandbox: no message leaves this machine."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button(_("Not yet")):
            st.rerun()
        label = _("Send now") if draft.when == "now" else _("Schedule it")
        if st.button(_("Ask for approval") if seen.waits else label, type="primary", key="confirm-send"):
            _start(draft, seen)


def _start(draft: Draft, seen: Seen) -> None:
    messages, start = seen.written.estimate.messages, None
    try:
        with st.spinner(
            plural(messages, "Preparing {count} message…", "Preparing {count} messages…"), show_time=True
        ):
            start = starting.start_campaign(draft, seen)
            campaign = start.result(SOON_S)
    except starting.AlreadySentError as error:
        campaign = error.campaign
    except ChangedError as error:
        st.session_state[_refused(draft)] = str(error)
        st.rerun()  # the page shows what it is now, and asks again
    except (CampaignError, LedgerError) as error:
        st.error(plain((start and start.failure) or error), icon=":material/error:")
        return
    if campaign is None:
        st.rerun()  # the page shows how far it is
    runtime.current().starts.forget(draft.id)
    st.switch_page("views/campaign.py", query_params={"id": campaign})


def _refused(draft: Draft) -> str:
    return f"changed-since-{draft.id}"
