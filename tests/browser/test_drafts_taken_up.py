"""A draft that is taken up from the list is named by the address, so nothing loses it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from dashboard_server import ON_A_PHONE, Server, served, settled
from playwright.sync_api import Browser, Page, expect

from dashboard.app.draft_store import Drafts

pytestmark = pytest.mark.browser
SHEET = b"First name,Mobile\nAnn,+447400183645\nBen,+447400183646\n"
SPRING, AUTUMN = "Spring sale", "Autumn sale"


@pytest.fixture(scope="module")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    del chromium
    with served(tmp_path_factory.mktemp("drafts")) as opened:
        yield opened


@pytest.fixture
def ids(server: Server) -> dict[str, str]:
    """Two drafts at the message, by their names, and no others."""
    drafts = Drafts(server.folder / "data" / "drafts")
    for old in drafts.open_ones("local"):
        drafts.discard(old)
    begun = {name: drafts.begin("local", "people.csv", io.BytesIO(SHEET)) for name in (SPRING, AUTUMN)}
    for name, draft in begun.items():
        drafts.save(draft.model_copy(update={"name": name, "country": "GB", "template": "Hi!", "step": 4}))
    return {name: draft.id for name, draft in begun.items()}


def test_a_draft_from_the_list_is_kept_by_clicks_reloads_tabs_history_and_a_restart(
    page: Page, server: Server, ids: dict[str, str]
) -> None:
    page.goto(f"{server.address}/new")
    take_up(page, SPRING)
    stands(page, SPRING, ids)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("Ready to send", exact=True)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Continue").click()
    stands(page, SPRING, ids)
    page.reload()
    stands(page, SPRING, ids)

    other = page.context.new_page()
    other.goto(f"{server.address}/new")
    take_up(other, AUTUMN)
    stands(other, AUTUMN, ids)
    stands(page, SPRING, ids)
    other.close()

    server.stop()
    server.start()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.reload()
    stands(page, SPRING, ids)


@ON_A_PHONE
def test_back_and_forward_go_between_the_list_and_the_drafts(
    page: Page, server: Server, ids: dict[str, str]
) -> None:
    page.goto(f"{server.address}/new")
    take_up(page, SPRING)
    stands(page, SPRING, ids)
    page.go_back()
    take_up(page, AUTUMN)
    stands(page, AUTUMN, ids)
    page.go_back()
    expect(page.get_by_text("Continue a draft")).to_be_visible()
    expect(page.get_by_role("textbox", name="Campaign name")).to_have_count(0)
    page.go_forward()
    stands(page, AUTUMN, ids)


def test_from_a_draft_one_comes_to_another_campaign(page: Page, server: Server, ids: dict[str, str]) -> None:
    page.goto(f"{server.address}/new?draft={ids[SPRING]}&step=message")
    stands(page, SPRING, ids)
    page.get_by_role("button", name="Start another").click()
    take_up(page, AUTUMN)
    stands(page, AUTUMN, ids)


def take_up(page: Page, name: str) -> None:
    """Choose a draft in the list."""
    expect(page.get_by_text("Continue a draft")).to_be_visible()
    settled(page)
    page.get_by_role("button", name=name, exact=True).click()


def stands(page: Page, name: str, ids: dict[str, str]) -> None:
    """This draft's message is open, and the address names it."""
    expect(page.get_by_role("textbox", name="Campaign name")).to_have_value(name)
    expect(page).to_have_url(re.compile(rf"/new\?draft={ids[name]}&step=message$"))
    settled(page)
