"""A year of made-up campaigns from the first click to the last, on the overview of the first day."""

from __future__ import annotations

import pytest
from accessibility import assert_accessible
from dashboard_server import Server, settled
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OFFER, MARK = "Show a year of sample history", "Sample history."


def test_a_year_is_filled_in_looked_at_and_removed(server: Server, page: Page) -> None:
    page.goto(server.address)
    page.get_by_role("button", name=OFFER).click()
    expect(page.get_by_text("is being prepared")).to_be_visible()
    mark = page.get_by_text(MARK)
    expect(mark).to_be_visible()
    expect(page.get_by_text("Cost per campaign")).to_be_visible()
    settled(page)
    assert_accessible(page)
    page.goto(f"{server.address}/campaigns")
    expect(mark).to_be_visible()
    page.get_by_role("link", name="(sample)").first.click()
    expect(page.get_by_role("heading", name="(sample)").first).to_be_visible()
    expect(mark).to_be_visible()
    expect(page.get_by_role("button", name="Use again")).to_have_count(0)
    settled(page)
    assert_accessible(page)
    page.get_by_role("button", name="Remove…").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove the sample history").click()
    expect(page).to_have_url(f"{server.address}/")
    expect(mark).to_have_count(0)
    expect(page.get_by_role("button", name=OFFER)).to_be_visible()
    assert not (server.folder / "data" / "sample-history").exists()
