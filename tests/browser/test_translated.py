"""Pages that the browser translates: they go on working, and say nothing older than other pages."""

from __future__ import annotations

import re

import pytest
from dashboard_server import Server, pick, settled
from journey_steps import send, stages, write
from playwright.sync_api import Page, expect
from sandbox_books import SandboxBooks

pytestmark = pytest.mark.browser

PEOPLE = 60
ONE_BY_ONE = {"send_delay_s": [0, 0.1], "delivery_delay_s": [4, 15], "delivered_share": 1}

TRANSLATOR = """
(() => {
  const putIn = {
    replaced: (text, font) => text.replaceWith(font),
    inserted: (text, font) => { text.before(font); text.remove(); },
    taken: (text, font) => {
      const [parent, next] = [text.parentNode, text.nextSibling];
      text.remove();
      parent.insertBefore(font, next);
    },
    wrapped: (text, font) => { text.before(font); font.firstChild.replaceChildren(text); },
  }["{how}"];
  function translate(text) {
    const [parent, font] = [text.parentElement, document.createElement("font")];
    if (!parent || !text.data.trim() || parent.closest("font, script, style, svg, [translate=no]")) return;
    font.append(document.createElement("font"));
    font.firstChild.textContent = text.data;
    putIn(text, font);
  }
  function textsOf(node) {
    if (node.nodeType === Node.TEXT_NODE) return [node];
    const [walker, texts] = [document.createTreeWalker(node, NodeFilter.SHOW_TEXT), []];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts;
  }
  new MutationObserver((changes) => {
    for (const { target, type, addedNodes } of changes) {
      for (const node of type === "characterData" ? [target] : addedNodes) {
        if (node.isConnected) textsOf(node).forEach(translate);
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
})();
"""
"""Does to every text, over and over, what a translator does to it, and leaves it as it is otherwise."""


@pytest.mark.parametrize("how", ["replaced", "inserted", "taken", "wrapped"])
def test_a_translated_page_works_and_its_figures_are_as_new_as_any_other_s(
    page: Page, small_batches: Server, how: str
) -> None:
    SandboxBooks(small_batches.folder).simulate(ONE_BY_ONE)
    page.add_init_script(TRANSLATOR.replace("{how}", how))
    send(page, small_batches.folder, small_batches.address, f"Text {how}", PEOPLE)
    expect(page.get_by_text("so this can rise to")).to_be_visible()
    expect(stages(page)).to_have_text(f"Delivered {PEOPLE}")
    assert page.locator("main font").count() > PEOPLE / 2
    for typed in ("447", "nobody", ""):
        write(page, "Find a number", typed)
    other = page.context.new_page()
    other.goto(page.url)
    settled(other)
    assert words(page) == words(other)


def words(page: Page) -> list[str]:
    """What a page says."""
    return page.locator("main").inner_text().split()


def test_the_page_is_marked_as_written_in_the_language_that_was_chosen(page: Page, dashboard: str) -> None:
    page.goto(f"{dashboard}/settings")
    settled(page)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    pick(page, "Your language", re.compile("^Deutsch"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    settled(page)
    pick(page, "Ihre Sprache", re.compile("English"))
    expect(page.locator("html")).to_have_attribute("lang", "en")
