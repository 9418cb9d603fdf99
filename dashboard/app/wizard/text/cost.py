"""What the messages cost, and what is not known about their cost."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES, Written
from dashboard.app.widgets.marks import facts, table
from dashboard.app.widgets.page import section
from dashboard.campaigns import Estimate, find_urls
from dashboard.campaigns.cost.money import known_amounts
from dashboard.contacts.line_types import line_type_words
from dashboard.contacts.words.country_names import country_name
from dashboard.formatting import credit_count, money_range, numbers, unit_price
from dashboard.words import DASH, N_, _, count, plural

SHOWN = 6
LINKS_UNKNOWN = N_(
    "A range, because the length of the service's short links is not known; 15 to 35 characters are assumed."
)


def cost(draft: Draft, written: Written) -> None:
    """Draw the estimate."""
    estimate = written.estimate
    left_out = len(written.messages) - estimate.messages
    rows = {
        _("Messages"): _("{number} ({left_out} left out)").format(
            number=count(estimate.messages), left_out=count(left_out)
        )
        if left_out
        else count(estimate.messages),
        _("Credits"): credit_count(estimate.credits_low, estimate.credits_high),
    }
    if estimate.cost_low is not None:
        rows[_("Cost")] = in_money(estimate)
        rows[_("Price")] = _price(estimate)
    with st.container(border=True):
        facts(rows)
        if draft.variants:
            by_variant(draft, estimate)
        remarks(draft, written)


def in_money(estimate: Estimate) -> str:
    """The cost, or a dash if a price is not known."""
    if estimate.cost_low is None:
        return DASH
    return money_range(estimate.cost_low, estimate.cost_high, estimate.currency or "")


def _price(estimate: Estimate) -> str:
    """The price of a credit, or the range of prices in a price list."""
    prices = sorted(set(estimate.by_country["price_per_credit"]))
    words = DASH.join(
        unit_price(price, estimate.currency or "") for price in dict.fromkeys(prices[:: len(prices) - 1 or 1])
    )
    sentence = _("{price} per credit, by country") if len(prices) > 1 else _("{price} per credit")
    return sentence.format(price=words)


def _no_cost(estimate: Estimate) -> str:
    """Why the cost in money is not known, and what to do."""
    if runtime.current().prices is None:
        return _("To see the cost in money, enter on the page Settings what a credit costs.")
    lacking = ", ".join(
        country_name(code) if code else _("unknown countries") for code in estimate.without_price
    )
    return _(
        "No cost in money: the price list has no price for {lacking}, and none for all other countries (*)."
    ).format(lacking=lacking)


def by_variant(draft: Draft, estimate: Estimate) -> None:
    """Draw what each text costs and how many people get it."""
    names = dict(zip(VARIANT_NAMES, (variant.suffix for variant in draft.variants), strict=False))
    each = estimate.by_variant
    rows = zip(each["variant"], each["messages"], each["credits_low"], each["credits_high"], strict=True)
    table(
        (_("Text"), _("Campaign"), _("People"), _("Credits")),
        [
            (name, f"{draft.name} {names[name]}".strip(), count(messages), numbers(low, high))
            for name, messages, low, high in rows
        ],
        name=_("What each text costs"),
        figures=(_("People"), _("Credits")),
    )


def remarks(draft: Draft, written: Written) -> None:
    """Say why there is no cost in money or why it is a range, and what the contract leaves open."""
    estimate = written.estimate
    if estimate.messages and estimate.cost_low is None:
        st.caption(_no_cost(estimate))
    if draft.shorten_links and written.links and any(map(find_urls, draft.texts)):
        st.caption(written.links.sentence)
    elif not estimate.is_exact:
        st.caption(_(LINKS_UNKNOWN))
    more = estimate.credits_utf16 - estimate.credits_high
    if more > 0:
        st.caption(
            plural(
                more,
                "Up to {count} credit more if the service counts emoji as two characters, which its "
                "contract does not say.",
                "Up to {count} credits more if the service counts emoji as two characters, which its "
                "contract does not say.",
            )
        )


def by_place(estimate: Estimate) -> None:
    """Draw who gets the messages, by country and by line type, with the cost of each."""
    if estimate.messages:
        section(_("By country"))
        _table(estimate, estimate.by_country, "country", country_name)
    if len(estimate.by_line_type) > 1:
        section(_("By line type"))
        _table(estimate, estimate.by_line_type, "line_type", line_type_words)


def _table(estimate: Estimate, totals: pd.DataFrame, by: str, words: Callable[[str], str]) -> None:
    shown, rest = totals.head(SHOWN), totals.iloc[SHOWN:]
    priced = "cost_low" in totals and estimate.currency is not None
    rows = []
    for row in shown.to_dict("records"):
        cells = [_("Not known") if pd.isna(row[by]) else words(row[by]), count(row["messages"])]
        cells.append(numbers(row["credits_low"], row["credits_high"]))
        if priced:
            low, high = known_amounts([row["cost_low"], row["cost_high"]])
            cells.append(money_range(low, high, estimate.currency or ""))
        rows.append(cells)
    heads = {"country": _("Country"), "line_type": _("Line")}
    names = {
        "country": _("Messages and credits by country"),
        "line_type": _("Messages and credits by line type"),
    }
    head = (heads[by], _("People"), _("Credits"), *((_("Cost"),) if priced else ()))
    table(
        head,
        rows,
        name=names[by],
        figures=head[1:],
    )
    if len(rest):
        places = plural(len(rest), "{count} other country", "{count} other countries")
        st.caption(
            plural(
                int(rest["messages"].sum()),
                "And {count} message in {places}.",
                "And {count} messages in {places}.",
                places=places,
            )
        )
