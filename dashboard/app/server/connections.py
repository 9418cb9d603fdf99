"""Connections of which no request comes: uvicorn keeps them for ever, until there is room for nobody else."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 15.0
"""Time in which a request line with all its headers has to be here; what trickles in extends nothing."""

FILES = 65_536
"""Each connection is an open file; many systems begin with 1,024."""


class Patient(H11Protocol):
    """HTTP whose connections end when no request has come in time.

    While a request is being answered its own limits hold. What a stranger still sends of a body that was
    answered already counts as nothing.
    """

    _over: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Wait no more once a request is here."""
        super().data_received(data)
        if self._is_at_work:
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._is_at_work:  # it had come already
            self._wait_no_more()
        else:
            self._wait()

    @property
    def _is_at_work(self) -> bool:
        is_http = self in self.connections  # a websocket has been taken over by another protocol
        return not is_http or (self.cycle is not None and not self.cycle.response_complete)

    def _wait(self) -> None:
        if self._over is None:
            self._over = self.loop.call_later(REQUEST_S, self._give_up)

    def _wait_no_more(self) -> None:
        if self._over is not None:
            self._over.cancel()
            self._over = None

    def _give_up(self) -> None:
        self._over = None
        self.transport.abort()


def make_room() -> None:
    """Let this process have as many files open as the system allows, up to FILES."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
