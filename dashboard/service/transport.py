"""The wire: HTTP/1.1 over a small pool of connections, with one deadline for a whole request.

httpx's read timeout restarts with every byte received, so a server that drips one byte per second keeps a
request alive forever. Here every read and write also respects the deadline of the running request.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

CONNECTIONS = 32
KEEPALIVE_S = 2.0
"""Idle connections are dropped before a server drops them (5 s is the usual shortest)."""

_WRITE_BYTES = 65_536

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """End whatever this thread does on the wire within this many seconds, with a timeout error."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


class DeadlineTransport(httpx.HTTPTransport):
    """httpx's transport without proxies from the environment, retries or HTTP/2, under `deadline`."""

    def __init__(self) -> None:
        trusted = httpx.create_ssl_context(trust_env=False)
        super().__init__(verify=trusted, trust_env=False)
        # httpx takes no network backend; should it stop using this pool, the slow drips in tests fail.
        self._pool = httpcore.ConnectionPool(
            ssl_context=trusted,
            max_connections=CONNECTIONS,
            max_keepalive_connections=CONNECTIONS,
            keepalive_expiry=KEEPALIVE_S,
            http1=True,
            http2=False,
            retries=0,
            network_backend=_Backend(),
        )


class _Backend(httpcore.NetworkBackend):
    def __init__(self) -> None:
        self._tcp = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._tcp.connect_tcp(host, port, left, local_address, socket_options))


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITE_BYTES):
            left = _left(timeout, httpcore.WriteTimeout)
            self._stream.write(buffer[start : start + _WRITE_BYTES], left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(timeout: float | None, error: type[httpcore.TimeoutException]) -> float | None:
    end = _deadline.get()
    if end is None:
        return timeout
    left = end - time.monotonic()
    if left <= 0:
        raise error("the deadline of the request has passed")
    return left if timeout is None else min(left, timeout)
