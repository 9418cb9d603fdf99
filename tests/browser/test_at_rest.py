"""Pages ask the server for nothing while nothing moves, and again once something does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest
from dashboard_server import served, settled, visitor
from patience import wait_until
from playwright.sync_api import Browser, Page, WebSocket

from dashboard.campaigns import write_messages
from dashboard.ledger import Ledger

pytestmark = pytest.mark.browser

LOOKED_MS = 12_000
"""Longer than the longest time after which a page looks again."""


class Spoken:
    """How many messages go between a page and its server."""

    def __init__(self, page: Page) -> None:
        self.messages = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        for way in ("framesent", "framereceived"):
            socket.on(way, self._count)

    def _count(self, *_frame: object) -> None:
        self.messages += 1


def test_nothing_is_asked_for_while_nothing_moves(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, visitor(chromium) as page:
        with Ledger.open(tmp_path / "data") as ledger:
            campaign = ledger.create_campaign("Spring sale", messages("Spring sale"), batch_size=5)
            ledger.cancel(campaign)
        tabs = {path: page.context.new_page() for path in ("", "campaigns", f"campaign?id={campaign}")}
        spoken = {path: Spoken(tab) for path, tab in tabs.items()}
        for path, tab in tabs.items():
            tab.goto(f"{server.address}/{path}")
            settled(tab)
        before = {path: one.messages for path, one in spoken.items()}
        assert all(before.values())
        page.wait_for_timeout(LOOKED_MS)
        assert {path: one.messages for path, one in spoken.items()} == before
        for tab in tabs.values():
            tab.close()
        ours = Spoken(page)
        page.goto(server.address)
        settled(page)
        with Ledger.open(tmp_path / "data") as ledger:
            at = datetime.now(UTC) + timedelta(days=1)
            ledger.create_campaign("Tomorrow", messages("Tomorrow"), batch_size=5, scheduled_at=at)
        page.reload()
        settled(page)
        heard = ours.messages
        wait_until(lambda: page.wait_for_timeout(100) or ours.messages > heard)


def messages(name: str) -> pd.DataFrame:
    contacts = pd.DataFrame(
        {
            "phone": ["+447911123456"],
            "country": pd.Categorical(["GB"]),
            "line_type": pd.Categorical(["MOBILE"]),
        }
    )
    return write_messages(contacts, "Hi!", campaign=name)
