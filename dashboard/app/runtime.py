"""The objects of this process: settings, ledger, service, engine and, without a service, the sandbox."""

from __future__ import annotations

import logging
import secrets
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from threading import Lock
from typing import Self

from dashboard.app.drafts import Drafts
from dashboard.app.sandbox_webhook import register
from dashboard.app.signature import WEBHOOK_PATH, key_of
from dashboard.errors import LedgerError, ServiceError
from dashboard.ledger import Ledger
from dashboard.sandbox import Sandbox, SandboxError
from dashboard.sending import Engine
from dashboard.service import SmsService
from dashboard.settings import Settings, load_settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Runtime:
    """Everything a page works with, opened once per process.

    Attributes:
        settings: What whoever runs this has set.
        ledger: What happened to every message.
        service: The messaging service, real or the sandbox.
        engine: Moves batches from the ledger to the service, also while no page is open.
        sandbox: The sandbox's process; None with a real service.
        webhook_key: Signs delivery reports; None when they cannot be received by webhook.
        drafts: Campaigns being written.
    """

    settings: Settings
    ledger: Ledger
    service: SmsService
    engine: Engine
    sandbox: Sandbox | None
    webhook_key: bytes | None = field(repr=False)
    drafts: Drafts

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """Start the sandbox if no service is set, open the ledger, and go on sending what was being sent.

        Raises:
            SettingsError: A setting cannot be used.
            LedgerError: The ledger cannot be opened.
            ServiceError: The sandbox does not start.
            SendingError: No slot to send from is free.
        """
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        drafts = Drafts(settings.data / "drafts")
        drafts.sweep()
        secret = _webhook_secret(settings)
        webhook_key = key_of(secret) if secret else None
        with ExitStack() as opened:  # what was opened is closed again when the rest fails
            sandbox = _start_sandbox(settings)
            if sandbox is not None:
                opened.enter_context(sandbox)
            ledger = opened.enter_context(closing(Ledger.open(settings.ledger_url)))
            service = opened.enter_context(_open_service(settings, sandbox))
            engine = Engine(ledger, service, messages_per_second=settings.messages_per_second)
            opened.enter_context(engine)
            if sandbox is not None and secret:
                register(sandbox, f"http://127.0.0.1:{settings.port}{WEBHOOK_PATH}", secret)
            opened.pop_all()
        return cls(settings, ledger, service, engine, sandbox, webhook_key, drafts)

    def close(self) -> None:
        """Finish what is in flight, claim no more, and end the sandbox if it was started here."""
        self.engine.stop()
        self.service.close()
        self.ledger.close()
        if self.sandbox is not None:
            self.sandbox.close()

    def keep_sandbox_up(self) -> None:
        """Start the sandbox again if it has ended; its messages and its port stay."""
        if self.sandbox is not None:
            try:
                self.sandbox.ensure()
            except SandboxError as error:
                log.warning("%s", error)

    def is_healthy(self) -> bool:
        """Whether the ledger answers and messages are sent."""
        try:
            self.ledger.outbox.unfinished()
        except LedgerError:
            return False
        return self.engine.is_running


def _webhook_secret(settings: Settings) -> str | None:
    if settings.webhook_secret is not None:
        return settings.webhook_secret.get_secret_value()
    return secrets.token_urlsafe(32) if settings.uses_sandbox else None


def _start_sandbox(settings: Settings) -> Sandbox | None:
    if not settings.uses_sandbox:
        return None
    try:
        return Sandbox.start(settings.data / "sandbox")
    except SandboxError as error:
        raise ServiceError(str(error)) from error


def _open_service(settings: Settings, sandbox: Sandbox | None) -> SmsService:
    if sandbox is not None:
        return SmsService(sandbox.base_url, sandbox.api_key)
    key = settings.sms_api_key
    return SmsService(settings.sms_base_url or "", key.get_secret_value() if key else "")


_current: Runtime | None = None
_guard = Lock()


def use(wired: Runtime | None) -> None:
    """Make this the runtime of the process; None forgets it."""
    global _current  # noqa: PLW0603 - one per process is what it is
    with _guard:
        _current = wired


def current() -> Runtime:
    """Return the runtime of the process, opened from the settings when nobody opened it yet."""
    global _current  # noqa: PLW0603
    with _guard:
        if _current is None:
            _current = Runtime.open(load_settings())
        return _current
