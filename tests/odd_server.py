"""A hand-made HTTP server on a raw socket, for every answer that no honest framework would give.

def answer(peer):
    peer.read_request()
    peer.answer(200, b"<html>")

with OddServer(answer) as server:
    ...  # server.base_url, server.requests
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class SeenRequest:
    line: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Peer:
    """One connection, as the behaviour under test drives it."""

    def __init__(
        self, connection: socket.socket, number: int, requests: list[SeenRequest], over: threading.Event
    ) -> None:
        self.number = number
        self._over = over
        self._connection = connection
        self._requests = requests
        self._rest = b""

    def read_request(self) -> SeenRequest:
        data = self._rest
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        line, *fields = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}
        length = int(headers.get("content-length", "0"))
        while len(body) < length:
            body += self._receive()
        self._rest = body[length:]
        request = SeenRequest(line, headers, body[:length])
        self._requests.append(request)
        return request

    def read_some(self) -> None:
        self._receive()

    def send(self, data: bytes) -> None:
        self._connection.sendall(data)

    def answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send(response(status, body, headers))

    def drip(self, data: bytes, *, every_s: float) -> None:
        for position in range(len(data)):
            self.send(data[position : position + 1])
            self.wait(every_s)

    def wait(self, seconds: float) -> None:
        self._over.wait(seconds)

    def close(self) -> None:
        self._connection.close()

    def reset(self) -> None:
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._connection.close()

    def _receive(self) -> bytes:
        data = self._connection.recv(65_536)
        if not data:
            raise ConnectionError
        return data


Behaviour = Callable[[Peer], None]


class OddServer:
    """Runs a behaviour once for each connection, each in its own thread, and closes it afterwards."""

    def __init__(self, behaviour: Behaviour, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.requests: list[SeenRequest] = []
        self.connections = 0
        self._behaviour = behaviour
        self.ended = 0
        self._over = threading.Event()
        self._lines: dict[int, socket.socket] = {}
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._acceptor = threading.Thread(target=self._accept, daemon=True)

    @property
    def base_url(self) -> str:
        scheme = "https" if self._tls else "http"
        return f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._acceptor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._acceptor.join()
        self._over.set()
        for line in self._lines.values():
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._run, args=[connection, self.connections], daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self, connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError):  # the client may leave whenever it likes
            if self._tls:
                connection = self._tls.wrap_socket(
                    connection, server_side=True, do_handshake_on_connect=False
                )
            self._lines[number] = connection
            with connection:
                if self._tls:
                    connection.do_handshake()
                self._behaviour(Peer(connection, number, self.requests, self._over))
        self.ended += 1


def answering(status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Behaviour:
    """Reads requests and gives each the same answer."""

    def behave(peer: Peer) -> None:
        while True:
            peer.read_request()
            peer.answer(status, body, headers)

    return behave


def echoing(change: Callable[[list[dict[str, Any]]], list[Any]] = list) -> Behaviour:
    """Accepts every bulk request, with the answered messages changed."""

    def behave(peer: Peer) -> None:
        while True:
            peer.answer(200, bulk_answer(change(peer.read_request().json)))

    return behave


def bulk_answer(messages: list[Any]) -> bytes:
    return json.dumps({"data": messages}).encode()


def response(status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> bytes:
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} Odd\r\n{head}\r\n".encode() + body


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
