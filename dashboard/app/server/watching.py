"""What monitors ask for: /livez, /readyz, /healthz and, with a token, /metrics.

Stands before everything that looks at who asks: probes have neither a cookie nor our host name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hmac import compare_digest

from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.app.runtime import Runtime
from dashboard.app.server.asking import Question
from dashboard.app.server.health import Health, is_ready
from dashboard.app.server.metrics import Traffic, exposition
from dashboard.app.server.sign_in import NO_STORE
from dashboard.ledger.vitals import VitalSigns

PROBES = frozenset({"/livez", "/readyz", "/healthz", "/metrics"})
READ_ANEW_S = 5.0
"""Figures are read from the ledger no more often than this, whoever asks."""


class Watching:
    """ASGI middleware that answers monitors."""

    def __init__(self, app: ASGIApp, *, wired: Runtime, traffic: Traffic) -> None:
        self._app = app
        self._token = wired.given.metrics_token
        self._traffic = traffic
        self._health = Health(wired)
        signs = VitalSigns(wired.ledger.database, wired.ledger.outbox.now)
        self._vitals = Question("figures", signs.read, fresh_s=READ_ANEW_S)
        self._answers: dict[str, Callable[[Request], Awaitable[Response]]] = {
            "/livez": self._live,
            "/readyz": self._ready,
            "/healthz": self._healthy,
            "/metrics": self._metrics,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        answer = self._answers.get(scope["path"]) if scope["type"] == "http" else None
        if answer is None:
            await self._app(scope, receive, send)
        elif scope["method"] not in {"GET", "HEAD"}:
            refusal = PlainTextResponse("Method not allowed", 405, {"allow": "GET, HEAD", **NO_STORE})
            await refusal(scope, receive, send)
        else:
            await (await answer(Request(scope, receive)))(scope, receive, send)

    async def _live(self, _: Request) -> Response:
        """That this process answers at all; if it does not, it should be started again."""
        return JSONResponse({"live": True}, headers=NO_STORE)

    async def _ready(self, _: Request) -> Response:
        """Whether what it depends on works; if it does not, starting it again changes nothing."""
        checks = await self._health.checks()
        ready = is_ready(checks)
        return JSONResponse({"ready": ready, "checks": checks}, 200 if ready else 503, NO_STORE)

    async def _healthy(self, _: Request) -> Response:
        """The same without the names."""
        ok = is_ready(await self._health.checks())
        return JSONResponse({"ok": ok}, 200 if ok else 503, NO_STORE)

    async def _metrics(self, request: Request) -> Response:
        if self._token is None:
            return PlainTextResponse("Not found", 404, NO_STORE)
        if not _holds(request, self._token):
            challenge = {"www-authenticate": "Bearer"}
            return PlainTextResponse("Send the token of the metrics", 401, {**challenge, **NO_STORE})
        checks, vitals = await asyncio.gather(self._health.checks(), self._vitals.answer())
        said = exposition(self._traffic, checks, vitals)
        return Response(said, media_type=CONTENT_TYPE_LATEST, headers=NO_STORE)


def _holds(request: Request, token: SecretStr) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    wanted = token.get_secret_value().encode()
    return kind.lower() == "bearer" and compare_digest(given.strip().encode("utf-8", "replace"), wanted)
