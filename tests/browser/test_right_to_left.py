"""Texts begin on the side of their language, whatever the page is in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboard_server import settled
from journey_steps import draft_at_message, message_box, numbers
from playwright.sync_api import Browser, Locator, Page, expect

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.ledger import Ledger
from dashboard.reports.files.campaign_page import campaign_page

pytestmark = pytest.mark.browser
FROM_THE_RIGHT = """
const turn = () => {
  const page = document.documentElement;
  if (page && page.dir !== "rtl") page.dir = "rtl";
};
new MutationObserver(turn).observe(document, { childList: true, subtree: true, attributes: true });
"""
HEBREW, ENGLISH, ARABIC = "שלום, SHOP!", "Doors open!", "مرحبا Ann!"
"""Each ends with a mark that has no side of its own."""

PLACES = """(one, {from, to}) => [from, to - 1].map((at) => {
  const letter = document.createRange();
  letter.setStart(one.firstChild, at);
  letter.setEnd(one.firstChild, at + 1);
  return letter.getBoundingClientRect().left;
})"""


def begins_right(place: Locator, part: str) -> bool:
    """Whether this part of a text is written so that its last character stands to the left of its first."""
    begin = (place.text_content() or "").index(part)
    first, last = place.evaluate(PLACES, {"from": begin, "to": begin + len(part)})
    return bool(last < first)


@pytest.fixture
def hebrew(dashboard: str, dashboard_folder: Path) -> Iterator[tuple[Ledger, str]]:
    """A campaign with a text in Hebrew and a line in English below it."""
    del dashboard  # which has made the ledger
    with Ledger.open(dashboard_folder / "data") as ledger:
        people = clean_contacts(read_sheet("\n".join(["Mobile", *numbers(2)]).encode()), country="GB")
        messages = write_messages(people, f"{HEBREW}\n{ENGLISH}", campaign="Hebrew")
        yield ledger, ledger.create_campaign("Hebrew", messages, batch_size=10)


def test_each_paragraph_of_a_text_begins_on_the_side_of_its_language(
    chromium: Browser, page: Page, dashboard: str, hebrew: tuple[Ledger, str], tmp_path: Path
) -> None:
    ledger, campaign = hebrew
    page.goto(f"{dashboard}/campaign?id={campaign}")
    settled(page)
    page.wait_for_selector(".bubble")
    report = tmp_path / "report.html"
    listed, texts = ledger.campaigns().query("campaign == @campaign"), ledger.sent_texts(campaign)
    report.write_bytes(campaign_page(listed, ledger.messages(campaign), texts=texts))
    with chromium.new_context(offline=True) as elsewhere:
        mailed = elsewhere.new_page()
        mailed.goto(report.as_uri())
        for text in (page.locator(".bubble"), mailed.locator("blockquote")):
            expect(text).to_contain_text(ENGLISH)
            assert begins_right(text, HEBREW)
            assert not begins_right(text, ENGLISH)


def test_an_english_text_on_a_page_from_the_right_keeps_its_side(
    page: Page, dashboard: str, campaign: str
) -> None:
    page.add_init_script(FROM_THE_RIGHT)
    page.goto(f"{dashboard}/campaign?id={campaign}")
    text = "Hi {{ First name | there }}!"
    expect(page.locator(".bubble")).to_have_text(text)
    settled(page)
    assert not begins_right(page.locator(".bubble"), text)


def test_what_is_typed_begins_on_the_side_of_its_language(
    page: Page, dashboard: str, dashboard_folder: Path
) -> None:
    page.goto(dashboard + draft_at_message(dashboard_folder, "Hi!"))
    expect(page.locator(".bubble")).to_have_text("Hi!")
    settled(page)
    bubble, box, behind = page.locator(".bubble"), message_box(page), page.locator(".marks")
    for typed, text, is_right in ((ARABIC, ARABIC, True), ("Hi {{ First name }}!", "Hi Ann!", False)):
        box.fill(typed)
        expect(bubble).to_have_text(text)
        assert begins_right(bubble, text) is is_right
        sides = {one.evaluate("(one) => getComputedStyle(one).direction") for one in (box, behind)}
        assert sides == {"rtl" if is_right else "ltr"}
