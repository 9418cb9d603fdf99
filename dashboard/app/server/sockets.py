"""The websocket of a signed-in browser: every frame is checked, and it ends when the sign-in does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime as Streamlit

from dashboard.app.door.budgets import Budgets
from dashboard.app.door.desk import Desk, Seat
from dashboard.app.server.frames import may_pass, redirect, shown_in

TURNED_AWAY = 4401
"""Close code of our own; 401 is HTTP's word for it."""

LOOKS_EVERY_S = 1.0
ENDED, OWN_PAGES, ALL_PAGES = (f"/sign-in?{urlencode({'why': why})}" for why in ("ended", "pages", "full"))


class Socket:
    """Stands between the browser's websocket and Streamlit's end of it."""

    def __init__(self, desk: Desk, seat: Seat, budgets: Budgets, receive: Receive, send: Send) -> None:
        self._desk = desk
        self._budgets = budgets
        self._seat = seat
        self._receive = receive
        self._send = send
        self._tab: str | None = None
        self._is_closed = False
        self._coming: asyncio.Task[Message] | None = None

    async def run(self, app: ASGIApp, scope: Scope) -> None:
        """Serve it until either side closes it, or nobody sits there any more."""
        try:
            await app(scope, self._from_browser, self._to_browser)
        finally:
            if self._coming is not None:
                self._coming.cancel()
            if self._tab is not None and not self._desk.holds(self._seat):
                Streamlit.instance().close_session(self._tab)  # with its uploads, files and state

    async def _from_browser(self) -> Message:
        """The next message that may pass; Streamlit never sees the others."""
        while self._desk.holds(self._seat):
            message = await self._next()
            if message is None:
                continue
            if message["type"] != "websocket.receive":
                return message
            await asyncio.sleep(self._budgets.frames.due_s(self._seat.address))
            frame = message.get("bytes")
            if self._desk.holds(self._seat) and (
                frame is None or may_pass(frame, self._seat.was_shown)
            ):  # a frame of text makes Streamlit close the socket
                return message
        return await self._turn_away()

    async def _next(self) -> Message | None:
        """What comes next; None when nothing came for a moment."""
        self._coming = self._coming or asyncio.ensure_future(self._receive())
        done, _ = await asyncio.wait({self._coming}, timeout=LOOKS_EVERY_S)
        if not done:
            return None
        message, self._coming = self._coming.result(), None
        return message

    async def _to_browser(self, message: Message) -> None:
        if self._is_closed:
            return
        if message["type"] == "websocket.send":
            if not self._desk.holds(self._seat):
                return  # it is closed within a moment
            shown = shown_in(message.get("bytes") or b"")
            self._seat.show(shown.files)
            if shown.tab is not None:
                self._tab = shown.tab
                self._seat.tabs.add(shown.tab)
        elif message["type"] == "websocket.close":
            self._is_closed = True
        await self._send(message)

    async def _turn_away(self) -> Message:
        if not self._is_closed:
            self._is_closed = True
            with suppress(Exception):  # it is gone already
                await say_and_close(self._send, ENDED)
        return {"type": "websocket.disconnect", "code": TURNED_AWAY}


async def say_and_close(send: Send, where: str) -> None:
    """Send an open websocket's page to the sign-in page, which says why."""
    await send({"type": "websocket.send", "bytes": redirect(where)})
    await send({"type": "websocket.close", "code": TURNED_AWAY})
