"""The four figures for the last days, with their change and trend."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import streamlit as st

from dashboard.app.phrasing.change import in_points, relative
from dashboard.app.standing.period import Period, Totals
from dashboard.formatting import bill_words, credit_count, money, percent
from dashboard.words import _, count, plural


def show(shown: Period) -> None:
    """Draw the four figures with their change and trend."""
    daily, now, before = shown.daily, shown.now, shown.before
    rises = _rises(now)
    with st.grid(4, min_column_width=150, gap="small", key="figures"):
        _number(_("Accepted"), "accepted", shown, _("Messages that the service accepted."), "off")
        st.metric(
            _("Delivered"),
            percent(now.standing["delivered"], now.standing["accepted"]),
            rises or in_points(now.delivered_share, before.delivered_share),
            delta_color="off" if rises else "normal",
            delta_arrow="off" if rises else "auto",
            chart_data=(daily["delivered_share"].dropna() * 100).tolist(),
            chart_type="line",
            help=_share_words(shown),
            border=True,
            height="stretch",
        )
        refused = plural(
            now.standing["rejected"],
            "Of the accepted messages. {count} more was rejected by the service.",
            "Of the accepted messages. {count} more were rejected by the service.",
        )
        _number(_("Failed"), "failed", shown, refused, "inverse")
        _billed(shown)
    _beside(shown)


def _number(
    label: str, figure: str, shown: Period, about: str, delta_color: Literal["off", "inverse"]
) -> None:
    number = shown.now.standing[figure]
    st.metric(
        label,
        count(number),
        relative(number, shown.before.standing[figure]),
        delta_color=delta_color,
        chart_data=shown.daily[figure].tolist(),
        chart_type="bar",
        help=about,
        border=True,
        height="stretch",
    )


def _share_words(shown: Period) -> str:
    """What the share is of, and how far it can still rise."""
    at_most = shown.now.delivered_share_at_most
    if at_most is None:
        return _("Of the accepted messages.")
    return plural(
        shown.now.awaited,
        "Of the accepted messages. {count} is open, so this can rise to {most} at most.",
        "Of the accepted messages. {count} are open, so this can rise to {most} at most.",
        most=percent(at_most, 1),
    )


def _rises(now: Totals) -> str | None:
    """How far the share can rise, in place of its change; None if that is not seen in what is shown."""
    at_most, accepted = now.delivered_share_at_most, now.standing["accepted"]
    if at_most is None or percent(at_most, 1) == percent(now.standing["delivered"], accepted):
        return None
    return _("up to {most}").format(most=percent(at_most, 1))


def _billed(shown: Period) -> None:
    """In money if a single amount covers everything, otherwise in credits; `_beside` gives the rest."""
    now, before = shown.now, shown.before
    amount, earlier = now.one_amount, before.one_amount
    change: tuple[Decimal | int, Decimal | int | None] = (now.credits_billed, before.credits_billed)
    if amount is not None and (earlier is None or earlier[0] == amount[0]):
        change = (amount[1], earlier and earlier[1])
    st.metric(
        _("Billed"),
        credit_count(now.credits_billed) if amount is None else money(amount[1], amount[0]),
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


def _beside(shown: Period) -> None:
    """The money that one amount does not cover, and the bills that have not come."""
    now, said = shown.now, []
    if now.money.amounts and now.one_amount is None:
        worth = bill_words(now.money.amounts, now.money.without_price)
        said.append(_("Billed in money: {money}.").format(money=worth))
    if now.missing.messages:
        said.append(
            plural(
                now.missing.messages,
                "{count} message has no bill so far (at most {credits}).",
                "{count} messages have no bill so far (at most {credits}).",
                credits=credit_count(now.missing.credits_high),
            )
        )
    if said:
        st.caption(" ".join(said))
