"""Two dashboards of one ledger and one folder, as a proxy gives them to a large team: docs/hosting.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboard_server import Server, served, settled
from journey_steps import draft_to_send, head, message_box
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def both(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    del chromium
    folder: Path = tmp_path_factory.mktemp("both")
    with served(folder) as one, served(folder) as other:
        yield one, other


def test_one_goes_on_with_what_the_other_began(page: Page, both: tuple[Server, Server]) -> None:
    one, other = both
    draft = draft_to_send(one.folder, "Spring", 60)
    page.goto(f"{one.address}{draft}&step=message")
    message_box(page).fill("Doors open at nine. Reply STOP to opt out.")
    message_box(page).press("Control+Enter")
    settled(page)

    page.goto(f"{other.address}{draft}&step=review")
    expect(page.get_by_text("Doors open at nine.").first).to_be_visible()
    page.get_by_role("button", name="Send 60 messages").click()
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(head(page)).to_contain_text("Done")
    campaign = page.url.removeprefix(other.address)

    page.goto(f"{one.address}{campaign}")
    expect(head(page)).to_contain_text("Done")
    page.goto(f"{one.address}{draft}")
    expect(page.get_by_text("This draft has become a campaign. Nothing is sent twice.")).to_be_visible()
