"""Where the dashboard listens, and which names it answers to."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

from dashboard.errors import SettingsError
from dashboard.jobs.start_checks.reach import addresses_of, is_loopback, refuse_strangers
from dashboard.settings import Settings
from dashboard.settings.addresses import in_ascii

LOCAL = "127.0.0.1"
USUAL_PORTS = {"http": 80, "https": 443}
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not listened on


@contextmanager
def listening(settings: Settings) -> Iterator[list[socket.socket]]:
    """Open the listening sockets: the host's and, if other machines use that, one for this machine too.

    The sandbox posts its delivery reports only on this machine, whichever address others use.

    Raises:
        SettingsError: The address or the port cannot be used, or strangers would be let in.
    """
    address = refuse_strangers(settings, settings.host)[0]
    wanted = [address] if is_loopback(address) or address in ANYWHERE else [address, LOCAL]
    with ExitStack() as opened:
        yield [opened.enter_context(_listen(one, settings.port)) for one in wanted]


def _listen(address: str, port: int) -> socket.socket:
    """A listening socket.

    Made with IPPROTO_TCP, because asyncio sets TCP_NODELAY only on sockets that name it: a delivery report is
    then answered in half a millisecond instead of 44.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if socket.SO_REUSEADDR and not hasattr(
            socket, "SO_EXCLUSIVEADDRUSE"
        ):  # on Windows it would share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # :: is everything, and the sandbox posts to 127.0.0.1
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((address, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"The dashboard cannot listen on {address}, port {port} ({error.strerror}). Stop what uses the "
            "port, or set DASHBOARD_PORT to another one."
        ) from error
    return listener


def own_address(settings: Settings) -> str:
    """The base address at which programs on this machine reach the dashboard."""
    address = addresses_of(settings.host)[0]
    return f"http://{_bracketed(address if is_loopback(address) else LOCAL)}:{settings.port}"


def public_address(settings: Settings) -> str:
    """The base address at which people open the dashboard, and to which sign-in returns them."""
    return (settings.oidc_public_url or f"http://localhost:{settings.port}").rstrip("/")


def public_origin(settings: Settings) -> str:
    """The origin of our pages, as browsers spell it: names in ASCII, and no port that goes without saying."""
    parts = urlsplit(public_address(settings))
    name = _in_url(parts.hostname or "")
    is_usual = parts.port in {None, USUAL_PORTS.get(parts.scheme)}
    return f"{parts.scheme}://{name}" if is_usual else f"{parts.scheme}://{name}:{parts.port}"


def trusted_hosts(settings: Settings) -> list[str]:
    """Host names for which pages are served, besides the address at which a request arrives."""
    addresses = addresses_of(settings.host)
    names = {"localhost", LOCAL, "[::1]", settings.host.strip(), *map(_bracketed, addresses)} - {""}
    if any(address in ANYWHERE for address in addresses):
        names.add(socket.gethostname())
    if settings.oidc_public_url:
        names.add(_in_url(urlsplit(settings.oidc_public_url).hostname or "localhost"))
    return sorted({*(name.lower() for name in names), *settings.hosts})


def _bracketed(address: str) -> str:
    """An address as written in a URL and in a Host header."""
    return f"[{address}]" if ":" in address else address


def _in_url(name: str) -> str:
    """A name or an address as browsers write it, in ASCII."""
    return _bracketed(in_ascii(name))
