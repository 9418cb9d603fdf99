"""The four figures for the last days, with their change and trend."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.phrasing.change import in_points, relative
from dashboard.app.standing.period import Period, period
from dashboard.app.viewer import zone
from dashboard.formatting import bill_words, credit_count, money, percent
from dashboard.words import _, count, plural


def show(campaigns: pd.DataFrame, *, days: int, now: datetime) -> None:
    """Draw the four figures with their change and trend."""
    currency = runtime.current().currency
    shown = period(campaigns, days=days, now=now, zone=zone(), currency=currency)
    daily = shown.daily
    with st.grid(4, min_column_width=150, gap="small"):
        st.metric(
            _("Messages sent"),
            count(shown.now.sent),
            relative(shown.now.sent, shown.before.sent),
            delta_color="off",
            chart_data=daily["sent"].tolist(),
            chart_type="bar",
            border=True,
            height="stretch",
        )
        st.metric(
            _("Delivered"),
            percent(shown.now.delivered, shown.now.delivered + shown.now.failed),
            in_points(shown.now.delivered_share, shown.before.delivered_share),
            chart_data=(daily["delivered_share"].dropna() * 100).tolist(),
            chart_type="line",
            help=_("Of the messages that have an outcome."),
            border=True,
            height="stretch",
        )
        st.metric(
            _("Failed"),
            count(shown.now.failed),
            relative(shown.now.failed, shown.before.failed),
            delta_color="inverse",
            chart_data=daily["failed"].tolist(),
            chart_type="bar",
            help=_("Failed at the network or rejected by the service."),
            border=True,
            height="stretch",
        )
        _billed(shown)
    _in_money(shown)


def _billed(shown: Period) -> None:
    """In money if a single amount covers everything, otherwise in credits; `_in_money` gives the rest."""
    now, before = shown.now, shown.before
    in_money = now.one_amount
    change = (now.billed, before.billed) if in_money else (now.credits_billed, before.credits_billed)
    st.metric(
        _("Billed"),
        money(now.billed, runtime.current().currency) if in_money else credit_count(now.credits_billed),
        relative(*change),
        delta_color="off",
        chart_data=shown.daily["credits_billed"].tolist(),
        chart_type="bar",
        help=plural(
            now.credits_billed,
            "{count} credit used, according to the service.",
            "{count} credits used, according to the service.",
        ),
        border=True,
        height="stretch",
    )


def _in_money(shown: Period) -> None:
    """The bill in money if one amount does not cover everything: several currencies, or a missing price."""
    now = shown.now
    if now.money and not now.one_amount:
        st.caption(_("Billed in money: {money}.").format(money=bill_words(now.money, now.without_price)))
