"""What every response of the web server carries, and which paths it does not serve at all."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.app.server.opening import SCRIPT

HSTS = b"max-age=31536000"
"""A year of https only, where people open the dashboard by https."""

CLOSED_PATHS = ("/_stcore/metrics",)  # Streamlit serves it to anyone, with session counts in it


def content_security_policy() -> str:
    """Everything from this server only; the page's inline scripts are allowed by their hashes.

    Styles need 'unsafe-inline' (Streamlit writes style attributes). No 'unsafe-eval'.
    """
    scripts = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in _inline_script_hashes())])
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-ancestors 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "object-src 'none'",
        ]
    )


def _inline_script_hashes() -> list[str]:
    spec = find_spec("streamlit")
    if spec is None or spec.origin is None:
        return []
    page = (Path(spec.origin).parent / "static" / "index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [b64encode(sha256(script).digest()).decode() for script in (*map(str.encode, scripts), SCRIPT)]


class SecurityHeaders:
    """ASGI middleware that adds the headers which an answer has not set itself, and closes CLOSED_PATHS.

    Plain ASGI, because Starlette's BaseHTTPMiddleware would buffer uploads and downloads.
    """

    def __init__(self, app: ASGIApp, *, is_https: bool = False) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", content_security_policy().encode()),
            (b"x-frame-options", b"DENY"),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
            (b"cross-origin-opener-policy", b"same-origin"),
            *([(b"strict-transport-security", HSTS)] if is_https else []),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                theirs = message.get("headers", [])
                said = {name.lower() for name, _ in theirs}
                ours = [pair for pair in self._headers if pair[0] not in said]
                message["headers"] = [*theirs, *ours]
            await send(message)

        if scope["path"].rstrip("/").endswith(CLOSED_PATHS):
            await PlainTextResponse("Not found", 404)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)
