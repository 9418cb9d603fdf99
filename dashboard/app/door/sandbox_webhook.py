"""Tell the sandbox where to post delivery reports: beyond the contract, so not part of the service client."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from dashboard.errors import ServiceError
from dashboard.sandbox import Sandbox

TIMEOUT_S = 5.0


def register(sandbox: Sandbox, url: str, secret: str) -> None:
    """Have the sandbox post its reports to this address on this machine, signed with the secret.

    Raises:
        ServiceError: The sandbox does not answer or refuses.
    """
    address = urlsplit(sandbox.base_url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_S)
    try:
        connection.request(
            "POST",
            "/sandbox/webhook",
            json.dumps({"url": url, "secret": secret}),
            {"Authorization": f"Bearer {sandbox.api_key}", "Content-Type": "application/json"},
        )
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        raise ServiceError("The sandbox does not answer. Start the dashboard again.") from error
    finally:
        connection.close()
    if status // 100 != 2:  # noqa: PLR2004 - any 2xx
        raise ServiceError(f"The sandbox refuses our webhook (status {status}). Start the dashboard again.")
