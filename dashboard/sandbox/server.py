"""Run the sandbox in this process, on 127.0.0.1 only."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import uvicorn

from dashboard.sandbox.app import create_app
from dashboard.sandbox.folder import SandboxError, SandboxFolder, new_identity

HOST = "127.0.0.1"
KEEPALIVE_S = 30
"""Longer than any client keeps an idle connection, so that none is closed during a request."""


def serve(
    folder: Path,
    *,
    port: int | None = None,
    api_key: str | None = None,
    until_stdin_ends: bool = False,
    ready: Callable[[str, str], None] | None = None,
) -> None:
    """Serve until interrupted.

    Args:
        folder: Where its database, port and key are kept.
        port: Where to listen; the folder's port, or a free one, if absent.
        api_key: What clients must send; the folder's key, or a new one, if absent.
        until_stdin_ends: End as soon as standard input ends, that is, together with the process that started
            this one.
        ready: Called with the base address and the key once it is listening.

    Raises:
        SandboxBusyError: Another process runs the sandbox of this folder.
        SandboxError: The port is taken.
        SystemExit: The database cannot be opened; the log says why.
    """
    home = SandboxFolder(folder)
    home.make()
    with home.held():
        known = home.identity()
        listener = _listen(port, known.port if known else 0)
        bound = listener.getsockname()[1]
        identity = new_identity(bound, api_key or (known.api_key if known else None))
        app = create_app(
            home.database, api_key=identity.api_key, base_url=identity.base_url, instance=identity.instance
        )
        home.keep(identity)
        home.database.touch(mode=0o600)
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="on",
                access_log=False,
                log_level="warning",
                server_header=False,
                timeout_keep_alive=KEEPALIVE_S,
                timeout_graceful_shutdown=2,
            )
        )
        if until_stdin_ends:
            threading.Thread(target=_end_with_stdin, args=[server], daemon=True).start()
        if ready:
            ready(identity.base_url, identity.api_key)
        server.run(sockets=[listener])


def _listen(wanted: int | None, remembered: int) -> socket.socket:
    """A listening socket on the requested port; else on the remembered port, or any port if that is taken."""
    try:
        return _bound(remembered if wanted is None else wanted)
    except OSError:
        if wanted is not None:
            raise SandboxError(f"Port {wanted} is taken. Choose another one with --port.") from None
    return _bound(0)


def _bound(port: int) -> socket.socket:
    # The protocol is named because asyncio switches off Nagle's algorithm only then: 40 ms per request.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two programs share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _end_with_stdin(server: uvicorn.Server) -> None:
    # Unbuffered on purpose: a thread inside sys.stdin.read() stops the interpreter from ending cleanly.
    while os.read(0, 1024):
        pass
    server.should_exit = True
