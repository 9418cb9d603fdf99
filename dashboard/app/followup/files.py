"""A campaign as files: its people with what became of each, and its report."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.people import signed_in
from dashboard.app.sheets.downloads import CSV, HTML, MOST_XLSX_ROWS, XLSX, as_csv, as_xlsx
from dashboard.ledger import Campaign, Ledger
from dashboard.reports import campaign_workbook, recipients
from dashboard.reports.files.campaign_page import campaign_page
from dashboard.words import _


class File(NamedTuple):
    """A file to download, made only when somebody asks for it."""

    label: str
    name: str
    mime: str
    make: Callable[[], bytes]


def show(campaign: Campaign) -> None:
    """Draw the button with all the files under it, for whoever may download them."""
    if not signed_in().may_export:
        return
    people, report = campaign_files(runtime.current().ledger, campaign, runtime.current().time_zone.key)
    with st.popover(_("Download"), icon=":material/download:"):
        _buttons(_("Recipients, with the status of each message"), people)
        _buttons(_("Report with figures and tables"), report)
        if campaign.recipients > MOST_XLSX_ROWS:
            st.caption(
                _("A spreadsheet holds at most 1,048,575 rows, so the recipients are available as CSV only.")
            )


def _buttons(caption: str, files: list[File]) -> None:
    st.caption(caption)
    for file in files:
        st.download_button(
            file.label,
            data=file.make,
            file_name=file.name,
            mime=file.mime,
            key=f"download-{file.name}",
            on_click="ignore",
            width="stretch",
        )


def campaign_files(ledger: Ledger, campaign: Campaign, tz: str) -> tuple[list[File], list[File]]:
    """The files; they are made outside the session, so everything they need is passed in here.

    Tables carry UTC, and the report the time zone `tz` of the figures on the page; both say so.
    """
    one, name = campaign.campaign, f"campaign-{campaign.campaign[:8]}"

    def listed() -> pd.DataFrame:
        return recipients(ledger.messages(one), sheet_rows=ledger.sheet_rows(one))

    def row() -> pd.DataFrame:
        campaigns = ledger.campaigns()
        return campaigns[campaigns["campaign"] == one]

    people = [File(_("Recipients (CSV)"), f"{name}-recipients.csv", CSV, lambda: as_csv(listed()))]
    report = [
        File(
            _("Report (HTML)"),
            f"{name}.html",
            HTML,
            lambda: campaign_page(row(), ledger.messages(one), tz=tz),
        )
    ]
    if campaign.recipients <= MOST_XLSX_ROWS:
        people += [File(_("Recipients (XLSX)"), f"{name}-recipients.xlsx", XLSX, lambda: as_xlsx(listed()))]
        report += [
            File(
                _("Report (XLSX)"),
                f"{name}.xlsx",
                XLSX,
                lambda: campaign_workbook(row(), ledger.messages(one)),
            )
        ]
    return people, report
