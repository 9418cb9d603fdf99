"""The wire: HTTP/1.1 over a small pool of connections, with one deadline for a whole request.

httpx's read timeout restarts with every byte received, so a server that drips one byte per second keeps a
request alive forever. Here every read and write also respects the deadline of the running request.

httpcore's pool gives an idle connection to a thread, and lets other threads drop it as expired until that
thread has begun (encode/httpcore#1110). A request that begins meanwhile loses its answer, and what became of
it is unknown. Here a connection is either dropped or begun on, never both.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
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
        self._pool = _Pool(trusted)


class _Pool(httpcore.ConnectionPool):
    def __init__(self, trusted: ssl.SSLContext) -> None:
        self._trusted = trusted
        self._backend = _Backend()
        super().__init__(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)

    def create_connection(self, origin: httpcore.Origin) -> httpcore.ConnectionInterface:
        return _Connection(
            origin=origin,
            ssl_context=self._trusted,
            keepalive_expiry=KEEPALIVE_S,
            http1=True,
            http2=False,
            retries=0,
            network_backend=self._backend,
        )


class _Connection(httpcore.HTTPConnection):
    """A connection that has expired only if nobody has begun a request on it, and then nobody does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._guard = Lock()
        self._beginning = 0
        self._is_dropped = False

    def handle_request(self, request: httpcore.Request) -> httpcore.Response:
        """Begin a request and read the head of its answer; the pool looks for another one if it may not."""
        with self._guard:
            if self._is_dropped:
                raise httpcore.ConnectionNotAvailable
            self._beginning += 1
        try:
            return super().handle_request(request)
        finally:
            with self._guard:
                self._beginning -= 1

    def has_expired(self) -> bool:
        """Whether the pool is to drop it, which it always does then."""
        with self._guard:
            if not self._beginning and super().has_expired():
                self._is_dropped = True
            return self._is_dropped


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
