"""Every request gets an id, and is counted and logged.

A path may hold anything that somebody typed. What is logged is its route, one of a known few.
"""

from __future__ import annotations

import logging
import time
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.server.admission import COMPONENTS, MEDIA, OF_STREAMLIT, STREAM, UPLOAD
from dashboard.app.server.metrics import Traffic
from dashboard.app.server.watching import PROBES
from dashboard.app.sidebar import MENU
from dashboard.jobs.logs import request_id

log = logging.getLogger(__name__)

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
STATIC = ("/static/", "/app/static/")
GROUPS = (*STATIC, MEDIA, UPLOAD, COMPONENTS, *OF_STREAMLIT)
"""Beginnings of routes that end with the id or the name of a file."""

PAGES = frozenset({"/", "/campaign", "/compare", *(f"/{address}" for *_, address, _role in MENU)})
SIGN_IN = frozenset({"/sign-in", "/sign-in/start", "/oauth2callback", "/sign-out"})
STREAMLIT = frozenset({"/_stcore/health", "/_stcore/host-config", STREAM})
ROUTES = PROBES | PAGES | SIGN_IN | STREAMLIT | {WEBHOOK_PATH}

FAILED = 500
"""Of a request that ended with an exception, before an answer began."""


class Requests:
    """ASGI middleware, the outermost."""

    def __init__(self, app: ASGIApp, *, traffic: Traffic) -> None:
        self._app = app
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one websocket until it is closed."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            with self._traffic.sockets.track_inprogress():
                request_id.set(uuid4().hex)
                await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        own, began, status = uuid4().hex, time.monotonic(), FAILED
        request_id.set(own)

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {
                    **message,
                    "headers": [*message.get("headers", []), (b"x-request-id", own.encode())],
                }
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_of(scope["path"])
            if route not in PROBES:
                self._traffic.requests.labels(method, str(status)).inc()
            log.log(
                logging.DEBUG if route in PROBES or route.startswith(STATIC) else logging.INFO,
                "A request was answered.",
                extra={
                    "method": method,
                    "route": route,
                    "status": status,
                    "took_ms": round(1000 * (time.monotonic() - began)),
                },
            )


def route_of(path: str) -> str:
    """The route that a path belongs to; `other` if there is none."""
    if path in ROUTES:
        return path
    return next((f"{group}…" for group in GROUPS if path.startswith(group)), "other")
