"""What axe finds on a page as it stands, by the rules of WCAG 2.1 AA, and by good practice where asked."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from dashboard_server import settled
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
GOOD_PRACTICE = "best-practice"
OPTIONS = {
    "rules": {"presentation-role-conflict": {"enabled": False}},  # Streamlit's own place for files has it
    "resultTypes": ["violations"],
}
"""What keeps a rule is counted, not described node by node."""
LOOKS_AGAIN = 5


def assert_accessible(page: Page, *more: str) -> None:
    """Fail with every rule that is broken, by these more groups of rules too: an element and how it does.

    What a page refreshes by itself is pale while it does: only what is found each time is broken.
    """
    violations = _found(page, *more)
    for _again in range(LOOKS_AGAIN):
        if violations:
            page.wait_for_timeout(300)
            found = {name for name, *_rest in _found(page, *more)}
            violations = [one for one in violations if one[0] in found]
    assert violations == [], violations


def _found(page: Page, *more: str) -> list[tuple[str, str, str]]:
    """The rules that are broken, an element that breaks each and how."""
    settled(page)
    return [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
        for one in Axe().run(page, options={**OPTIONS, "runOnly": [*RULES, *more]}).response["violations"]
    ]


def assert_tools_cover_nothing(page: Page) -> None:
    """Fail where the tools that float above a table lie over something to read or to press."""
    said = page.locator("p, label, input, button, summary, h1, h2, h3").all()
    for tools in page.get_by_test_id("stElementToolbar").all():
        over = tools.bounding_box() if tools.is_visible() else None
        if over is None:
            continue
        inside = set(tools.locator("*").evaluate_all("all => all.map(one => one.outerHTML)"))
        covered = [
            one.evaluate("one => one.outerHTML")
            for one in said
            if (box := one.bounding_box())
            and box["x"] < over["x"] + over["width"]
            and over["x"] < box["x"] + box["width"]
            and box["y"] < over["y"] + over["height"]
            and over["y"] < box["y"] + box["height"]
        ]
        assert [one for one in covered if one not in inside] == [], covered
