"""What the messages cost, and what is not known about it."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written, known_links
from dashboard.app.pure.formatting import count, count_range, money_range, plural, unit_price
from dashboard.app.widgets.marks import facts
from dashboard.campaigns import find_urls


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
        if estimate.cost_low is None:
            st.caption("Set DASHBOARD_PRICE_PER_CREDIT to see the cost in money.")
        remarks(draft, written)


def remarks(draft: Draft, written: Written) -> None:
    """Say why the cost is a range, and where the contract leaves it open."""
    estimate = written.estimate
    if draft.shorten_links and not (estimate.is_exact and not find_urls(draft.template)):
        st.caption(_about_links())
    more = estimate.credits_utf16 - estimate.credits_high
    if more > 0:
        st.caption(
            f"Up to {plural(more, 'credit')} more if the service counts emoji as two characters, "
            "which its contract does not say."
        )


def _about_links() -> str:
    learned = known_links(runtime.current())
    if learned is not None:
        return learned.sentence
    return (
        "A range, because the length of the service's short links is not known; it is taken as 15 to 35 "
        "characters."
    )
