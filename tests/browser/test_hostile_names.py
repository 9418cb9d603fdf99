"""Names that are markup to some reader of text, from the file to the reports: all that shows is letters."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from html import unescape

import pytest
from dashboard_server import settled
from journey_steps import numbers, onward, write
from playwright.sync_api import Locator, Page, expect

from dashboard.app.widgets.plain import JOINER

pytestmark = pytest.mark.browser

MARKUP = "*zqx* `zqx` [zqx](javascript:zqx) <b>zqx</b> :red[zqx] :smile: $zqx$ zqx@zqx.example -> "
NAME = f"# {MARKUP}![zqx](//zqx/x.png)"
COLUMN = f"1. {MARKUP}https://zqx.example www.zqx.example ~~zqx~~ :material/home: <img src=zqx> &copy;"
FILE = f"{MARKUP.replace('/', '')}.csv"
MADE_OF_MARKUP = (
    "a, img, em, del, code, b, h2, ol, ul, .katex, .stMarkdownColoredText, [role=img], [aria-label*=icon]"
)


def shown(place: Locator) -> str:
    """What a place shows, without the signs that have no width."""
    return place.inner_text().replace(JOINER, "")


def shows_only_letters(page: Page, *names: str) -> None:
    """No element on the page comes from a name, and the names are there with all their letters."""
    settled(page)
    markdown = page.get_by_test_id("stMarkdownContainer").or_(page.get_by_test_id("stCaptionContainer"))
    named = markdown.filter(has_text="zqx")
    for place in named.all():
        inside = place.locator(MADE_OF_MARKUP)
        assert inside.count() == 0, [one.evaluate("one => one.outerHTML") for one in inside.all()]
        for strong in place.locator("strong").filter(has_text="zqx").all():
            assert shown(strong) in names
    assert page.locator("[src*=zqx], [href*=zqx]").count() == 0
    everything = shown(page.locator("body"))
    assert [name for name in names if name not in everything] == []


def test_names_are_letters_from_the_file_to_the_reports(
    go: Callable[[str, str], Page], dashboard: str
) -> None:
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(
        {"name": FILE, "mimeType": "text/csv", "buffer": sheet()}
    )
    expect(page.get_by_text("These are the first")).to_be_visible()
    shows_only_letters(page, FILE)
    onward(page, "What is in the columns")
    shows_only_letters(page, FILE)
    onward(page, "Ready to send")
    page.get_by_role("button", name="Save the list").click()
    write(page, "Name", NAME, "Tab")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    shows_only_letters(page, FILE)
    onward(page, "Preview")
    write(page, "Campaign name", NAME, "Tab")
    write(page, "Message", NAME)
    shows_only_letters(page, NAME)
    page.get_by_role("combobox", name="Insert from the sheet").click()
    assert unescape(COLUMN) in [shown(option) for option in page.get_by_role("option").all()]
    page.keyboard.press("Escape")
    onward(page, "The first message")
    shows_only_letters(page, FILE, NAME)
    page.get_by_role("button", name="Send 3 messages").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be recalled")
    shows_only_letters(page, NAME)
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    heading = page.locator(".st-key-page-head h1")
    expect(heading).to_contain_text("zqx")
    settled(page)  # before, it may be there and not drawn
    assert shown(heading) == NAME
    expect(page.locator(".st-key-page-head")).to_contain_text("Done")
    shows_only_letters(page, NAME)
    for path, title, names in (
        ("/", "Overview", []),
        ("/campaigns", "Campaigns", [NAME]),
        ("/contacts", "Contacts", []),
    ):
        shows_only_letters(go(path, title), *names)
    page = go("/delivery-reports", "Delivery reports")
    page.locator("input[type=file]").set_input_files(
        {"name": FILE, "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    )
    expect(page.get_by_test_id("stAlert")).to_contain_text("zqx")
    shows_only_letters(page, FILE)


def sheet() -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows([["Mobile", COLUMN], *([number, NAME] for number in numbers(3))])
    return written.getvalue().encode()
