"""Addresses: of services, to which secrets are sent, and of people, by which they are known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from string import ascii_lowercase, ascii_uppercase
from urllib.parse import SplitResult, urlsplit

import idna

_NAME = re.compile(r"([a-z0-9_-]+\.)*(?!\d+$)[a-z0-9_-]+")
"""What ends in a number is an address to a browser."""

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def is_safe_base_url(url: str) -> bool:
    """Whether a key may be sent there: https anywhere, plain http only on this machine (loopback).

    An address that contains a user name or password is not safe, because pages and logs show addresses; nor
    is one with a query or a fragment, since no path can be appended to it.
    """
    parts = split(url)
    if parts is None or not parts.hostname or parts.username is not None or "?" in url or "#" in url:
        return False
    if not _is_name(parts.hostname):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))


def split(url: str) -> SplitResult | None:
    """The parts of a web address; None if it is not one."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for one that is no number
    except ValueError:
        return None
    odd = any(letter.isspace() or not letter.isprintable() for letter in url)
    return None if odd or parts.scheme not in {"http", "https"} or not parts.hostname else parts


def read_hosts(entries: Iterable[str]) -> tuple[str, ...]:
    """Names of hosts as browsers write them, each once: in ASCII, an IPv6 address in brackets.

    `*.example.com` stands for every name that ends in that.

    Raises:
        ValueError: Names every wrong entry by its place, never by its content.
    """
    hosts = [entry.strip().lower().removesuffix(".") for entry in entries if entry.strip()]
    read = [_host(host) for host in hosts]
    wrong = [str(place) for place, host in enumerate(read, 1) if host is None]
    if wrong:
        *others, last = wrong
        which = (
            f"entries {', '.join(others)} and {last} are not names"
            if others
            else f"entry {last} is not a name"
        )
        raise ValueError(
            f"{which} (write texts.example.com, without https:// and without a port, "
            "and a comma before the next one)"
        )
    return tuple(dict.fromkeys(host for host in read if host is not None))


def _host(typed: str) -> str | None:
    star = "*." if typed.startswith("*.") else ""
    try:
        address = ip_address(typed[1:-1] if typed.startswith("[") and typed.endswith("]") else typed)
    except ValueError:
        try:
            name = in_ascii(typed.removeprefix(star))
        except UnicodeError:
            return None
        return f"{star}{name}" if _NAME.fullmatch(name) else None
    return f"[{address}]" if address.version == 6 else str(address)  # noqa: PLR2004


def in_ascii(name: str) -> str:
    """A host's name as browsers write it (UTS 46, where ß stays apart from ss).

    Raises:
        UnicodeError: It is not a name that can be looked up.
    """
    is_plain = name.isascii() and "xn--" not in name.lower()
    return (name.encode("idna") if is_plain else idna.encode(name, uts46=True)).decode()


def plain_address(address: str) -> str:
    """An e-mail address in the form compared: A to Z in lower case, and nothing else changed.

    Not `str.lower`, which also turns the Kelvin sign into a k, so that a different address would become this
    one.
    """
    return address.translate(_SMALL)


def _is_name(host: str) -> bool:
    """Whether a host's name can be looked up at all; otherwise it would fail in the middle of a request."""
    try:
        in_ascii(host)
    except UnicodeError:
        return False
    return host != "."


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
