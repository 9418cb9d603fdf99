"""The way to the messaging service: the real one that is set, or the sandbox, started when needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from dashboard.errors import ServiceError
from dashboard.sandbox import Sandbox, SandboxError
from dashboard.service import SmsService
from dashboard.settings import Settings


@dataclass(frozen=True)
class Connection:
    """A client of the service, and the sandbox's process where that is the service."""

    service: SmsService
    sandbox: Sandbox | None


@contextmanager
def connect(settings: Settings) -> Iterator[Connection]:
    """Open the way to the service; a sandbox that was started for it ends with the block.

    Raises:
        ServiceError: The sandbox does not start.
    """
    with ExitStack() as opened:
        sandbox = None
        if settings.sms_base_url is not None and settings.sms_api_key is not None:
            address, key = settings.sms_base_url, settings.sms_api_key.get_secret_value()
        else:
            sandbox = opened.enter_context(_start_sandbox(settings))
            address, key = sandbox.base_url, sandbox.api_key
        yield Connection(opened.enter_context(SmsService(address, key)), sandbox)


def _start_sandbox(settings: Settings) -> Sandbox:
    try:
        return Sandbox.start(settings.data / "sandbox")
    except SandboxError as error:
        raise ServiceError(str(error)) from error
