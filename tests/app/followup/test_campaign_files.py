"""What a campaign's page offers to download: made outside the session, from the ledger as it stands then."""

from __future__ import annotations

import io
from collections.abc import Callable

from app_seeds import sent_campaign, started_campaign
from openpyxl import load_workbook
from streamlit.testing.v1 import AppTest

from dashboard.app.followup.files import campaign_files
from dashboard.app.runtime import Runtime
from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.reports.files.campaign_page import campaign_page


def test_the_page_offers_recipients_and_report(open_page: Callable[..., AppTest], wired: Runtime) -> None:
    page = open_page("campaign", id=sent_campaign(wired.ledger))
    offered = [one.label for one in page.get("download_button")]
    assert offered[:4] == ["Recipients (CSV)", "Recipients (XLSX)", "Report (HTML)", "Report (XLSX)"]


def test_every_file_is_made_of_the_campaign_asked_for(wired: Runtime) -> None:
    started_campaign(wired.ledger, "Another", 3)
    campaign = wired.ledger.campaign(sent_campaign(wired.ledger, "=1+1"))
    people, report = campaign_files(wired.ledger, campaign, "Europe/Berlin")
    sheets = [read_sheet(file.make()).frame for file in people]
    for sheet in sheets:
        assert sheet["stage"].value_counts().to_dict() == {"delivered": 8, "failed": 1, "sent": 1}
        assert sheet["phone"].iloc[3] == "+447911000003"
    page, workbook = (file.make() for file in report)
    assert b"<h1>=1+1</h1>" in page
    summary = load_workbook(io.BytesIO(workbook))["Summary"]
    assert summary["B2"].value == "=1+1"
    assert summary["B2"].data_type == "s"


def test_the_report_tells_failures_when_they_were_heard_as_the_page_does(wired: Runtime) -> None:
    ledger, campaign = wired.ledger, sent_campaign(wired.ledger)
    _, report = campaign_files(ledger, ledger.campaign(campaign), "Europe/Berlin")
    row, messages, events = ledger.campaigns(), ledger.messages(campaign), ledger.events(campaign)
    untimed = messages.drop(columns="failed_at")  # as files of earlier versions have them
    assert report[0].make() == campaign_page(row, untimed, events=events, tz="Europe/Berlin")
    assert report[0].make() != campaign_page(row, untimed, tz="Europe/Berlin")


def test_recipients_keep_the_columns_of_the_sheet(wired: Runtime) -> None:
    sheet = read_sheet(b"Phone;Customer\n07911 068204;A-1\n07911 068211;A-2\n")
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi", campaign="Spring")
    campaign = wired.ledger.create_campaign("Spring", messages, batch_size=10, sheet=sheet)
    people, _ = campaign_files(wired.ledger, wired.ledger.campaign(campaign), "Europe/Berlin")
    for file in people:
        table = read_sheet(file.make()).frame
        assert table["Customer"].tolist() == ["A-1", "A-2"]
        assert table["Phone"].tolist() == ["07911 068204", "07911 068211"]
        assert table["phone"].tolist() == ["+447911068204", "+447911068211"]
