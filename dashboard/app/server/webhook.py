"""The signed endpoint for delivery reports: POST /webhooks/delivery-reports.

Provisional by nature: contract section 4.1 announces a webhook without describing it, so every answer says
`"provisional": true`. The body is a Message object of contract section 2.1, a list of them or either as the
`data` of an event; signature.py says how it is signed. A request counts once: its signature is remembered in
the ledger for as long as its time is within the window, for all processes and across restarts. A sender that
repeats in good faith, because our answer got lost, signs again with the new time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta

from starlette.concurrency import run_in_threadpool
from starlette.endpoints import HTTPEndpoint
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from dashboard.app import runtime
from dashboard.app.door.signature import WINDOW_S, is_authentic, may_be_authentic, sign
from dashboard.ledger import Ledger
from dashboard.lenient_json import read_json
from dashboard.reports import reports_in

MAX_BODY_BYTES = 5_000_000
MOST_AT_ONCE = 16
"""Requests whose bodies are in memory; a stranger's too, if its headers may be those of a signed one."""

BODY_S = 15.0
"""Time in which a body has to be here: else a few slow strangers would keep everybody else out."""

_NOT_AUTHENTIC = "The signature does not match the body, the time or the secret."

_bodies = asyncio.Semaphore(MOST_AT_ONCE)


class DeliveryReports(HTTPEndpoint):
    """The route: anything but a POST is answered 405, not with a page."""

    async def post(self, request: Request) -> JSONResponse:
        """Take signed delivery reports into the ledger."""
        return await _answer(request)


async def _answer(request: Request) -> JSONResponse:
    keys = runtime.current().webhook_keys()
    if not keys:
        return _refuse(503, "Set DASHBOARD_WEBHOOK_SECRET to receive delivery reports here.")
    if not may_be_authentic(request.headers, now=time.time()):
        return _refuse(401, _NOT_AUTHENTIC)
    if _bodies.locked():
        again = {"retry-after": "1"}
        return _refuse(503, "Too many reports come in at once. Send this one again in a moment.", again)
    async with _bodies:
        return await _receive(request, keys)


async def _receive(request: Request, keys: Sequence[bytes]) -> JSONResponse:
    try:
        async with asyncio.timeout(BODY_S):
            body = await _read_body(request)
    except TimeoutError:
        return _refuse(408, f"Send the whole request within {BODY_S:g} seconds.")
    except ClientDisconnect:
        return _refuse(400, "The request ended before its body did.")  # which nobody may hear
    if body is None:
        return _refuse(413, f"Send at most {MAX_BODY_BYTES:,} bytes in one request.")
    now = time.time()
    key = next((key for key in keys if is_authentic(key, request.headers, body, now=now)), None)
    if key is None:
        return _refuse(401, _NOT_AUTHENTIC)
    signature = sign(key, request.headers["webhook-id"], request.headers["webhook-timestamp"], body)
    return await run_in_threadpool(_take, runtime.current().ledger, signature, body)


def _take(ledger: Ledger, signature: str, body: bytes) -> JSONResponse:
    """Take the reports from a request, unless it has come before."""
    reports = reports_in(read_json(body))
    if reports is None:
        return _refuse(400, 'The body must be JSON: a message, a list of them, or {"data": [message, …]}.')
    until = ledger.outbox.now() + timedelta(seconds=2 * WINDOW_S)  # its time may lie a window ahead
    if not ledger.requests.first_time(signature, until=until):
        return _refuse(409, "This exact request was taken before. Sign it again to repeat it.")
    try:
        result = ledger.record_reports(reports)
    except BaseException:
        ledger.requests.forget(signature)  # nobody can tell what was stored, and reports may come twice
        raise
    counts = {"taken": result.taken, "stale": result.stale, "unreadable": result.unreadable}
    counts |= {"unread_times": result.unread_times, "unknown": len(result.unknown_uuids)}
    return JSONResponse({**counts, "provisional": True})


async def _read_body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)


def _refuse(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers)
