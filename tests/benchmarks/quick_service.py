"""A service that costs next to nothing, to measure what sends to it: takes every batch, after a latency.

    python quick_service.py LATENCY_S MESSAGES_PER_SECOND

It prints its port. Above MESSAGES_PER_SECOND in any second (0 for no limit) it answers 429, and a GET tells
how often. The messages of its answers are as full as the sandbox's.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque

import orjson

AT = "2026-11-20T09:00:00.000000Z"


class Service:
    """What all connections share."""

    def __init__(self, latency_s: float, messages_per_second: float) -> None:
        self.latency_s = latency_s
        self.limit = messages_per_second
        self.refused = 0
        self._taken: deque[tuple[float, int]] = deque()
        self._in_a_second = 0

    def answer(self, body: bytes, now: float) -> tuple[int, bytes]:
        """Status and body for a bulk request."""
        sent = orjson.loads(body)
        while self._taken and self._taken[0][0] <= now - 1:
            self._in_a_second -= self._taken.popleft()[1]
        if self.limit and self._in_a_second + len(sent) > self.limit:
            self.refused += 1
            return 429, b"{}"
        self._taken.append((now, len(sent)))
        self._in_a_second += len(sent)
        return 200, orjson.dumps({"data": [taken(message) for message in sent]})


def taken(message: dict[str, object]) -> dict[str, object]:
    uuid, to = message["uuid"], message["to"]
    method = {"uuid": uuid, "type": "phone", "address": to, "created_at": AT, "updated_at": AT}
    contact = {
        "uuid": uuid,
        "firstname": None,
        "lastname": None,
        "created_at": AT,
        "contact_methods": [method],
    }
    facts = {"status": "pending", "failure_reason": None, "credits_used": 1, "created_at": AT}
    return {"uuid": uuid, "to": to, "body": message["body"], "contact": contact, **facts}


class Connection(asyncio.Protocol):
    """HTTP/1.1 as far as one honest client needs it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._data = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        end = self._data.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._data[:end]).lower()
        if head.startswith(b"get"):
            self._send(200, str(self._service.refused).encode())
            return
        length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(self._data) < end + 4 + length:
            return
        body = bytes(self._data[end + 4 : end + 4 + length])
        del self._data[: end + 4 + length]
        loop = asyncio.get_running_loop()
        status, answer = self._service.answer(body, loop.time())
        loop.call_later(self._service.latency_s, self._send, status, answer)

    def _send(self, status: int, body: bytes) -> None:
        head = f"HTTP/1.1 {status} Q\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
        self._transport.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


async def main() -> None:
    service = Service(float(sys.argv[1]), float(sys.argv[2]))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(service), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)  # until whoever started it lets go


if __name__ == "__main__":
    asyncio.run(main())
