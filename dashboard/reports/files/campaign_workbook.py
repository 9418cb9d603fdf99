"""A campaign's report as a workbook."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.reports.files.workbook import write_sheets
from dashboard.reports.measures.counting import counts
from dashboard.reports.tables.money.reconcile import reconcile
from dashboard.reports.tables.one_campaign.campaign import campaign_facts, in_words
from dashboard.reports.tables.one_campaign.for_people import recipients_in_words
from dashboard.reports.tables.one_campaign.summary import breakdown, campaign_summary, failure_reasons
from dashboard.words import _


@checks_arguments()
def campaign_workbook(
    campaign: pd.DataFrame,
    messages: pd.DataFrame,
    *,
    sheet_rows: pd.DataFrame | None = None,
    people: bool = True,
    tz: str = "UTC",
    now: datetime | None = None,
) -> bytes:
    """A campaign as XLSX with the sheets Summary, Recipients, Failures, Countries, Causes and Stages.

    Args:
        campaign: Its row of `Ledger.campaigns()`.
        messages: As `Ledger.messages` gives them.
        sheet_rows: As `Ledger.sheet_rows` gives them; then the recipients have the sheet's columns too.
        people: Whether the sheet Recipients, with numbers and messages, is in it.
        tz: Time zone of the times.
        now: The current time; the clock's if absent.

    Raises:
        SheetError: There are more messages than a worksheet can hold.

    Example:
        >>> one = ledger.campaigns().query("name == 'Spring'")
        >>> Path("spring.xlsx").write_bytes(campaign_workbook(one, ledger.messages("Spring")))
    """
    counted = counts(messages, now=now)
    # Translators: names of worksheets, at most 31 characters each
    sheets = {_("Summary"): campaign_facts(campaign, messages=messages, tz=tz)}
    if people:
        listed = recipients_in_words(messages, sheet_rows=sheet_rows, tz=tz, now=now)
        sheets[_("Recipients")] = listed
    sheets |= {
        _("Failures"): in_words(failure_reasons(counted)),
        _("Countries"): in_words(breakdown(counted, "country")).rename(columns={"value": "country"}),
        _("Causes"): in_words(reconcile(counted)),
        _("Stages"): in_words(campaign_summary(counted).drop(columns="share")),
    }
    target = BytesIO()
    write_sheets(sheets, target, title=str(campaign["name"].iloc[0]), in_words=[_("Recipients")])
    return target.getvalue()
