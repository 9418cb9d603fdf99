"""What only the network tells: whether the identity provider and the messaging service answer."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

from dashboard.errors import ServiceError
from dashboard.jobs.connection import real_service
from dashboard.jobs.start_checks.database import clock
from dashboard.jobs.start_checks.finding import Finding
from dashboard.ledger.database.clock import behind, utc_now
from dashboard.service import AuthenticationError
from dashboard.settings import Settings

TIMEOUT_S = 10.0
LARGEST_BYTES = 1_000_000
NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")


def issuer(settings: Settings) -> Finding:
    """Whether the issuer is one: it answers, and calls itself what the setting calls it."""
    name, address = "issuer-online", settings.oidc_issuer
    if address is None:
        return Finding(name, "ok", "Nobody signs in, so there is nobody to ask.")
    said = _configuration(f"{address.removesuffix('/')}/.well-known/openid-configuration")
    if said is None:
        return Finding(
            name,
            "refused",
            "DASHBOARD_OIDC_ISSUER does not answer with an OpenID configuration. Write the issuer as your "
            "identity provider shows it, without /.well-known/…, and let this machine reach it.",
        )
    if str(said.get("issuer", "")).removesuffix("/") != address.removesuffix("/"):
        return Finding(
            name,
            "refused",
            "DASHBOARD_OIDC_ISSUER answers, but calls itself something else, so nobody could sign in. Write "
            "it exactly as its OpenID configuration says under issuer.",
        )
    if missing := [part for part in NEEDED if not isinstance(said.get(part), str)]:
        return Finding(
            name,
            "refused",
            f"The OpenID configuration of DASHBOARD_OIDC_ISSUER has no {', '.join(missing)}, so nobody could "
            "sign in. Ask whoever runs it.",
        )
    return Finding(name, "ok", "The issuer answers.")


def service(settings: Settings) -> list[Finding]:
    """Whether the service answers, takes the key, and has the same time; asked about a made-up number."""
    name = "service-online"
    if settings.sms_base_url is None:
        return [Finding(name, "ok", "No service is set, so there is nobody to ask.")]
    try:
        with real_service(settings, settings.sms_base_url) as client:
            before = utc_now()
            there = client.time_there()
            after = utc_now()
    except AuthenticationError as error:
        return [Finding(name, "refused", f"{error} Write the key that the service shows into SMS_API_KEY.")]
    except ServiceError as error:
        return [Finding(name, "refused", f"{error} SMS_BASE_URL says where it is.")]
    answers = Finding(name, "ok", "The service answers and takes the key.")
    if there is None:
        return [answers]
    return [answers, clock("clock-online", behind(before, there, after), "service")]


def _configuration(address: str) -> dict[str, Any] | None:
    try:
        wanted = Request(address, headers={"Accept": "application/json"})  # noqa: S310 - http or https only
        with urlopen(wanted, timeout=TIMEOUT_S) as answer:  # noqa: S310
            said = json.loads(answer.read(LARGEST_BYTES))
    except (OSError, HTTPException, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
