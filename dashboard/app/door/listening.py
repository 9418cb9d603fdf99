"""Where the dashboard listens, which names it answers to, and whether it may do so without sign-in."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from urllib.parse import urlsplit

from dashboard.errors import SettingsError
from dashboard.settings import Settings

LOCAL = "127.0.0.1"
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not listened on


def addresses_of(host: str) -> list[str]:
    """The addresses that listening on a host means, IPv4 first, each as a number.

    A name is resolved now, so that the addresses checked are the ones listened on. No host at all means every
    address.

    Args:
        host: A name or an address; an IPv6 address with or without brackets.

    Raises:
        SettingsError: It is neither an address nor a name known here.
    """
    bare = host.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    try:
        found = socket.getaddrinfo(bare or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise SettingsError(
            "DASHBOARD_HOST is neither an address nor a name known here. Set it to 127.0.0.1 for "
            "this machine only."
        ) from None
    found.sort(key=lambda one: one[0] != socket.AF_INET)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def is_loopback(address: str) -> bool:
    """Whether a numeric address can be reached only from this machine."""
    number = ip_address(address)
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def refuse_strangers(settings: Settings, host: str) -> list[str]:
    """The addresses that listening on a host means; refuses if strangers would be administrators there.

    Without sign-in, anyone who opens a page may do everything, so only this machine may reach it.

    Raises:
        SettingsError: Sign-in is off and another machine can reach one of the addresses, or the host is
            unknown.
    """
    addresses = addresses_of(host)
    if settings.oidc_issuer or settings.open_without_sign_in or all(map(is_loopback, addresses)):
        return addresses
    raise SettingsError(
        "DASHBOARD_HOST lets other machines in, and without sign-in anyone who can reach the dashboard could "
        "see all numbers and send. Set DASHBOARD_OIDC_ISSUER, DASHBOARD_OIDC_CLIENT_ID, "
        "DASHBOARD_OIDC_CLIENT_SECRET, DASHBOARD_OIDC_COOKIE_SECRET and DASHBOARD_PEOPLE so that people sign "
        "in, or DASHBOARD_HOST=127.0.0.1 for this machine only. If something else keeps strangers out, set "
        "DASHBOARD_OPEN_WITHOUT_SIGN_IN=true."
    )


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


def trusted_hosts(settings: Settings) -> list[str]:
    """Host names for which pages are served; any other Host header is refused (DNS rebinding)."""
    addresses = addresses_of(settings.host)
    names = {"localhost", LOCAL, settings.host.strip(), *map(_bracketed, addresses)} - {""}
    if any(address in ANYWHERE for address in addresses):
        names |= {socket.gethostname(), *map(_bracketed, _own_addresses())}
    if settings.oidc_public_url:
        names.add(urlsplit(settings.oidc_public_url).hostname or "localhost")
    return sorted(names)


def _bracketed(address: str) -> str:
    """An address as written in a URL and in a Host header."""
    return f"[{address}]" if ":" in address else address


def _own_addresses() -> set[str]:
    try:
        return {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    except OSError:
        return set()
