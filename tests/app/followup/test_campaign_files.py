"""What a campaign's page offers to download: made outside the session, from the ledger as it stands then."""

from __future__ import annotations

import io
from functools import partial

from app_seeds import sent_campaign, started_campaign
from openpyxl import load_workbook
from page_reading import Open

from dashboard.app.followup.files import campaign_files
from dashboard.app.runtime import Runtime
from dashboard.app.seen import in_full
from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.reports.files.campaign_page import campaign_page


def test_the_page_offers_recipients_and_report_and_no_names_where_there_are_none(
    open_page: Open, wired: Runtime
) -> None:
    page = open_page("campaign", id=sent_campaign(wired.ledger))
    offered = [one.label for one in page.get("download_button")]
    assert offered[:5] == [
        *("Excel, to read and e-mail", "CSV, for programs"),
        *("Web page, without people", "Excel, without people", "Excel, with people"),
    ]
    assert "Name" not in page.dataframe[-1].value


def test_every_file_is_made_of_the_campaign_asked_for(wired: Runtime) -> None:
    ledger = wired.ledger
    started_campaign(ledger, "Another", 3)
    campaign = sent_campaign(ledger, "=1+1")
    people, report = campaign_files(ledger, ledger.campaign(campaign), "Asia/Tokyo", in_full)
    workbook, table = (file.make() for file in people)
    read, calculated = read_sheet(workbook).frame, read_sheet(table).frame
    assert read["Status"].value_counts().to_dict() == {"Delivered": 8, "Failed": 1, "Sent": 1}
    assert calculated["stage"].value_counts().to_dict() == {"delivered": 8, "failed": 1, "sent": 1}
    assert read["Number"].iloc[3] == calculated["phone"].iloc[3] == "+447911000003"
    head, first, *_rest = load_workbook(io.BytesIO(workbook)).active.iter_rows(values_only=True)
    cells = dict(zip(head, first, strict=True))
    sent = ledger.messages(campaign)["sent_at"].dt.tz_convert("Asia/Tokyo").iloc[0]
    assert cells["Sent (Asia/Tokyo)"] == sent.floor("s").to_pydatetime().replace(tzinfo=None)
    assert (cells["Row"], cells["Credits billed"], cells["Country of the number"]) == (1, 1, "United Kingdom")
    assert cells["Kind of line"] == "Mobile"
    assert "Text" not in cells  # there is only one
    page, figures, with_people = (file.make() for file in report)
    assert b"<h1><bdi>=1+1</bdi></h1>" in page
    assert b'<blockquote dir="auto">Hi!</blockquote>' in page
    assert not any(b"447911" in content for content in (page, figures))
    assert "Recipients" not in load_workbook(io.BytesIO(figures)).sheetnames
    summary = load_workbook(io.BytesIO(with_people))["Summary"]
    assert (summary["B2"].value, summary["B2"].data_type) == ("=1+1", "s")
    row, events = ledger.campaigns().query("campaign == @campaign"), ledger.events(campaign)
    untimed = ledger.messages(campaign).drop(columns="failed_at")  # as files of earlier versions have them
    again = partial(campaign_page, row, untimed, texts=ledger.sent_texts(campaign), tz="Asia/Tokyo")
    assert page == again(events=events) != again()  # failures are told when they were heard of


def test_recipients_keep_the_columns_of_the_sheet(wired: Runtime) -> None:
    sheet = read_sheet(b"Phone;Customer\n07911 068204;A-1\n07911 068211;A-2\n")
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi", campaign="Spring")
    campaign = wired.ledger.create_campaign("Spring", messages, batch_size=10, sheet=sheet)
    people, _ = campaign_files(wired.ledger, wired.ledger.campaign(campaign), "Europe/Berlin", in_full)
    read, calculated = (read_sheet(file.make()).frame for file in people)
    assert read["Customer"].tolist() == calculated["Customer"].tolist() == ["A-1", "A-2"]
    assert calculated["Phone"].tolist() == ["07911 068204", "07911 068211"]
    assert read["Number"].tolist() == calculated["phone"].tolist() == ["+447911068204", "+447911068211"]
    assert "Phone" not in read  # the same number in another spelling
