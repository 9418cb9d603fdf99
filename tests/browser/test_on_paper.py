"""A campaign's page and the overview, printed: what they say, black on white, with whole charts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dashboard_server import settled
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
IN_DARK = pytest.mark.parametrize("look", [("desktop", "dark")], indirect=True, ids="-".join)
MOST_PAGES = 5
MARGINS = dict.fromkeys(("top", "right", "bottom", "left"), "14mm")
PAPER_WIDTH = 688
"""A4 between these margins, in CSS pixels."""
TO_CLICK = "button, input, [data-testid=stSidebar], [data-testid=stElementToolbar], [data-testid=stPopover]"
NOT_BLACK = """() => [...document.querySelectorAll("[data-testid=stMain] :is(p, h1, h2, li, dt, dd, td, th)")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).color !== "rgb(0, 0, 0)")
  .map((one) => one.innerText)"""
WIDEST = """() => Math.max(...[...document.querySelectorAll("[data-testid=stPlotlyChart] .main-svg")]
  .map((one) => one.getBoundingClientRect().width))"""


@IN_DARK
@pytest.mark.parametrize("path", ["", "campaign?id={id}"])
def test_a_page_is_printed_black_on_white_with_whole_charts(
    page: Page, look: tuple[str, str], dashboard: str, campaign: str, path: str, tmp_path: Path
) -> None:
    del look
    page.goto(f"{dashboard}/{path.format(id=campaign)}")
    settled(page)
    expect(page.locator("[data-testid=stPlotlyChart] .main-svg").first).to_be_visible()
    widest = page.evaluate(WIDEST)  # as wide as on the screen, since no program runs between screen and paper
    paper = page.pdf(path=tmp_path / "page.pdf", format="A4", margin=MARGINS)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= MOST_PAGES
    page.emulate_media(media="print")
    assert [one for one in page.locator(TO_CLICK).all() if one.is_visible()] == []
    assert page.evaluate(NOT_BLACK) == []
    for part in ("stApp", "stMain"):
        place = page.get_by_test_id(part)
        assert place.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
        assert place.evaluate("(one) => getComputedStyle(one).overflowY") == "visible"
    zoom = page.get_by_test_id("stMain").evaluate("(one) => Number(getComputedStyle(one).zoom)")
    assert 0 < widest * zoom <= PAPER_WIDTH
