"""The signed door for delivery reports: POST /webhooks/delivery-reports.

Provisional by nature: contract section 4.1 announces a webhook and gives no shape. The body is
`{"data": [Message, …]}` with the Message objects of contract section 2.1; signature.py says how it is signed.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from dashboard.app import runtime
from dashboard.app.signature import WINDOW_S, is_authentic, sign

MAX_BODY_BYTES = 5_000_000


class Seen:
    """Signatures taken within the window, so that a replay is refused.

    A sender that repeats in good faith, because our answer got lost, signs again with the time of then. What
    is older than the window is refused by its timestamp.
    """

    def __init__(self) -> None:
        self._expiry: dict[str, float] = {}
        self._lock = Lock()

    def first_time(self, signature: str, *, now: float) -> bool:
        """Remember a signature; False when it was here before."""
        with self._lock:
            self._expiry = {seen: until for seen, until in self._expiry.items() if until > now}
            if signature in self._expiry:
                return False
            self._expiry[signature] = now + 2 * WINDOW_S
            return True

    def forget(self, signature: str) -> None:
        """Let it come again, because what it carried could not be stored."""
        with self._lock:
            self._expiry.pop(signature, None)


_seen = Seen()


async def receive_reports(request: Request) -> JSONResponse:
    """Take signed delivery reports into the ledger."""
    key = runtime.current().webhook_key
    if key is None:
        return _refuse(503, "Set DASHBOARD_WEBHOOK_SECRET to receive delivery reports here.")
    body = await _read_body(request)
    if body is None:
        return _refuse(413, f"Send at most {MAX_BODY_BYTES:,} bytes in one request.")
    if not is_authentic(key, request.headers, body, now=time.time()):
        return _refuse(401, "The signature does not fit the body, the time or the secret.")
    reports = _messages(body)
    if reports is None:
        return _refuse(400, 'The body must be JSON: {"data": [message, …]}.')
    signature = sign(key, request.headers["webhook-id"], request.headers["webhook-timestamp"], body)
    if not _seen.first_time(signature, now=time.time()):
        return _refuse(409, "This very request was taken before. Sign it again to repeat it.")
    try:
        result = await run_in_threadpool(runtime.current().ledger.record_reports, reports)
    except BaseException:
        _seen.forget(signature)
        raise
    return JSONResponse({"taken": result.taken, "stale": result.stale, "unknown": len(result.unknown_uuids)})


async def _read_body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)


def _messages(body: bytes) -> list[dict[str, Any]] | None:
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    data = content.get("data") if isinstance(content, dict) else None
    if not isinstance(data, list) or not all(isinstance(message, dict) for message in data):
        return None
    return data


def _refuse(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)
