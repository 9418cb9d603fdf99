"""Whom the service did not text because they told it STOP: proposed as opt-outs, in one click."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.seen import may_change
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.ledger import Campaign
from dashboard.words import plural

_ADDED = "added-who-told-stop"


def show(campaign: Campaign) -> None:
    """Say how many there are, who of them is an opt-out already, and offer to add the others; or nothing."""
    told = runtime.current().shown.told_stop(campaign.campaign)
    new, place = int(told["opted_out_at"].isna().sum()), f"told-stop-{campaign.campaign}"
    if told.empty:
        return
    if added := st.session_state.pop(_ADDED, None):  # where a callback draws, the page loses its styles
        st.toast(added, icon=":material/check:")
    said = plural(
        len(told), "**{count} person** told the service STOP.", "**{count} people** told the service STOP."
    )
    st.markdown(f"{said} {_listed(len(told) - new, new)}")
    if new and may_change():
        st.button(
            plural(new, "Add {count} to your opt-outs", "Add {count} to your opt-outs"),
            icon=":material/do_not_disturb_on:",
            key=place,
            **doing(place, partial(_add, campaign.campaign)),
        )
    say_refusal(place)


def _listed(listed: int, new: int) -> str:
    """Who of them is on the list, and what becomes of the others."""
    if not new:
        return plural(
            listed,
            "They are on your opt-outs, or were taken off again.",
            "All of them are on your opt-outs, or were taken off again.",
        )
    again = plural(
        new,
        "The next campaign would text {count} person again, and you would pay again.",
        "The next campaign would text {count} people again, and you would pay again.",
    )
    if not listed:
        return again
    already = plural(
        listed,
        "{count} of them is on your opt-outs already, or was taken off again.",
        "{count} of them are on your opt-outs already, or were taken off again.",
    )
    return f"{already} {again}"


def _add(campaign: str) -> None:
    new = actions.add_who_told_stop(campaign)
    st.session_state[_ADDED] = plural(
        new, "{count} person is now on your opt-outs.", "{count} people are now on your opt-outs."
    )
