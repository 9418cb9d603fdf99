"""What the messages cost, and what is not known about it."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES, Written
from dashboard.app.pure.formatting import count, count_range, money_range, numbers, plural, unit_price
from dashboard.app.widgets.marks import facts, table
from dashboard.campaigns import Estimate, find_urls

LINKS_UNKNOWN = (
    "A range, because the length of the service's short links is not known; it is taken as 15 to 35 "
    "characters."
)


def cost(draft: Draft, written: Written) -> None:
    """Draw the estimate."""
    estimate, settings = written.estimate, runtime.current().settings
    left_out = len(written.messages) - estimate.messages
    rows = {
        "Messages": count(estimate.messages) + (f" ({count(left_out)} left out)" if left_out else ""),
        "Credits": count_range(estimate.credits_low, estimate.credits_high, "credit"),
    }
    if estimate.price_per_credit is not None:
        rows["Cost"] = money_range(estimate.cost_low, estimate.cost_high, settings.currency)
        rows["Price"] = f"{unit_price(estimate.price_per_credit, settings.currency)} a credit"
    with st.container(border=True):
        facts(rows)
        if draft.variants:
            by_variant(draft, estimate)
        if estimate.cost_low is None:
            st.caption("Set DASHBOARD_PRICE_PER_CREDIT to see the cost in money.")
        remarks(draft, written)


def by_variant(draft: Draft, estimate: Estimate) -> None:
    """Draw what each text costs and how many people get it."""
    names = dict(zip(VARIANT_NAMES, (variant.suffix for variant in draft.variants), strict=False))
    each = estimate.by_variant
    rows = zip(each["variant"], each["messages"], each["credits_low"], each["credits_high"], strict=True)
    table(
        ("Text", "Campaign", "People", "Credits"),
        [
            (name, f"{draft.name} {names[name]}".strip(), count(messages), numbers(low, high))
            for name, messages, low, high in rows
        ],
        name="What each text costs",
        figures=("People", "Credits"),
    )


def remarks(draft: Draft, written: Written) -> None:
    """Say why the cost is a range, and where the contract leaves it open."""
    estimate = written.estimate
    if draft.shorten_links and not (estimate.is_exact and not any(map(find_urls, draft.texts))):
        st.caption(written.links.sentence if written.links else LINKS_UNKNOWN)
    more = estimate.credits_utf16 - estimate.credits_high
    if more > 0:
        st.caption(
            f"Up to {plural(more, 'credit')} more if the service counts emoji as two characters, "
            "which its contract does not say."
        )
