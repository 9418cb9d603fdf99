"""Statuses and costs as frames and figures. Pure: takes and returns frames.

`dashboard.reports.figures` holds the figures and `dashboard.reports.files.campaign_page` a report with them;
plotly is not loaded until one is used.
"""

from dashboard.reports.files.campaign_workbook import campaign_workbook
from dashboard.reports.files.delivery_reports import Report, read_reports, reports_in
from dashboard.reports.files.statement import write_statement
from dashboard.reports.files.workbook import write_sheets
from dashboard.reports.measures.causes import Cause
from dashboard.reports.measures.counting import counts
from dashboard.reports.measures.course import course
from dashboard.reports.measures.money import Money, bill_missing, worth
from dashboard.reports.measures.power import people_needed
from dashboard.reports.measures.stages import Stage, stages
from dashboard.reports.measures.standing import finals, standings
from dashboard.reports.replay import Difference, Replay, replay
from dashboard.reports.tables.comparing.compare import compare
from dashboard.reports.tables.comparing.hours import delivered_by_hour
from dashboard.reports.tables.comparing.rates import compare_groups, compare_rates, delivery_rates
from dashboard.reports.tables.comparing.trends import cost_by, trends
from dashboard.reports.tables.comparing.verdicts import best_hour, better_text
from dashboard.reports.tables.money.costs import billed_cost, cost_by_campaign
from dashboard.reports.tables.money.reconcile import bills, reconcile
from dashboard.reports.tables.money.statement import Statement, month_bounds, monthly_statement
from dashboard.reports.tables.one_campaign.campaign import campaign_facts, recipients
from dashboard.reports.tables.one_campaign.delivery_times import time_to_delivery
from dashboard.reports.tables.one_campaign.progress import funnel_steps, status_over_time
from dashboard.reports.tables.one_campaign.summary import breakdown, campaign_summary, failure_reasons
from dashboard.reports.tables.people.joining import join_by_phone
from dashboard.reports.tables.people.lists import list_decay, list_overlap
from dashboard.reports.tables.people.number_checks import Agreement, compare_checks

__all__ = [
    "Agreement",
    "Cause",
    "Difference",
    "Money",
    "Replay",
    "Report",
    "Stage",
    "Statement",
    "best_hour",
    "better_text",
    "bill_missing",
    "billed_cost",
    "bills",
    "breakdown",
    "campaign_facts",
    "campaign_summary",
    "campaign_workbook",
    "compare",
    "compare_checks",
    "compare_groups",
    "compare_rates",
    "cost_by",
    "cost_by_campaign",
    "counts",
    "course",
    "delivered_by_hour",
    "delivery_rates",
    "failure_reasons",
    "finals",
    "funnel_steps",
    "join_by_phone",
    "list_decay",
    "list_overlap",
    "month_bounds",
    "monthly_statement",
    "people_needed",
    "read_reports",
    "recipients",
    "reconcile",
    "replay",
    "reports_in",
    "stages",
    "standings",
    "status_over_time",
    "time_to_delivery",
    "trends",
    "worth",
    "write_sheets",
    "write_statement",
]
