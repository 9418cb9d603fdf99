"""Admission: nothing of Streamlit can be reached by anyone who is not signed in.

Stands before every route and every websocket. What is not opened here is closed, so that what a later version
of Streamlit adds stays closed until somebody opens it. Only what is in memory is asked; see desk.py.
"""

from __future__ import annotations

from math import ceil
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.app.door.budgets import Budgets, OverBudget
from dashboard.app.door.desk import Desk, Seat
from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.door.uploads import held_in
from dashboard.app.server.sign_in import NO_STORE, SignIn
from dashboard.app.server.sockets import ALL_PAGES, ENDED, OWN_PAGES, Socket, say_and_close

SEAT_HEADER = "x-dashboard-seat"
"""Tells a page whom it runs for; written here, and never taken from outside."""

ANYBODY = frozenset({WEBHOOK_PATH, "/_stcore/health", "/_stcore/host-config"})
"""Says nothing about anybody, or has a lock of its own.

A page whose sign-in ended asks for the last one before it opens its websocket again, and would else stay as
it is for ever.
"""

STREAM = "/_stcore/stream"
UPLOAD = "/_stcore/upload_file/"
MEDIA = "/media/"
COMPONENTS = "/_stcore/bidi-components/"
OF_STREAMLIT = ("/_stcore/", "/auth/")
"""Closed to everybody, except for what stands above."""

PROTOCOLS = 2
"""Streamlit's word and its token; a third would be the session to go on with."""


class Admission:
    """ASGI middleware that lets only signed-in people through, each to what is theirs, within budgets."""

    def __init__(self, app: ASGIApp, *, desk: Desk, sign_in: SignIn, budgets: Budgets) -> None:
        self._app = app
        self._desk = desk
        self._sign_in = sign_in
        self._budgets = budgets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or serve one websocket."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != SEAT_HEADER.encode()]}
        asked = HTTPConnection(scope)
        seat = self._desk.seat(asked.cookies.get(self._sign_in.cookie))
        if wait_s := self._over_s(asked, seat):
            await _ask_to_wait(scope, receive, send, wait_s)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send, seat)
        else:
            await self._request(asked, receive, send, seat)

    async def _request(self, asked: HTTPConnection, receive: Receive, send: Send, seat: Seat | None) -> None:
        scope = asked.scope
        if scope["path"] in ANYBODY:
            await self._app(scope, receive, send)
        elif scope["path"] in self._sign_in.paths:
            await self._sign_in.app(scope, receive, send)
        elif seat is None:
            await self._ask_to_sign_in(asked)(scope, receive, send)
        elif not _may_reach(scope["path"], seat):
            await PlainTextResponse("Not found", 404, NO_STORE)(scope, receive, send)
        elif scope["path"].startswith(UPLOAD) and scope["method"] == "PUT":
            await self._upload(scope, receive, send, seat)
        else:
            await self._app(scope, receive, _unstored(send) if scope["path"].startswith(MEDIA) else send)

    def _over_s(self, asked: HTTPConnection, seat: Seat | None) -> float:
        """Seconds until there is room for one more request from there; 0 if there is now."""
        if asked.scope["path"] == WEBHOOK_PATH:
            return 0.0  # the service reports as fast as we send; what it may take is limited there
        if seat is not None:
            return self._budgets.requests.over_s(seat.address)
        return self._budgets.strangers.over_s(asked.client.host if asked.client else "")

    async def _upload(self, scope: Scope, receive: Receive, send: Send, seat: Seat) -> None:
        size = HTTPConnection(scope).headers.get("content-length", "")
        if not (size.isascii() and size.isdecimal()):
            await PlainTextResponse("Say how long the file is", 411, NO_STORE)(scope, receive, send)
            return
        held, all_held = held_in(self._desk.tabs_of(seat.address)), held_in()
        try:
            with self._budgets.uploads.taken(seat.address, int(size), held=held, all_held=all_held):
                await self._app(scope, receive, send)
        except OverBudget as over:
            whose = "All open pages" if over.of_all else "Your open pages"
            status = 503 if over.of_all else 413
            told = PlainTextResponse(f"{whose} hold too many files", status, NO_STORE)
            await told(scope, receive, send)

    def _ask_to_sign_in(self, asked: HTTPConnection) -> Response:
        is_page = "text/html" in asked.headers.get("accept", "") and asked.scope["method"] in {"GET", "HEAD"}
        if not is_page:
            return PlainTextResponse("Sign in first", 401, NO_STORE)
        query = asked.scope["query_string"].decode("latin-1")
        wanted = asked.scope["path"] + (f"?{query}" if query else "")
        return RedirectResponse(
            f"{self._sign_in.address}/sign-in?next={quote(wanted, safe='/')}", 303, headers=NO_STORE
        )

    async def _socket(self, scope: Scope, receive: Receive, send: Send, seat: Seat | None) -> None:
        if scope["path"] != STREAM or not self._sign_in.is_own_page(HTTPConnection(scope).headers):
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        elif seat is None:
            await _accept_and_send_to(ENDED, receive, send)
        else:
            try:
                with self._budgets.pages.taken(seat.address):
                    page = Socket(self._desk, seat, self._budgets, receive, send)
                    await page.run(self._app, _seated(scope, seat))
            except OverBudget as over:
                await _accept_and_send_to(ALL_PAGES if over.of_all else OWN_PAGES, receive, send)


async def _accept_and_send_to(where: str, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept", "subprotocol": "streamlit"})
    await say_and_close(send, where)


async def _ask_to_wait(scope: Scope, receive: Receive, send: Send, wait_s: float) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1013})  # before it is accepted: 403
        return
    headers = {**NO_STORE, "retry-after": str(ceil(wait_s))}
    await PlainTextResponse("Too many requests. Try again in a moment.", 429, headers)(scope, receive, send)


def _may_reach(path: str, seat: Seat) -> bool:
    """Whether a signed-in browser may ask for this path: pages and their parts, and what is its own."""
    if path.startswith(UPLOAD):
        return path.removeprefix(UPLOAD).partition("/")[0] in seat.tabs
    if path.startswith(MEDIA):
        return seat.was_shown(path.removeprefix(MEDIA).partition(".")[0])
    return path.startswith(COMPONENTS) or not path.startswith(OF_STREAMLIT)


def _seated(scope: Scope, seat: Seat) -> Scope:
    """The handshake with the seat's key, and without the wish to go on with a session of somebody else's."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    parts = [part.strip() for part in headers.get("sec-websocket-protocol", "").split(",")]
    if len(parts) > PROTOCOLS and parts[PROTOCOLS] not in seat.tabs:
        headers["sec-websocket-protocol"] = ", ".join(parts[:PROTOCOLS])
    headers[SEAT_HEADER] = seat.key
    return {**scope, "headers": headers.raw}


def _unstored(send: Send) -> Send:
    """Nothing of a person's file stays in a cache, neither in their browser's nor on the way."""

    async def send_unstored(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            headers["cache-control"] = "no-store"
            message = {**message, "headers": headers.raw}
        await send(message)

    return send_unstored
