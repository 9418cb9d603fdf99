"""The key: section 5's Authorization header, required wherever a request can read or change anything."""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

OPEN = "/sandbox/health"
LOCKED = ("/api/", "/sandbox/")


class KeyGate:
    """ASGI middleware that answers 401 unless the request carries `Authorization: Bearer <key>`."""

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self._app = app
        self._key = api_key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or refuse it."""
        if scope["type"] == "http" and self._is_locked(scope["path"]) and not self._has_key(scope):
            refusal = JSONResponse(
                {"message": "Send your API key in the header Authorization: Bearer <API_KEY>."},
                401,
                {"WWW-Authenticate": "Bearer"},
            )
            return await refusal(scope, receive, send)
        return await self._app(scope, receive, send)

    def _is_locked(self, path: str) -> bool:
        return path.startswith(LOCKED) and path != OPEN

    def _has_key(self, scope: Scope) -> bool:
        scheme, _, key = Headers(scope=scope).get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(key.strip().encode(), self._key)
