"""The wire between our client and the sandbox: it writes down what passes, and goes wrong as planned."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

import httpx
from asked import Event, Request
from fixtures_sandbox import SandboxPeer

FAULTS: dict[str, dict[str, Any]] = {
    "taken, connection broken": {"kind": "dropped_after"},
    "connection broken": {"kind": "dropped_before"},
    "taken, error": {"kind": "error_after", "status": 500},
    "wrong key": {"kind": "error_before", "status": 401},
    "too many": {"kind": "throttled", "retry_after_s": 0},
}
"""What the sandbox is asked to do to the next request."""

NOT_REACHED = "not reached"


class Wire(httpx.BaseTransport):
    """Passes requests on to the sandbox.

    `plan` says what becomes of the coming requests: "" or one of `FAULTS`; "not reached"; "half" if the
    service takes only the first half of the messages; "unbilled" if it leaves out every other bill.
    Requests with a barred number are refused, whatever the plan.
    """

    def __init__(self, peer: SandboxPeer, clock: Callable[[], datetime], log: list[Event]) -> None:
        self.plan: deque[str] = deque()
        self.barred: set[str] = set()
        self._peer, self._clock, self._log = peer, clock, log
        self._inner = httpx.HTTPTransport(trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.read())
        what = self.plan.popleft() if self.plan else ""
        if what == NOT_REACHED:
            raise httpx.ConnectError("No route to the service.")
        seen = Request(
            self._clock(),
            asked[0]["campaign"],
            {one["to"]: one["body"] for one in asked},
            {one["to"]: one["uuid"] for one in asked},
        )
        self._log.append(seen)
        if barred := [place for place, one in enumerate(asked) if one["to"] in self.barred]:
            seen.status = 422
            return httpx.Response(422, json={"errors": {f"{place}.to": ["Barred."] for place in barred}})
        if what in FAULTS:
            self._peer.faults({**FAULTS[what], "next": 1})
        status, content = self._pass_on(request, asked[: len(asked) // 2] if what == "half" else asked)
        seen.status = status
        if status // 100 == 2:
            content = _bills_left_out(content) if what == "unbilled" else content
            answered = json.loads(content)["data"]
            seen.named = frozenset(one["uuid"] for one in answered)
            seen.billed = frozenset(one["uuid"] for one in answered if "credits_used" in one)
        return httpx.Response(status, headers={"Content-Type": "application/json"}, content=content)

    def close(self) -> None:
        self._inner.close()

    def _pass_on(self, request: httpx.Request, asked: Collection[dict[str, Any]]) -> tuple[int, bytes]:
        headers = {name: value for name, value in request.headers.items() if name != "content-length"}
        sent = httpx.Request(
            request.method,
            request.url,
            headers=headers,
            content=json.dumps(asked),
            extensions=request.extensions,
        )
        answer = self._inner.handle_request(sent)
        content = answer.read()
        answer.close()
        return answer.status_code, content


def _bills_left_out(content: bytes) -> bytes:
    answered = json.loads(content)
    for one in answered["data"][::2]:
        del one["credits_used"]
    return json.dumps(answered).encode()
