"""What several journeys do on the pages, and what they read there."""

from __future__ import annotations

import io
from pathlib import Path

from dashboard_server import settled
from playwright.sync_api import Locator, Page, expect

from dashboard.app.draft_store import Drafts

ROW_HEIGHT, PHONE_X = 35, 120


def onward(page: Page, landmark: str) -> None:
    """Continue to the step on which these words stand."""
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text(landmark, exact=True)).to_be_visible()
    settled(page)


def write(page: Page, label: str, text: str, done: str = "Control+Enter") -> None:
    """Write into a field and leave it with a key."""
    box = page.get_by_role("textbox", name=label, exact=True)
    box.fill(text)
    box.press(done)
    settled(page)


def figure(page: Page, label: str) -> Locator:
    """The value of a figure."""
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def chosen(page: Page, label: str) -> Locator:
    """What is chosen in a field that takes several."""
    return page.get_by_test_id("stMultiSelect").filter(has_text=label).locator("[data-tag]")


def type_over_first_phone(page: Page, text: str) -> None:
    """Correct a row. The table is drawn on a canvas; the cell's editor is an element of its own."""
    table = page.get_by_test_id("stDataFrame").last
    table.dblclick(position={"x": PHONE_X, "y": 1.5 * ROW_HEIGHT})
    page.locator(".gdg-input").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Check these again")).to_be_enabled()


def head(page: Page) -> Locator:
    """The head of a campaign's page, with its state."""
    return page.locator(".st-key-page-head")


def stages(page: Page) -> Locator:
    """How many messages of a campaign are in which heap."""
    return page.locator(".stages").first


def numbers(people: int) -> list[str]:
    """Phones of so many fictional people, E.164; far apart, as numbers in a row would be held back."""
    return [f"+4474001{number * 7919 % 100_000:05d}" for number in range(people)]


def leave_draft(folder: Path, sheet: str, *, owner: str = "local", **choices: object) -> str:
    """Leave a draft with this sheet and these choices in a dashboard's folder; returns its address."""
    drafts = Drafts(folder / "data" / "drafts")
    draft = drafts.begin(owner, "people.csv", io.BytesIO(sheet.encode()))
    drafts.save(draft.model_copy(update={"country": "GB", **choices}))
    return f"/new?draft={draft.id}"


def draft_to_send(folder: Path, name: str, people: int, *, owner: str = "local") -> str:
    """Leave a draft in a dashboard's folder as the wizard does before its last click; returns its address."""
    sheet, text = "\n".join(["Mobile", *numbers(people)]), "Doors open at ten. Reply STOP to opt out."
    return leave_draft(folder, sheet, owner=owner, name=name, template=text, step=5)


PEOPLE = """First name,Mobile,Member,City,Voucher code
Ann,07911 123451,gold,Leeds,A1
Ben,07911 123452,silver,York,B2
"""


def draft_at_message(folder: Path, template: str = "") -> str:
    """Leave a draft for Ann and Ben at the step with the text; returns its address."""
    return leave_draft(folder, PEOPLE, name="Spring", template=template, step=4)


def message_box(page: Page) -> Locator:
    """The box in which the message is written, while there is one text."""
    return page.get_by_role("textbox", name="Message", exact=True)


def send(page: Page, folder: Path, address: str, name: str, people: int) -> None:
    """Send a campaign to so many people; ends on its page."""
    page.goto(address + draft_to_send(folder, name, people))
    ask_to_send(page, people)
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def ask_to_send(page: Page, people: int) -> None:
    """Open the last question of the wizard."""
    page.get_by_role("button", name=f"Send {people} messages").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be recalled")
