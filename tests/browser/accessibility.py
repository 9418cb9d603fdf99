"""What axe finds on a page as it stands, by the rules of WCAG 2.1 AA."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def assert_accessible(page: Page) -> None:
    """Fail with every rule that is broken, an element that breaks it and how."""
    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    violations = [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
        for one in found
    ]
    assert violations == [], violations
