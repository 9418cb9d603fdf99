"""A campaign as files: its people with what became of each, and its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.downloads.file_names import file_name
from dashboard.app.downloads.offering import today
from dashboard.app.downloads.tables import CSV, HTML, MOST_XLSX_ROWS, XLSX, as_csv, as_xlsx
from dashboard.app.people import signed_in
from dashboard.app.seen import Seen, rows_seen
from dashboard.ledger import Campaign, Ledger
from dashboard.reports import campaign_workbook, recipients
from dashboard.reports.files.campaign_page import campaign_page
from dashboard.reports.tables.one_campaign.for_people import recipients_in_words
from dashboard.words import _, spoken_here


class File(NamedTuple):
    """A file to download, made only when somebody asks for it.

    Attributes:
        content: What is in it, in the words of its name.
        kind: The same in the audit trail.
    """

    label: str
    content: str
    ending: str
    mime: str
    make: Callable[[], bytes]
    kind: str


def show(campaign: Campaign) -> None:
    """Draw the button with all the files under it, for whoever may download them."""
    if not signed_in().may_export:
        return
    tz = runtime.current().time_zone.key
    people, report = campaign_files(runtime.current().shown, campaign, tz, rows_seen())
    with st.popover(_("Download"), icon=":material/download:"):
        _buttons(campaign, _("Recipients, with the status of each message"), people)
        _buttons(campaign, _("Report with figures and tables"), report)
        if campaign.recipients > MOST_XLSX_ROWS:
            st.caption(
                _("A spreadsheet holds at most 1,048,575 rows, so the recipients are available as CSV only.")
            )
        st.caption(
            _("Times are in {zone}; in CSV, in UTC.").format(zone=tz)
            if tz != "UTC"
            else _("Times are in UTC.")
        )
        st.caption(_("Print the web page to get a PDF."))


def _buttons(campaign: Campaign, caption: str, files: list[File]) -> None:
    st.caption(caption)
    for file in files:
        st.download_button(
            file.label,
            data=actions.handed_out(spoken_here(file.make), campaign.campaign, file.kind),
            file_name=file_name(campaign.name, file.content, today(), file.ending),
            mime=file.mime,
            key=f"download-{file.label}-{campaign.campaign}",
            on_click="ignore",
            width="stretch",
        )


@dataclass(frozen=True)
class _Read:
    """What the files are made of, read when one is made; `seen` leaves what the person may see."""

    ledger: Ledger
    campaign: str
    seen: Seen

    def messages(self) -> pd.DataFrame:
        """Its messages."""
        return self.seen(self.ledger.messages(self.campaign))

    def report(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The campaign among all, and its messages as of the same moment."""
        with self.ledger.one_moment():
            campaigns, messages = self.ledger.campaigns(), self.messages()
        return campaigns[campaigns["campaign"] == self.campaign], messages

    def sheet(self) -> pd.DataFrame:
        """The rows of its sheet."""
        return self.seen(self.ledger.sheet_rows(self.campaign))


def campaign_files(ledger: Ledger, campaign: Campaign, tz: str, seen: Seen) -> tuple[list[File], list[File]]:
    """The files; they are made outside the session, so everything they need is passed in here.

    CSV has UTC and the names of columns that programs know; the other files have words, and the time zone
    `tz` of the figures on the page. All of them say so. `seen` leaves of rows what the person may see.
    """
    read, fits = _Read(ledger, campaign.campaign, seen), campaign.recipients <= MOST_XLSX_ROWS

    def for_programs() -> bytes:
        return as_csv(recipients(read.messages(), sheet_rows=read.sheet()))

    def for_people() -> bytes:
        rows = recipients_in_words(read.messages(), sheet_rows=read.sheet(), tz=tz)
        return as_xlsx(rows, _("Recipients"))

    def page() -> bytes:
        texts = ledger.sent_texts(campaign.campaign)
        return campaign_page(*read.report(), texts=texts, tz=tz)

    def workbook() -> bytes:
        return campaign_workbook(*read.report(), sheet_rows=read.sheet(), tz=tz)

    def figures() -> bytes:
        return campaign_workbook(*read.report(), people=False, tz=tz)

    listed, report = _("recipients"), _("report")
    for_reading = File(_("Excel, to read and e-mail"), listed, "xlsx", XLSX, for_people, "recipients xlsx")
    people = [for_reading] if fits else []
    people.append(File(_("CSV, for programs"), listed, "csv", CSV, for_programs, "recipients csv"))
    reports = [
        File(_("Web page, without people"), report, "html", HTML, page, "report html"),
        File(_("Excel, without people"), _("figures"), "xlsx", XLSX, figures, "figures xlsx"),
    ]
    if fits:
        reports.append(File(_("Excel, with people"), report, "xlsx", XLSX, workbook, "report xlsx"))
    return people, reports
