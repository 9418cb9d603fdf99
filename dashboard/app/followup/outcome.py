"""What became of a campaign's messages: from file to phone, over time, why some failed, and what it cost."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.followup import told_stop
from dashboard.app.seen import rows_seen
from dashboard.app.standing.costs import billed_words
from dashboard.app.standing.stages import HEAPS, Heap, heaps
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import bars, facts, funnel
from dashboard.app.widgets.page import chart, section
from dashboard.app.widgets.plain import plain
from dashboard.formatting import bill_words, credit_count, percent, unit_price
from dashboard.jobs.outcome import Outcome, causes, outcome_of
from dashboard.ledger import Campaign
from dashboard.reports import better_text, charts, figures
from dashboard.reports.measures.stages import start_of_quarter
from dashboard.reports.measures.standing import open_
from dashboard.words import _, count, plural

SHOWN = 6


def read(campaign_id: str) -> tuple[Campaign, Outcome]:
    """A campaign and what became of its messages, as of the same moment: only counts, nothing personal.

    Raises:
        UnknownCampaignError: There is no such campaign.
    """
    ledger, quarter = runtime.current().shown, start_of_quarter(datetime.now(UTC))
    with ledger.one_moment():
        campaign = ledger.campaign(campaign_id)
        counts, course = ledger.counts(campaign.campaign, now=quarter), ledger.course(campaign.campaign)
    return campaign, outcome_of(counts, course, now=quarter)


def show(campaign: Campaign, found: Outcome) -> None:
    """Draw the cards."""
    left, right = st.columns([3, 2])
    with left:
        with st.container(border=True):
            _over_time(found)
        with st.container(border=True, height="stretch"):
            _cost(campaign, found)
    with right:
        with st.container(border=True):
            _from_hand_to_phone(campaign, found)
        with st.container(border=True):
            _failures(campaign, found)
        with st.container(border=True, height="stretch"):
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
    steps = found.funnel
    if steps["messages"].any():
        first = int(steps["messages"].iloc[0])
        drawn = steps[["label", "messages", "fewer", "colour"]].itertuples(index=False, name=None)
        funnel(
            (label, number, charts.lost_words(fewer), number / first, colour)
            for label, number, fewer, colour in drawn
        )
        _share(campaign)
    else:
        st.caption(_("Progress appears here once the first messages are handed to the service."))
    waiting = heaps(campaign)["waiting"]
    if waiting:
        st.caption(plural(waiting, "{count} message not sent yet.", "{count} messages not sent yet."))


def _share(campaign: Campaign) -> None:
    """The delivered share, and how far it can still rise."""
    of = asdict(campaign)
    if not campaign.accepted:
        return
    share = percent(campaign.delivered, campaign.accepted)
    said = _("**{share}** of the accepted messages were delivered.").format(share=share)
    waiting_for = open_(of)
    if waiting_for:
        most = percent(campaign.delivered + waiting_for, campaign.accepted)
        said += " " + plural(
            waiting_for,
            "{count} is open, so this can rise to {most} at most.",
            "{count} are open, so this can rise to {most} at most.",
            most=most,
        )
    st.caption(said)


def _failures(campaign: Campaign, found: Outcome) -> None:
    section(_("Why messages failed"))
    if found.reasons.empty:
        st.caption(_("No messages have failed so far. Reasons appear here in the service's own words."))
        return
    _largest(rows_seen()(found.reasons), HEAPS["failed"])
    charged = found.charged
    if charged.credits_billed:
        worth = [credit_count(charged.credits_billed)]
        if charged.billed is not None:
            worth.append(bill_words({campaign.currency: charged.billed}, charged.without_price))
        st.caption(_("You are still charged for these: {worth}.").format(worth=", ".join(worth)))
    told_stop.show(campaign)


def _cost(campaign: Campaign, found: Outcome) -> None:
    section(_("Estimate and bill"))
    price, currency = campaign.price_per_credit, campaign.currency
    rows = {
        _("Estimate"): credit_count(campaign.credits_low, campaign.credits_high),
        _("Billed so far"): credit_count(campaign.credits_billed),
    }
    if found.missing.messages:
        rows[_("Bill missing")] = plural(
            found.missing.messages,
            "{count} message, at most {credits}",
            "{count} messages, at most {credits}",
            credits=credit_count(found.missing.credits_high),
        )
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
        help=_("Of the accepted messages, with 95 % intervals; open ones may go either way."),
    )
    chart(figures.delivery_rates(found.rates), "texts")
    st.caption(plain(better_text(found.rates)))


def _where(found: Outcome) -> None:
    section(_("Countries and line types"))
    for counts in (found.countries, found.line_types):
        _largest(counts, HEAPS["on_the_way"])


def _largest(counts: pd.DataFrame, heap: Heap) -> None:
    shown = charts.totals(charts.by_label(counts, most=SHOWN))
    bars([(label, number, count(number)) for label, number in shown], color=heap.color)
