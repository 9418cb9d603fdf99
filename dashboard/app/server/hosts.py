"""Only what is meant for this dashboard is answered.

Any page may have its own name lead to our address (DNS rebinding), and would then be taken for one of ours.
An address leads nowhere else: the one at which a request arrived is always ours.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.app.server.sign_in import NO_STORE

log = logging.getLogger(__name__)

MOST_LOGGED = 20
"""Names that are logged, each once: strangers may think of any number of them."""

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{0,5})?")


class Hosts:
    """ASGI middleware that refuses requests for other hosts, and websockets from pages of other hosts.

    X-Forwarded-Host is not looked at: anybody can send one.
    """

    def __init__(self, app: ASGIApp, *, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(_address(name) or name for name in names)
        self._endings = tuple(name.removeprefix("*") for name in names if name.startswith("*."))
        self._logged: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts, origin = headers.getlist("host"), headers.get("origin")
        host = name_in(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self._is_ours(host, scope):
            self._log(host)
            await _refuse(scope, receive, send, _said(host))
        elif scope["type"] == "websocket" and origin is not None and not self._is_ours(_page(origin), scope):
            await _refuse(scope, receive, send, "Only pages of this dashboard may ask for this.")
        else:
            await self._app(scope, receive, send)

    def _is_ours(self, host: str | None, scope: Scope) -> bool:
        if host is None:
            return False
        address = _address(host)
        if (address or host) in self._names or host.endswith(self._endings):
            return True
        arrived = scope.get("server")
        return address is not None and arrived is not None and address == _address(str(arrived[0]))

    def _log(self, host: str | None) -> None:
        if host is None or host in self._logged or len(self._logged) >= MOST_LOGGED:
            return
        self._logged.add(host)
        log.warning("A request for %s was refused. If it is this dashboard, add it to DASHBOARD_HOSTS.", host)


def name_in(header: str) -> str | None:
    """The name or address in a Host header, in lower case and without a port; None if there is none."""
    found = _HOST.fullmatch(header)
    return found and found[1].lower().removesuffix(".")


def _page(origin: str) -> str | None:
    try:
        return name_in(urlsplit(origin).netloc)
    except ValueError:
        return None


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _said(host: str | None) -> str:
    if host is None:
        return "This request does not say for which host it is."
    return (
        f"This dashboard does not answer at {host}. If that is where people open it, whoever runs it adds "
        f"{host} to DASHBOARD_HOSTS."
    )


async def _refuse(scope: Scope, receive: Receive, send: Send, said: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
    else:
        await PlainTextResponse(said, 400, NO_STORE)(scope, receive, send)
