"""A campaign as files: read back they say what the frames say; nothing in them runs or asks the internet."""

from __future__ import annotations

import io
import re
from html import unescape
from html.parser import HTMLParser

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, campaigns, messages
from openpyxl import load_workbook

from dashboard.campaigns import SentText
from dashboard.errors import SheetError
from dashboard.reports import (
    better_text,
    campaign_facts,
    campaign_workbook,
    counts,
    delivery_rates,
    recipients,
    write_sheets,
)
from dashboard.reports.files.campaign_page import campaign_page
from dashboard.reports.schema import SCHEMAS

TEXTS = {"A": "Hi\nthere", "B": "Hello"}
PEOPLE = r"447911123456|4915123456789|HYPERLINK|Hi Ann"
EVIL = "</script><img src=https://a.example/x.png>"
CAMPAIGN = campaigns({"name": "=1+1", "recipients": 4, "delivered": 2, "failed": 2, "rejected": 0})
FRAME = messages(
    DELIVERED,
    {**DELIVERED, "country": "DE", "to": "+4915123456789", "body": "=HYPERLINK(1)"},
    FAILED,
    {**FAILED, "failure_reason": EVIL},
)


class Addresses(HTMLParser):
    """Everything in a page that a browser would fetch by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.images = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.images += tag == "img"
        self.found += [value or "" for name, value in attrs if name in {"src", "href", "data", "action"}]


def test_recipients_are_as_declared_and_on_the_clock_asked_for() -> None:
    table = recipients(FRAME, tz="Europe/Berlin", now=NOW)
    assert list(table) == [column.name for column in SCHEMAS["recipients(...)"]]
    assert table["stage"].tolist() == ["delivered", "delivered", "failed", "failed"]
    assert table["sent_at"].astype("str").iloc[0] == "2027-03-01 11:00:00+01:00"


def test_a_campaign_that_never_started_has_no_start() -> None:
    facts = campaign_facts(CAMPAIGN)["fact"].tolist()
    assert ("Recipients" in facts, "Started" in facts) == (True, False)


def test_who_told_the_service_stop_is_a_fact_of_its_own() -> None:
    said = FRAME.assign(failure_reason=["OPTED_OUT", None, "replied STOP", "blocked by carrier"])
    facts = campaign_facts(CAMPAIGN, messages=said).set_index("fact")["value"]
    assert facts["Failed because the person had told the service STOP"] == 1, "and one arrived after all"
    for given in (FRAME, counts(said, now=NOW)):
        assert "STOP" not in " ".join(campaign_facts(CAMPAIGN, messages=given)["fact"])
    page = campaign_page(CAMPAIGN, said, now=NOW)
    assert b"had told the service STOP" in page


def test_the_workbook_has_its_sheets_and_no_formula() -> None:
    book = load_workbook(io.BytesIO(campaign_workbook(CAMPAIGN, FRAME, tz="Europe/Berlin", now=NOW)))
    assert book.sheetnames == ["Summary", "Recipients", "Failures", "Countries", "Causes", "Stages"]
    heads = [cell.value for cell in book["Recipients"][1]]
    assert {"Sent (Europe/Berlin)", "Delivered (Europe/Berlin)"} <= set(heads)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert {"=1+1", "=HYPERLINK(1)", "+447911123456"} <= {cell.value for cell in cells}
    people = list(book["Recipients"].iter_rows(values_only=True))
    assert len(people) == 1 + len(FRAME)
    assert str(people[1][people[0].index("Sent (Europe/Berlin)")]) == "2027-03-01 11:00:00"


def test_a_workbook_refuses_more_rows_than_it_holds() -> None:
    with pytest.raises(SheetError, match="Write a CSV file instead"):
        write_sheets({"Many": pd.DataFrame({"n": range(1_048_576)})}, io.BytesIO())


def test_the_page_fetches_nothing_says_what_the_frames_say_and_holds_nobodys_number_or_text() -> None:
    told = [SentText(name, "Spring", None, f"{text} {{{{ Name }}}} <b>") for name, text in TEXTS.items()]
    page = campaign_page(CAMPAIGN, FRAME, texts=told, tz="Europe/Berlin", now=NOW).decode()
    read = Addresses()
    read.feed(page)
    assert (read.found, read.images) == ([], 0)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    assert "default-src 'none'" in page
    assert page.count("Plotly.newPlot(") >= 6
    assert "<title>=1+1</title>" in page
    assert "How far the messages got: 4 handed to the service, 4 accepted, 4 sent, 2 delivered." in page
    assert not re.search(PEOPLE, page)
    said = re.findall(r'<h3>(.*?)</h3><blockquote dir="auto">(.*?)</blockquote>', page, re.DOTALL)
    assert said == [(f"Text {name}", f"{text} {{{{ Name }}}} &lt;b&gt;") for name, text in TEXTS.items()]


def test_the_workbook_has_nobody_in_it_if_so_wished() -> None:
    book = load_workbook(io.BytesIO(campaign_workbook(CAMPAIGN, FRAME, people=False, now=NOW)))
    cells = str([cell.value for sheet in book for row in sheet.iter_rows() for cell in row])
    assert not re.search(PEOPLE, cells)
    assert "Recipients" not in book.sheetnames


def test_a_campaign_without_messages_has_a_page_and_a_workbook() -> None:
    empty = messages()
    assert "appears here once" in campaign_page(CAMPAIGN, empty).decode()
    assert len(load_workbook(io.BytesIO(campaign_workbook(CAMPAIGN, empty)))["Recipients"]["A"]) == 1


def test_the_report_says_of_two_texts_what_the_page_says() -> None:
    fates = [*[("A", DELIVERED)] * 60, *[("B", DELIVERED)] * 30, *[("B", FAILED)] * 30]
    texts = messages(*[{**fate, "variant": name} for name, fate in fates])
    page = unescape(campaign_page(CAMPAIGN, texts, now=NOW).decode())
    assert better_text(delivery_rates(texts, "variant", now=NOW)) in page
    assert "A gets through more often than B: by " in page
