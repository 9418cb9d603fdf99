"""The way to the messaging service, the real one or the sandbox, and the engine that sends there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from dashboard.errors import ServiceError
from dashboard.ledger import Ledger, Limits
from dashboard.sandbox import Sandbox, SandboxError
from dashboard.sending import Engine, Rules
from dashboard.service import SmsService
from dashboard.settings import Settings

log = logging.getLogger(__name__)

SANDBOX_CHECK_S = 2.0


@dataclass(frozen=True)
class Connection:
    """A client of the service, and the sandbox's process where that is the service."""

    service: SmsService
    sandbox: Sandbox | None


@contextmanager
def connect(settings: Settings) -> Iterator[Connection]:
    """Open the way to the service; a sandbox started for it ends with the block.

    Raises:
        ServiceError: The sandbox does not start.
    """
    with ExitStack() as opened:
        sandbox = None
        if settings.sms_base_url is not None:
            service = real_service(settings, settings.sms_base_url)
        else:
            sandbox = opened.enter_context(_sandbox(settings))
            service = SmsService(sandbox.base_url, sandbox.api_key)
        yield Connection(opened.enter_context(service), sandbox)


def real_service(settings: Settings, address: str) -> SmsService:
    """A client of the service that is set; its key may change while it is used."""
    key = settings.secret("sms_api_key")
    return SmsService(address, lambda: key() or "")


def engine_for(settings: Settings, ledger: Ledger, service: SmsService) -> Engine:
    """An engine that sends as the settings from outside say; not started yet.

    The caps that marketers decided are the ledger's to tell, when it starts.

    Raises:
        SettingsError: What they decided cannot be used here.
    """
    ledger.settings.now(settings)
    rules = Rules(
        refusal_took_nothing=not settings.refusals_are_unknown,
        unavailable_took_nothing=settings.unavailable_is_unsent,
    )
    limits = Limits(
        failure_share=settings.pause_at_failures or None,
        credits_per_campaign=settings.credits_per_campaign,
        credits_per_day=settings.credits_per_day,
        pauses_on_opt_outs=settings.pause_on_opt_outs,
    )
    return Engine(
        ledger,
        service,
        messages_per_second=settings.messages_per_second,
        keeps_pace="messages_per_second" not in settings.model_fields_set,
        limits=limits,
        rules=rules,
    )


@contextmanager
def _sandbox(settings: Settings) -> Iterator[Sandbox]:
    """The sandbox, restarted whenever it has ended, say along with another process that had started it."""
    try:
        sandbox = Sandbox.start(settings.data / "sandbox")
    except SandboxError as error:
        raise ServiceError(str(error)) from error
    ended = Event()
    watch = Thread(target=_keep_up, args=[sandbox, ended], name="sandbox-watch", daemon=True)
    with sandbox:
        watch.start()
        try:
            yield sandbox
        finally:
            ended.set()
            watch.join()


def _keep_up(sandbox: Sandbox, ended: Event) -> None:
    while not ended.wait(SANDBOX_CHECK_S):
        try:
            sandbox.ensure()
        except SandboxError as error:
            log.warning("%s", error)
