"""While a page is busy it shows one state of things: never an old and a new one side by side."""

from __future__ import annotations

import re

import pytest
from dashboard_server import ON_A_PHONE, Server, settled
from journey_steps import draft_to_send, head, send, stages
from playwright.sync_api import Page, expect
from sandbox_books import QUICK, TAKES_SOME, SandboxBooks

pytestmark = pytest.mark.browser
PEOPLE = 60

WATCH = r"""() => {
    const main = document.querySelector('[data-testid=stMain]');
    const seen = window.sidesSeen = new Set();
    const once = [
        '.st-key-page-head', '.stages:has(ul)', '.funnel', '.st-key-steps', '.st-key-step-foot',
        '.st-key-preview', '[class*=st-key-sheet-]', '[data-testid=stSpinner]',
    ];
    const parts = {
        'Upload': '[data-testid=stFileUploader]', 'Match columns': '[class*=st-key-column-]',
        'Check rows': '[data-testid=stMetric]', 'Message': '.st-key-preview',
        'Review and send': '.st-key-send',
    };
    const says = (where, words) => new RegExp(words).test(where ? where.innerText : '');
    const has = label =>
        [...main.querySelectorAll('button')].some(button => button.innerText.trim().endsWith(label));
    const look = () => {
        for (const part of once)
            if (main.querySelectorAll(part).length > 1) seen.add('two of ' + part);
        const head = main.querySelector('.st-key-page-head');
        if (says(head, 'Done|Cancelled') && ['Pause', 'Resume', 'Cancel…'].some(has))
            seen.add('ended, with buttons');
        if (says(head, 'Done') && says(main, 'of \d+ messages? handed over')) seen.add('done, on its way');
        if (says(head, 'Paused') && has('Pause')) seen.add('paused, with Pause');
        if (says(head, 'Sending') && has('Resume')) seen.add('sending, with Resume');
        const now = main.querySelector('.st-key-steps [aria-current]');
        for (const [name, part] of Object.entries(parts))
            if (now && !says(now, name) && main.querySelector(part)) seen.add(name + ' in another step');
    };
    new MutationObserver(look).observe(main, {subtree: true, childList: true, characterData: true});
}"""
"""Looks after every change of the page's elements, which a look from outside would miss."""


def assert_one_state(page: Page) -> None:
    """Whatever happened on the page since `WATCH`, no two states were on it at once."""
    assert page.evaluate("() => [...window.sidesSeen]") == []


@pytest.fixture
def books(small_batches: Server) -> SandboxBooks:
    found = SandboxBooks(small_batches.folder)
    found.simulate(QUICK)
    return found


def test_a_campaign_from_start_to_end(page: Page, small_batches: Server, books: SandboxBooks) -> None:
    name = "One state"
    with books.spoiled(**TAKES_SOME):
        send(page, small_batches.folder, small_batches.address, name, PEOPLE)
        page.evaluate(WATCH)
        page.get_by_role("button", name="Pause").click()
        expect(head(page)).to_contain_text("Paused")
        settled(page)
    page.get_by_role("button", name="Resume").click()
    expect(head(page)).to_contain_text("Done")
    expect(stages(page)).to_contain_text(f"Delivered {PEOPLE}")
    settled(page)
    assert_one_state(page)


@ON_A_PHONE
def test_the_steps_of_the_wizard(page: Page, small_batches: Server) -> None:
    page.goto(small_batches.address + draft_to_send(small_batches.folder, "Steps", PEOPLE))
    expect(page.get_by_role("button", name=f"Send {PEOPLE} messages")).to_be_visible()
    settled(page)
    page.evaluate(WATCH)
    for way, steps in (("Back", [4, 3, 2, 1]), ("Continue", [2, 3, 4, 5])):
        for step in steps:
            page.get_by_role("button", name=way).click()
            now = page.locator(".st-key-steps [aria-current]")
            expect(now).to_contain_text(re.compile(f"^{step}"))
            settled(page)
    assert_one_state(page)
