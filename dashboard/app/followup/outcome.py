"""What became of a campaign's messages: from file to phone, over time, why some failed, and what it cost."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.pure.countries import country_name
from dashboard.app.pure.formatting import count, count_range, money, plural, unit_price
from dashboard.app.pure.number_reading import line_type_words
from dashboard.app.pure.outcome import causes, counted, failures, rungs
from dashboard.app.pure.stages import HEAPS, heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import bars, facts, funnel
from dashboard.app.widgets.page import chart, section
from dashboard.ledger import Campaign
from dashboard.reports import figures

SHOWN = 6
STEP_COLORS = ("#7a8899", "#56b4e9", "#0072b2", "#009e73")


def show(campaign: Campaign, messages: pd.DataFrame) -> None:
    """Draw the five cards."""
    left, right = st.columns([3, 2])
    with left.container(border=True, height="stretch"):
        _over_time(campaign, messages)
    with right:
        with st.container(border=True):
            _from_hand_to_phone(campaign, messages)
        with st.container(border=True, height="stretch"):
            _failures(campaign, messages)
    left, right = st.columns([3, 2])
    with left.container(border=True, height="stretch"):
        _cost(campaign, messages)
    with right.container(border=True, height="stretch"):
        _where(messages)


def _over_time(campaign: Campaign, messages: pd.DataFrame) -> None:
    section("Status over time")
    events = runtime.current().ledger.events(campaign.campaign)
    chart(figures.status_over_time(messages, events=events, tz=zone().key), "status-over-time")


def _from_hand_to_phone(campaign: Campaign, messages: pd.DataFrame) -> None:
    section(
        "From our hands to the phone", help="Only what was handed over; what is not sent yet stands apart."
    )
    steps = rungs(messages)
    if steps[0][1]:
        funnel((name, number, color) for (name, number), color in zip(steps, STEP_COLORS, strict=True))
    else:
        st.caption("How far messages get stands here once the first are handed to the service.")
    waiting = heaps(campaign)["waiting"]
    if waiting:
        st.caption(f"{plural(waiting, 'message')} not sent yet.")


def _failures(campaign: Campaign, messages: pd.DataFrame) -> None:
    found = failures(messages)
    section("Why messages failed")
    if not found.reasons:
        st.caption("No message failed so far. Reasons appear here in the service's own words.")
        return
    bars(
        [(reason, number, count(number)) for reason, number in found.reasons[:SHOWN]],
        color=HEAPS["failed"].color,
    )
    if found.credits_billed:
        worth = "" if found.billed is None else f", {money(found.billed, campaign.currency)}"
        st.caption(f"You are still charged for these: {plural(found.credits_billed, 'credit')}{worth}.")


def _cost(campaign: Campaign, messages: pd.DataFrame) -> None:
    section("Estimate and bill")
    price, currency = campaign.price_per_credit, campaign.currency
    rows = {
        "Estimate": count_range(campaign.credits_low, campaign.credits_high, "credit"),
        "Billed so far": plural(campaign.credits_billed, "credit"),
    }
    if campaign.cost_billed is not None:
        rows["Billed in money"] = money(campaign.cost_billed, currency)
    if price is not None:
        rows["Price"] = f"{unit_price(price, currency)} a credit"
    facts(rows)
    for number, cause, meaning in causes(messages):
        st.caption(f"**{plural(number, 'message')} {cause}**: {meaning}")


def _where(messages: pd.DataFrame) -> None:
    section("Countries and line types")
    for column, words in (("country", country_name), ("line_type", line_type_words)):
        bars(
            [(words(value), number, count(number)) for value, number in counted(messages, column)[:SHOWN]],
            color=HEAPS["on_the_way"].color,
        )
