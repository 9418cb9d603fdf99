"""Who can reach the dashboard, and to which address sign-in leads people back."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from dashboard.errors import SettingsError
from dashboard.jobs.start_checks.finding import Finding
from dashboard.settings import Settings, is_safe_base_url

OPEN = (
    "DASHBOARD_OPEN_WITHOUT_SIGN_IN is set. Anyone who can reach this dashboard sees all numbers and can "
    "send, and nobody has to sign in."
)


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

    Without sign-in, anyone who opens a page may do everything, so only this machine may reach it. Whoever
    names hosts has something before the dashboard that lets others reach it.

    Raises:
        SettingsError: Sign-in is off and another machine can reach one of the addresses, or the host is
            unknown.
    """
    addresses = addresses_of(host)
    is_local = all(map(is_loopback, addresses))
    if settings.oidc_issuer or settings.open_without_sign_in or (is_local and not settings.hosts):
        return addresses
    raise SettingsError(
        f"{'DASHBOARD_HOSTS' if is_local else 'DASHBOARD_HOST'} lets other machines in, and without sign-in "
        "anyone who can reach the dashboard could see all numbers and send. Set DASHBOARD_OIDC_ISSUER, "
        "DASHBOARD_OIDC_CLIENT_ID, DASHBOARD_OIDC_CLIENT_SECRET, DASHBOARD_OIDC_COOKIE_SECRET and "
        "DASHBOARD_PEOPLE so that people sign in, or DASHBOARD_HOST=127.0.0.1 and no DASHBOARD_HOSTS for "
        "this machine only. If something else keeps strangers out, set DASHBOARD_OPEN_WITHOUT_SIGN_IN=true."
    )


def host(settings: Settings) -> Finding:
    """Whether strangers are kept out."""
    try:
        addresses = refuse_strangers(settings, settings.host)
    except SettingsError as error:
        return Finding("host", "refused", str(error))
    if settings.is_open_to_everyone:
        return Finding("host", "warning", OPEN)
    if settings.oidc_issuer:
        return Finding("host", "ok", "Whoever reaches the dashboard has to sign in.")
    return Finding("host", "ok", f"Only this machine reaches the dashboard, at {', '.join(addresses)}.")


def public_address(settings: Settings) -> Finding:
    """Whether people come back from signing in, and nobody on the way can read their cookie."""
    name, address = "public-address", settings.oidc_public_url
    if settings.oidc_issuer is None:
        return Finding(name, "ok", "Nobody signs in, so nobody is led back.")
    if address is not None and not is_safe_base_url(address):
        return Finding(
            name,
            "refused",
            "DASHBOARD_OIDC_PUBLIC_URL must start with https:// unless it is on this machine, and hold no "
            "password, no ? and no #: otherwise whoever is on the way could read the cookie that signs "
            f"people in. Write https://{_host_of(address)} and let a proxy before the dashboard speak https.",
        )
    if address is None and _lets_others_in(settings):
        return Finding(
            name,
            "warning",
            f"Sign-in leads people back to http://localhost:{settings.port}, which is their own machine. Set "
            "DASHBOARD_OIDC_PUBLIC_URL to the address that they open, such as https://texts.example.com.",
        )
    return Finding(name, "ok", "Sign-in leads people back to where they came from.")


def _lets_others_in(settings: Settings) -> bool:
    try:
        return not all(map(is_loopback, addresses_of(settings.host)))
    except SettingsError:  # which is the check of the host's to say
        return False


def _host_of(address: str) -> str:
    return urlsplit(address).hostname or "texts.example.com"
