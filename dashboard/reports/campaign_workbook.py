"""A campaign's report as a workbook."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

import pandas as pd

from dashboard.reports.campaign_tables import campaign_facts, recipients
from dashboard.reports.reconcile import reconcile
from dashboard.reports.summary import breakdown, campaign_summary, failure_reasons
from dashboard.reports.workbook import write_sheets


def campaign_workbook(
    campaign: pd.DataFrame, messages: pd.DataFrame, *, tz: str = "UTC", now: datetime | None = None
) -> bytes:
    """A campaign as XLSX with the sheets Summary, Recipients, Failures, Countries, Causes and Stages.

    Args:
        campaign: Its row of `Ledger.campaigns()`.
        messages: As `Ledger.messages` gives them.
        tz: Time zone of the times.
        now: The present; the clock's when absent.

    Raises:
        SheetError: There are more messages than a worksheet can hold.

    Example:
        >>> Path("spring.xlsx").write_bytes(campaign_workbook(one, ledger.messages(one["campaign"].iloc[0])))
    """
    sheets = {
        "Summary": campaign_facts(campaign, tz=tz),
        "Recipients": recipients(messages, tz=tz, now=now),
        "Failures": failure_reasons(messages),
        "Countries": breakdown(messages, "country").rename(columns={"value": "country"}),
        "Causes": reconcile(messages),
        "Stages": campaign_summary(messages, now=now),
    }
    target = BytesIO()
    write_sheets(sheets, target, title=str(campaign["name"].iloc[0]))
    return target.getvalue()
