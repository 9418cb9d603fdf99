"""What became of a campaign's messages: from file to phone, over time, why some failed, and what it cost."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.standing.costs import billed_words
from dashboard.app.standing.stages import HEAPS, heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import bars, facts, funnel
from dashboard.app.widgets.page import chart, section
from dashboard.app.widgets.plain import plain
from dashboard.contacts.vocabulary.country_names import country_name
from dashboard.contacts.vocabulary.line_types import line_type_words
from dashboard.formatting import bill_words, credit_count, unit_price
from dashboard.jobs.outcome import (
    OUTCOME_COLUMNS,
    Failures,
    Outcome,
    better_text,
    causes,
    outcome_of,
)
from dashboard.ledger import Campaign
from dashboard.reports import figures
from dashboard.words import _, count, plural

SHOWN = 6
CAMPAIGNS_KEPT = 50
STEP_COLORS = ("#7a8899", "#56b4e9", "#0072b2", "#009e73")


@st.cache_data(max_entries=CAMPAIGNS_KEPT, show_spinner=False)
def outcome(campaign: Campaign) -> Outcome:
    """What became of the messages: only counts, nothing personal; kept until one of the counts changes."""
    ledger, name = runtime.current().ledger, campaign.campaign
    events = ledger.events(name, stages=["failed"]) if campaign.failed else None
    return outcome_of(ledger.messages(name, columns=OUTCOME_COLUMNS), events)


def show(campaign: Campaign, found: Outcome) -> None:
    """Draw the cards."""
    left, right = st.columns([3, 2])
    with left.container(border=True, height="stretch"):
        _over_time(found)
    with right:
        with st.container(border=True):
            _from_hand_to_phone(campaign, found)
        with st.container(border=True, height="stretch"):
            _failures(campaign, found.failures)
    left, right = st.columns([3, 2])
    with left.container(border=True, height="stretch"):
        _cost(campaign, found)
    with right.container(border=True, height="stretch"):
        _where(found)
    if len(found.rates) > 1:
        with st.container(border=True):
            _texts(found)


def _over_time(found: Outcome) -> None:
    section(_("Status over time"))
    chart(figures.counted_over_time(found.over_time, tz=zone().key), "status-over-time")


def _from_hand_to_phone(campaign: Campaign, found: Outcome) -> None:
    section(
        _("From handover to delivery"),
        help=_("Only messages handed over; those not sent yet are counted separately."),
    )
    steps = found.rungs
    if steps[0][1]:
        funnel((name, number, color) for (name, number), color in zip(steps, STEP_COLORS, strict=True))
    else:
        st.caption(_("Progress appears here once the first messages are handed to the service."))
    waiting = heaps(campaign)["waiting"]
    if waiting:
        st.caption(plural(waiting, "{count} message not sent yet.", "{count} messages not sent yet."))


def _failures(campaign: Campaign, found: Failures) -> None:
    section(_("Why messages failed"))
    if not found.reasons:
        st.caption(_("No messages have failed so far. Reasons appear here in the service's own words."))
        return
    bars(
        [(reason, number, count(number)) for reason, number in found.reasons[:SHOWN]],
        color=HEAPS["failed"].color,
    )
    if found.credits_billed:
        worth = [credit_count(found.credits_billed)]
        if found.billed is not None:
            worth.append(bill_words({campaign.currency: found.billed}, found.without_price))
        st.caption(_("You are still charged for these: {worth}.").format(worth=", ".join(worth)))


def _cost(campaign: Campaign, found: Outcome) -> None:
    section(_("Estimate and bill"))
    price, currency = campaign.price_per_credit, campaign.currency
    rows = {
        _("Estimate"): credit_count(campaign.credits_low, campaign.credits_high),
        _("Billed so far"): credit_count(campaign.credits_billed),
    }
    if campaign.cost_billed is not None:
        rows[_("Billed in money")] = billed_words(campaign)
    if price is not None:
        rows[_("Price")] = _("{price} per credit").format(price=unit_price(price, currency))
    facts(rows)
    if (found.bill["credits_billed"] != found.bill["credits_high"]).any():
        chart(figures.estimate_to_bill(found.bill), "estimate-to-bill")
    for number, cause, meaning in causes(found.bill):
        st.caption(
            plural(
                number,
                "**{count} message ({cause})**: {meaning}",
                "**{count} messages ({cause})**: {meaning}",
                cause=_(cause),
                meaning=_(meaning),
            )
        )


def _texts(found: Outcome) -> None:
    section(
        _("Which text gets through"),
        help=_("Of the messages whose outcome is known, with 95 % intervals."),
    )
    chart(figures.delivery_rates(found.rates), "texts")
    st.caption(plain(better_text(found.rates)))


def _where(found: Outcome) -> None:
    section(_("Countries and line types"))
    for counts, words in ((found.countries, country_name), (found.line_types, line_type_words)):
        bars(
            [(words(value), number, count(number)) for value, number in counts[:SHOWN]],
            color=HEAPS["on_the_way"].color,
        )
