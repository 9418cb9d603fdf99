"""One message to the sender's own phones before everybody gets theirs. It costs credits and says so."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app import starting
from dashboard.app.drafts import Draft
from dashboard.app.widgets.plain import plain
from dashboard.errors import CampaignError, LedgerError
from dashboard.formatting import credit_count
from dashboard.words import _

SENT = ["body", "sender", "shorten_links", "campaign", "tracking"]
"""All by which two tests to the same phones can differ."""


def trial(draft: Draft, messages: pd.DataFrame, place: int, row: str) -> None:
    """Draw the offer.

    Args:
        draft: The draft.
        messages: MESSAGES.
        place: Which of them, counted from 0; it must be one that can be sent.
        row: What its row is called.
    """
    message = messages.iloc[place]
    in_credits = credit_count(int(message["credits_low"]), int(message["credits_high"]))
    with st.popover(_("Send a test"), icon=":material/send_to_mobile:", key=f"trial-{draft.id}"):
        st.write(
            _("Sends row {row}’s message to your own phones. It costs {credits} for each.").format(
                row=row, credits=in_credits
            )
        )
        typed = st.text_input(
            _("Your numbers"),
            key=f"trial-phones-{draft.id}",
            placeholder="+44 7400 123456",
            help=_("Separate several with commas."),
        )
        phones = [phone.strip() for phone in typed.split(",") if phone.strip()]
        what, sent = (*map(str, message[SENT]), *phones), f"trial-sent-{draft.id}"
        is_sent = st.session_state.get(sent) == what
        asked = st.button(_("Send the test"), disabled=not phones or is_sent, key=f"send-trial-{draft.id}")
        if asked and not is_sent and _send(draft, messages, place, phones):
            st.session_state[sent] = what
            is_sent = True
        if is_sent:
            st.success(
                _("The test is on its way as a campaign of its own: see Campaigns."),
                icon=":material/task_alt:",
            )


def _send(draft: Draft, messages: pd.DataFrame, place: int, phones: list[str]) -> bool:
    try:
        starting.send_trial(draft, messages, place, phones)
    except (CampaignError, LedgerError) as error:
        st.error(plain(error), icon=":material/error:")
        return False
    return True
