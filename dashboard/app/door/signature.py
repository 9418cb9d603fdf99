"""Signatures of delivery reports, as Standard Webhooks (standardwebhooks.com) describes them.

Three headers: `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`, which is `v1,` +
base64(HMAC-SHA256(secret, f"{id}.{timestamp}.{body}")).
"""

from __future__ import annotations

import hmac
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from hashlib import sha256

from dashboard.errors import SettingsError

WEBHOOK_PATH = "/webhooks/delivery-reports"
WINDOW_S = 300

_SECONDS = re.compile("[0-9]{1,12}")
"""Enough for 30,000 years of Unix time; Python refuses to read a number with thousands of digits."""


def key_of(secret: str) -> bytes:
    """Turn DASHBOARD_WEBHOOK_SECRET into the signing key: its bytes, or base64 after a `whsec_` prefix.

    Raises:
        SettingsError: What follows `whsec_` is not base64.
    """
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return b64decode(secret.removeprefix("whsec_"), validate=True)
    except Base64Error:
        raise SettingsError(
            "DASHBOARD_WEBHOOK_SECRET: what follows whsec_ must be base64, as the service shows it."
        ) from None


def sign(key: bytes, message_id: str, timestamp: str, body: bytes) -> str:
    """Compute the `webhook-signature` of a body."""
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def may_be_authentic(headers: Mapping[str, str], *, now: float) -> bool:
    """Whether the headers say, before there is a body, that somebody signed one within the last WINDOW_S."""
    timestamp = headers.get("webhook-timestamp", "")
    if not (headers.get("webhook-id") and headers.get("webhook-signature") and _SECONDS.fullmatch(timestamp)):
        return False
    return abs(now - int(timestamp)) <= WINDOW_S


def is_authentic(key: bytes, headers: Mapping[str, str], body: bytes, *, now: float) -> bool:
    """Whether whoever sent the body holds the key and signed it within the last WINDOW_S seconds.

    The signature header may list several signatures, as when secrets are being changed; one match is enough.
    """
    if not may_be_authentic(headers, now=now):
        return False
    expected = sign(key, headers["webhook-id"], headers["webhook-timestamp"], body).encode()
    given = headers["webhook-signature"].encode("utf-8", "replace").split()
    return any([hmac.compare_digest(expected, one) for one in given])  # noqa: C419 - compare all: same time each
