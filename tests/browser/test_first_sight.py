"""What is seen before the pages' program has arrived, and that nothing moves once it has."""

from __future__ import annotations

import pytest
from dashboard_server import ON_BOTH, settled
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

PLACES = """
window.places = [];
(function look() {
  const main = document.querySelector("[data-testid=stMain]");
  if (main) window.places.push(main.getBoundingClientRect().x);
  requestAnimationFrame(look);
})();
"""

SHIFTED = """
const held = new CSSStyleSheet();
held.replaceSync("[data-testid=stMain] * { animation-duration: 60s !important }");
document.adoptedStyleSheets.push(held);
window.shifted = 0;
new PerformanceObserver((seen) => {
  for (const shift of seen.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""What would move is hidden for five seconds at most: here for as long as a busy machine needs."""
MOST_SHIFTED = 0.1
"""What is called good: https://web.dev/articles/cls"""


@ON_BOTH
def test_an_outline_is_there_at_once(page: Page, look: tuple[str, str], dashboard: str) -> None:
    del look
    held: list[Route] = []
    program = "**/static/js/*"

    def hold(route: Route) -> None:
        held.append(route)

    page.route(program, hold)
    page.goto(f"{dashboard}/contacts", wait_until="commit")
    expect(page.get_by_text("Campaign dashboard", exact=True)).to_be_visible()
    expect(page).to_have_title("Campaign dashboard")
    page.route(program, lambda route: route.continue_())
    for route in held:
        route.continue_()
    settled(page)
    expect(page.locator(".opening")).to_have_count(0)


def test_the_page_stays_where_it_was_drawn_first(page: Page, dashboard: str) -> None:
    page.add_init_script(PLACES)
    page.goto(f"{dashboard}/contacts")
    settled(page)
    assert len(set(page.evaluate("window.places"))) == 1


@ON_BOTH
@pytest.mark.parametrize("path", ["", "new", "campaign?id={id}"])
def test_nothing_moves_while_a_page_comes(
    page: Page, look: tuple[str, str], dashboard: str, campaign: str, path: str
) -> None:
    del look
    page.add_init_script(SHIFTED)
    page.goto(f"{dashboard}/{path.format(id=campaign)}")
    settled(page)
    expect(page.get_by_test_id("stMain").get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.evaluate("window.shifted") <= MOST_SHIFTED


@ON_BOTH
def test_the_figures_have_their_place_before_what_draws_them_has_come(
    page: Page, look: tuple[str, str], dashboard: str, campaign: str
) -> None:
    del look, campaign
    held: list[Route] = []
    page.route("**/static/js/Metric*", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    page.goto(dashboard)
    below, figures = page.get_by_role("heading", name="Cost per campaign"), page.get_by_test_id("stMetric")
    expect(below).to_be_visible()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    expect(figures).to_have_count(0)
    before = below.bounding_box()
    for route in held:
        route.continue_()
    expect(figures).to_have_count(4)
    after = below.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=2)
