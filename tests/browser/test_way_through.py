"""The address names the step of a draft: Back, reload, another tab and a click on a step all lead to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, settled
from journey_steps import leave_draft, message_box
from playwright.sync_api import Page, expect

from dashboard.app.drafts import STEPS

pytestmark = pytest.mark.browser
SHEET = "First name,Mobile\nAnn,+447400183645\nBen,+447400183646\n"
SHOWS = {
    "upload": "These are the first",
    "columns": "What is in the columns",
    "rows": "Ready to send",
    "message": "Campaign name",
    "review": "The first message",
}


@pytest.fixture
def begun(dashboard: str, dashboard_folder: Path) -> Callable[..., str]:
    """Begins a draft with a sheet and a message; gives its address, without a step."""

    def begin(**filled: object) -> str:
        return dashboard + leave_draft(dashboard_folder, SHEET, name="Spring", template="Hi!", **filled)

    return begin


def test_each_step_is_named_and_reached_again(page: Page, begun: Callable[..., str]) -> None:
    address = begun()
    page.goto(f"{address}&step=upload")
    for step in STEPS[:-1]:
        stands(page, address, step)
        page.get_by_role("button", name="Continue").click()
    stands(page, address, "review")
    assert_accessible(page)

    for step in reversed(STEPS[:-1]):
        page.go_back()
        stands(page, address, step)
    for step in STEPS[1:]:
        page.go_forward()
        stands(page, address, step)
        page.reload()
        stands(page, address, step)

    for step, name in (("rows", "Check rows"), ("upload", "Upload"), ("review", "Review and send")):
        page.locator(".st-key-steps").get_by_role("button", name=name).click()
        stands(page, address, step)
    page.go_back()
    stands(page, address, "upload")


COUNT_CLICKS = """document.addEventListener('click', event => {
    if (event.isTrusted) sessionStorage.clicks = 1 + Number(sessionStorage.clicks || 0);
}, true)"""


@ON_A_PHONE
def test_from_a_sheet_known_before_to_sent_takes_seven_clicks(page: Page, dashboard: str) -> None:
    page.add_init_script(COUNT_CLICKS)
    page.goto(f"{dashboard}/new")
    settled(page)
    with page.expect_file_chooser() as opened:
        page.get_by_test_id("stFileUploaderDropzone").get_by_role("button", name="Upload").last.click()
    opened.value.set_files({"name": "people.csv", "mimeType": "text/csv", "buffer": SHEET.encode()})
    for shows in (SHOWS["upload"], SHOWS["columns"], SHOWS["rows"]):
        expect(page.get_by_text(shows).first).to_be_visible()
        settled(page)
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("textbox", name="Campaign name").fill("Seven")
    message_box(page).fill("Doors open at ten. Reply STOP to opt out.")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Send 2 messages").click()
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(page.get_by_text(re.compile("2 of 2|Done")).first).to_be_visible()
    assert int(page.evaluate("() => sessionStorage.clicks")) <= 7


@ON_A_PHONE
def test_two_tabs_stand_at_steps_of_their_own(page: Page, begun: Callable[..., str]) -> None:
    address = begun(step=5)
    page.goto(f"{address}&step=message")
    stands(page, address, "message")
    other = page.context.new_page()
    other.goto(f"{address}&step=rows")
    stands(other, address, "rows")
    page.reload()
    stands(page, address, "message")
    other.get_by_role("button", name="Continue").click()
    stands(other, address, "message")
    other.get_by_role("textbox", name="Campaign name").fill("Autumn")
    other.keyboard.press("Tab")
    settled(other)
    other.close()
    page.reload()
    expect(page.get_by_role("textbox", name="Campaign name")).to_have_value("Autumn")


@ON_A_PHONE
def test_continue_stays_in_sight_and_covers_nothing_that_is_tabbed_to(
    page: Page, begun: Callable[..., str]
) -> None:
    page.goto(f"{begun(step=4)}&step=message")
    expect(page.get_by_role("button", name="Continue")).to_be_in_viewport(ratio=1)
    settled(page)
    page.get_by_role("textbox", name="Campaign name").focus()
    for _ in range(25):
        page.keyboard.press("Tab")
        assert not page.evaluate(HIDDEN_BEHIND_THE_FOOT)
        expect(page.get_by_role("button", name="Continue")).to_be_in_viewport(ratio=1)


HIDDEN_BEHIND_THE_FOOT = """() => {
    const foot = document.querySelector('.st-key-step-foot');
    const at = document.activeElement;
    if (at === document.body || foot.contains(at)) return false;
    const main = document.querySelector('[data-testid=stMain]');
    return main.contains(at) && at.getBoundingClientRect().top >= foot.getBoundingClientRect().top;
}"""


def stands(page: Page, address: str, step: str) -> None:
    """This step is open and named, and no other."""
    expect(page).to_have_url(f"{address}&step={step}")
    expect(page.locator(".st-key-steps [aria-current]")).to_contain_text(str(STEPS.index(step) + 1))
    expect(page.get_by_text(SHOWS[step]).first).to_be_visible()
    settled(page)
