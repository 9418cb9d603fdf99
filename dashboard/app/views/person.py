"""One person: everything that one number was texted, in all campaigns. The number is never in the address."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.people import signed_in
from dashboard.app.seen import text_seen
from dashboard.app.standing.person import NUMBER, cost_words
from dashboard.app.viewer import zone
from dashboard.app.widgets.countries import country_field
from dashboard.app.widgets.marks import bubble
from dashboard.app.widgets.page import empty, head
from dashboard.app.widgets.plain import plain
from dashboard.errors import OptionError
from dashboard.formatting import moment
from dashboard.ledger.frames.person import number_of
from dashboard.reports.measures.stages import stage_words
from dashboard.words import _, count, plural

SHOWN = 50


def show() -> None:
    """Draw the question and, once there is a number, its messages."""
    signed_in()
    head(_("Find a person"), _("Everything that one number was texted, in all campaigns."))
    typed, country = _question()
    if not typed.strip():
        empty(_("Messages appear here once you type a number. It stays out of the page's address."))
        return
    try:
        number = number_of(typed, country)
    except OptionError:
        st.error(
            _("This is not one phone number. Check its digits, and choose its country or begin with +."),
            icon=":material/error:",
        )
        return
    with st.spinner(_("Looking through all messages …")):
        found = runtime.current().shown.person(number)
    _opted_out(number)
    if found.empty:
        empty(_("Nobody was texted at this number, or the texts have since been deleted."))
        return
    st.caption(plural(len(found), "{count} message, the newest first", "{count} messages, the newest first"))
    campaigns = runtime.current().shown.campaigns()
    senders = dict(zip(campaigns["campaign"], campaigns["sender"].astype("object"), strict=True))
    for message in found.iloc[::-1].head(SHOWN).to_dict("records"):
        _message(message, senders[message["campaign"]])
    if len(found) > SHOWN:
        st.caption(_("The newest {number} are shown.").format(number=count(SHOWN)))


def _question() -> tuple[str, str | None]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(_("Phone number"), key=NUMBER, placeholder="+44 7400 123456", width=280)
        home = runtime.current().settings.country
        country = country_field(_("Country of a number without +"), home, width=280)
    return typed, country


def _opted_out(number: str) -> None:
    since = runtime.current().ledger.opted_out_since(number)
    if since is not None:
        st.warning(
            _("This person opted out {time}, and is not texted.").format(time=moment(since, zone())),
            icon=":material/do_not_disturb_on:",
        )


def _message(message: Mapping[Any, Any], sender: Any) -> None:
    """Draw one message: when, in which campaign, what became of it, and its text."""
    with st.container(border=True, key=f"linked-{message['uuid']}"):
        about, text = st.columns([2, 3])
        with about:
            st.page_link(
                "views/campaign.py",
                label=plain(message["campaign_name"]),
                query_params={"id": str(message["campaign"])},
            )
            st.markdown(f"**{stage_words(message['stage'])}**")
            st.caption(" · ".join(_facts(message)))
        with text:
            bubble(None if pd.isna(sender) else str(sender), text_seen(str(message["body"])))


def _facts(message: Mapping[Any, Any]) -> list[str]:
    """When it happened, why it failed and what it cost, as far as that is known."""
    times = {
        _("handed over {time}"): message["handed_over_at"],
        _("delivered {time}"): message["delivered_at"],
    }
    said = [words.format(time=moment(at, zone())) for words, at in times.items() if not pd.isna(at)]
    if message["failure_reason"] and not pd.isna(message["failure_reason"]):
        said.append(plain(text_seen(str(message["failure_reason"]))))
    return [*said, *cost_words(message)]


show()
