"""Delivery reports: changed messages posted to a webhook on this machine, signed.

The contract announces a webhook without describing it (section 6). Here a report is `{"data": [Message,
...]}`, signed according to Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from dashboard.sandbox.contract.objects import Stored, as_of, message_object
from dashboard.sandbox.store import Store

AT_ONCE = 500
TIMEOUT_S = 5.0
IDLE_S = 0.2
LONGEST_PAUSE_S = 15.0


class Webhook(BaseModel):
    """Where reports go and what signs them. Only this machine: no message of the sandbox leaves it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: str
    secret: SecretStr

    @field_validator("url")
    @classmethod
    def _on_this_machine(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme != "http" or not _is_loopback(parts.hostname or "") or parts.port == 0:
            raise ValueError("give an http:// address on this machine, such as http://127.0.0.1:8501/…")
        return url

    @field_validator("secret")
    @classmethod
    def _can_sign(cls, secret: SecretStr) -> SecretStr:
        if not secret.get_secret_value():
            raise ValueError("give a secret")
        secret_bytes(secret.get_secret_value())
        return secret


class Reporter:
    """Posts waiting reports one batch after another; each waits until a webhook accepts it with a 2xx."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = asyncio.Event()
        remembered = store.fact("webhook")
        self._webhook = Webhook.model_validate(remembered) if remembered else None

    @property
    def url(self) -> str | None:
        """Where reports go now."""
        return self._webhook.url if self._webhook else None

    def register(self, webhook: Webhook | None) -> None:
        """Post to this webhook from now on; None keeps the reports waiting."""
        self._webhook = webhook
        self._store.remember(
            "webhook",
            {"url": webhook.url, "secret": webhook.secret.get_secret_value()} if webhook else None,
        )
        self._changed.set()

    async def keep_posting(self) -> None:
        """Post forever, with growing pauses while the webhook does not accept what it gets."""
        failures = 0
        while True:
            self._changed.clear()
            posted = await self._post_next()
            failures = failures + 1 if posted is False else 0
            if posted:
                continue
            pause_s = min(IDLE_S * 2**failures, LONGEST_PAUSE_S)
            try:
                await asyncio.wait_for(self._changed.wait(), pause_s)
            except TimeoutError:
                continue

    async def _post_next(self) -> bool | None:
        """Whether the webhook accepted the next batch; None if there is none, or no webhook."""
        waiting = self._store.waiting_reports(limit=AT_ONCE) if self._webhook else []
        if not waiting or self._webhook is None:
            return None
        first, last = waiting[0][0], waiting[-1][0]
        messages = [as_of(stored, status) for _, status, stored in waiting]
        status = await post(self._webhook, messages, report_id=f"reports-{first}-{last}")
        if status is None or status // 100 != 2:  # noqa: PLR2004 - any 2xx
            return False
        self._store.drop_reports(last)
        return True


async def post(webhook: Webhook, messages: Sequence[Stored], *, report_id: str) -> int | None:
    """Post messages as one signed report; returns the status answered, None if there was none."""
    body = orjson.dumps({"data": [message_object(message) for message in messages]})
    headers = {
        "Content-Type": "application/json",
        **signature(webhook.secret.get_secret_value(), body, report_id=report_id, at=int(time.time())),
    }
    return await asyncio.to_thread(_exchange, webhook.url, body, headers)


def signature(secret: str, body: bytes, *, report_id: str, at: int) -> dict[str, str]:
    """The three headers of Standard Webhooks 1.0 for a body sent at a Unix time."""
    signed = f"{report_id}.{at}.".encode() + body
    digest = hmac.digest(secret_bytes(secret), signed, "sha256")
    return {
        "webhook-id": report_id,
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    }


def secret_bytes(secret: str) -> bytes:
    """The key of a secret: base64 after `whsec_`, else the text's own bytes.

    Raises:
        ValueError: What follows `whsec_` is not base64.
    """
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("what follows whsec_ must be base64") from None


def _exchange(url: str, body: bytes, headers: dict[str, str]) -> int | None:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=TIMEOUT_S)
    try:
        connection.request(
            "POST", parts._replace(scheme="", netloc="", fragment="").geturl() or "/", body, headers
        )
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
