"""All of the job with the keyboard alone: from the first page to a campaign that was sent, not one click.

A phone has a keyboard too, in a folding case or by Bluetooth, and switches that press its keys.
"""

from __future__ import annotations

import re

import pytest
from dashboard_server import Server, settled
from journey_steps import figure, head, message_box
from patience import wait_until
from playwright.sync_api import FileChooser, Page, expect

pytestmark = pytest.mark.browser
SHEET = b"First name,Mobile,SMS ok\nAnn,07911 123451,yes\nBen,07911 123452,yes\nCem,07911 123453 ext 7,yes\n"
MOST_KEYS, A_MOMENT_MS = 60, 1000
FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const name = one.getAttribute("aria-label") || one.labels?.[0]?.innerText || one.innerText;
  return ["BUTTON", "INPUT", "TEXTAREA", "A"].includes(one.tagName) ? name.trim() : "";
}"""


def come_to(page: Page, wanted: str) -> None:
    """Press the tab key until what has this in its name has the focus."""
    seen = []
    for _key in range(MOST_KEYS):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if re.search(wanted, seen[-1]):
            return
    pytest.fail(f"The tab key never came to {wanted}, but to {seen}")


def press(page: Page, wanted: str) -> None:
    come_to(page, wanted)
    page.keyboard.press("Enter")


def go_on_to_the_message(page: Page) -> None:
    settled(page)
    press(page, "Continue")
    expect(message_box(page)).to_be_visible()
    settled(page)


def test_a_sheet_is_uploaded_put_right_and_sent_without_a_click(server: Server, page: Page) -> None:
    page.goto(server.address)
    settled(page)
    press(page, "New campaign$")
    expect(page.get_by_text("Nothing is sent before the last step", exact=False)).to_be_visible()
    settled(page)
    choosers: list[FileChooser] = []
    page.on("filechooser", lambda asked: choosers.append(asked))  # noqa: PLW0108 - a method of a list has no attributes

    def is_asked() -> bool:
        """Press the button, again where the page was drawn anew under the key."""
        press(page, "Upload$")
        page.wait_for_timeout(A_MOMENT_MS)
        return bool(choosers)

    wait_until(is_asked)
    choosers[0].set_files({"name": "people.csv", "mimeType": "text/csv", "buffer": SHEET})
    for shows in ("These are the first", "What is in the columns", "To look at"):
        expect(page.get_by_text(shows).first).to_be_visible()
        settled(page)
        if shows != "To look at":
            press(page, "Continue")
    press(page, "Approve all|Approve 1|Approve")
    expect(figure(page, "Ready to send")).to_have_text("3")
    go_on_to_the_message(page)
    come_to(page, "^Campaign name$")
    page.keyboard.press("Control+a")
    page.keyboard.type("By keys alone")
    come_to(page, "^Message$")
    page.keyboard.type("Hi {{ fir")
    expect(page.get_by_role("option")).to_have_text(["First name"])
    page.keyboard.press("Enter")
    page.keyboard.type("! Reply STOP to opt out.")
    expect(page.locator(".bubble")).to_contain_text("Hi Ann! Reply STOP")
    press(page, "Continue")
    expect(page.get_by_role("button", name="Send 3 messages")).to_be_visible()
    settled(page)
    come_to(page, "Send now$")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Schedule 3 messages")).to_be_visible()
    settled(page)
    come_to(page, "One time$")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Send 3 messages")).to_be_visible()
    settled(page)
    press(page, "Send 3 messages")
    expect(page.get_by_role("dialog")).to_contain_text("cannot be recalled")
    press(page, "Send now")
    expect(page).to_have_url(re.compile(r"/campaign\?id="))
    expect(head(page)).to_contain_text("Done")
