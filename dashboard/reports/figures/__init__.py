"""Figures (plotly) of campaigns, the same in the dashboard and in a notebook.

They take the frames the ledger returns, have no background of their own, load nothing from the internet and
carry an alternative text: `alt_text(figure)`.

Raises:
    FrameError: A frame lacks columns, or has something other than numbers or times where these belong.

Example:
    >>> alt_text(funnel(messages))
"""

from dashboard.reports.figures.costs import cost_by_campaign, credits_histogram, estimate_to_bill
from dashboard.reports.figures.failures import failure_shares
from dashboard.reports.figures.hours import by_hour
from dashboard.reports.figures.lists import list_health
from dashboard.reports.figures.look import alt_text
from dashboard.reports.figures.outcomes import by_country, by_line_type, failure_reasons
from dashboard.reports.figures.progress import counted_over_time, funnel, status_over_time
from dashboard.reports.figures.rates import delivery_rates
from dashboard.reports.figures.still import Still

__all__ = [
    "Still",
    "alt_text",
    "by_country",
    "by_hour",
    "by_line_type",
    "cost_by_campaign",
    "counted_over_time",
    "credits_histogram",
    "delivery_rates",
    "estimate_to_bill",
    "failure_reasons",
    "failure_shares",
    "funnel",
    "list_health",
    "status_over_time",
]
