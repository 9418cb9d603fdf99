"""A campaign on its way: cancelled, started once only, and sent through a power cut."""

from __future__ import annotations

import re

import pytest
from dashboard_server import Server, settled
from journey_steps import ask_to_send, draft_to_send, head, send, stages
from playwright.sync_api import Locator, Page, expect
from sandbox_books import QUICK, TAKES_SOME, SandboxBooks

pytestmark = pytest.mark.browser

PEOPLE = 300
HELD_UP = {"latency_s": 2}
"""Eight requests of five messages each at once: 20 messages a second."""


@pytest.fixture
def books(small_batches: Server) -> SandboxBooks:
    found = SandboxBooks(small_batches.folder)
    found.simulate(QUICK)
    return found


def test_two_tabs_and_a_double_click_start_it_once_and_one_cancels_it(
    page: Page, small_batches: Server, books: SandboxBooks
) -> None:
    name = "Two tabs"
    draft = small_batches.address + draft_to_send(small_batches.folder, name, PEOPLE)
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(draft)
        ask_to_send(tab, PEOPLE)
    with books.spoiled(**TAKES_SOME):
        page.get_by_role("button", name="Send now").dblclick()
        other.get_by_role("button", name="Send now").click()
        for tab in (page, other):
            expect(tab).to_have_url(re.compile(r"/campaign\?id=\w+"))
        assert page.url == other.url
        wait_for_the_first(page)
        cancel(other)
    expect(head(page)).to_contain_text("Cancelled")
    expect(stages(page)).not_to_contain_text(re.compile("Not sent yet|On their way"))
    sent = len(books.messages(name))
    assert 0 < sent < PEOPLE
    expect(stages(page)).to_contain_text(f"Delivered {sent}")
    expect(stages(page)).to_contain_text(f"Stopped before sending {PEOPLE - sent}")
    page.goto(f"{small_batches.address}/campaigns")
    expect(page.get_by_role("link", name=name, exact=True)).to_have_count(1)
    settled(page)


def test_a_killed_server_goes_on_where_it_was_and_sends_nothing_twice(
    page: Page, small_batches: Server, books: SandboxBooks
) -> None:
    name = "Killed"
    with books.spoiled(**HELD_UP):
        send(page, small_batches.folder, small_batches.address, name, PEOPLE)
        wait_for_the_first(page)
        page.wait_for_load_state("networkidle")  # what draws the page's parts is loaded one by one
        small_batches.kill()
        small_batches.start()
    expect(head(page)).to_contain_text("Done")
    expect(stages(page)).not_to_contain_text(re.compile("Not sent yet|On their way"))
    taken = len(books.messages(name))
    expect(stages(page)).to_contain_text(f"Delivered {taken}")
    if taken < PEOPLE:  # what was on its way when the power went, and did not arrive, is for a person
        expect(page.get_by_text(f"{PEOPLE - taken} messages with an unknown outcome")).to_be_visible()


def cancel(page: Page) -> None:
    """Cancel the campaign on a page."""
    settled(page)
    page.get_by_role("button", name="Cancel…").click()
    expect(page.get_by_role("dialog")).to_contain_text("not yet handed over will never be sent")
    page.get_by_role("button", name="Cancel the campaign").click()
    expect(head(page)).to_contain_text("Cancelled")


def wait_for_the_first(page: Page) -> Locator:
    """Wait until some messages are handed over, as the page shows by itself."""
    progress = page.get_by_text(f"of {PEOPLE} messages handed over")
    expect(progress).to_have_text(re.compile(r"^[1-9]"))
    return progress
