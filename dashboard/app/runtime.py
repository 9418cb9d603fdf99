"""The objects of this process: settings, ledger, service, engine and, without a service, the sandbox."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Self
from zoneinfo import ZoneInfo

from streamlit import config

from dashboard import words
from dashboard.app.door.desk import Desk, desk_of
from dashboard.app.door.listening import own_address
from dashboard.app.door.sandbox_webhook import register
from dashboard.app.door.signature import WEBHOOK_PATH, key_of
from dashboard.app.draft_store import Drafts
from dashboard.app.sample_history import SampleHistory
from dashboard.app.starts import Starts
from dashboard.app.turns import Turns
from dashboard.campaigns import Prices, prices_of
from dashboard.contacts import warm_up
from dashboard.jobs.connection import connect, engine_for
from dashboard.jobs.retention import forgetting
from dashboard.jobs.start_checks.checks import refuse_unsafe
from dashboard.ledger import Ledger
from dashboard.sandbox import Sandbox
from dashboard.sending import Engine
from dashboard.service import SmsService
from dashboard.settings import Settings, load_settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Runtime:
    """Everything a page works with, opened once per process.

    Attributes:
        given: What the environment sets, for whoever runs the dashboard; pages want `settings`.
        ledger: What happened to every message.
        service: The messaging service, real or the sandbox.
        engine: Moves batches from the ledger to the service, even while no page is open.
        sandbox: The sandbox's process; None with a real service.
        webhook_keys: Tells the keys that delivery reports may be signed with now; none where they cannot be
            received by webhook.
        drafts: Campaigns being written.
        listed: What credits cost by the environment's price list, read once; None without one.
        desk: Who is signed in; None where nobody has to.
        sample_history: A made-up year to look at until there is a campaign.
        starts: Campaigns being prepared in the background.
        turns: Turns at reading a sheet.
    """

    given: Settings
    ledger: Ledger
    service: SmsService
    engine: Engine
    sandbox: Sandbox | None
    webhook_keys: Callable[[], Sequence[bytes]] = field(repr=False)
    drafts: Drafts
    listed: Prices | None
    desk: Desk | None
    turns: Turns
    sample_history: SampleHistory
    _opened: ExitStack = field(repr=False)
    starts: Starts = field(default_factory=Starts)

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """Start the sandbox if no service is set, open the ledger, and resume whatever was being sent.

        Raises:
            SettingsError: A setting cannot be used.
            LedgerError: The ledger cannot be opened.
            ServiceError: The sandbox does not start.
            SendingError: No slot to send from is free.
        """
        words.use(settings.language)
        listed = prices_of(settings) if settings.price_list else None
        warm_up()
        settings.make_data_folder()
        drafts = Drafts(settings.data / "drafts", kept_days=settings.keep_drafts_days)
        sandbox_secret = _sandbox_secret(settings)
        webhook_keys = _webhook_keys(settings, sandbox_secret)
        with ExitStack() as opened:  # whatever was opened is closed again if the rest fails
            to = opened.enter_context(connect(settings))
            ledger = opened.enter_context(Ledger.open(settings.ledger_url))
            ledger.settings.now(settings)  # what was kept and cannot be used here is said at the start
            engine = opened.enter_context(engine_for(settings, ledger, to.service))
            of_sandbox = to.sandbox.forget if to.sandbox is not None else None
            opened.enter_context(forgetting(ledger, settings, drafts=drafts.sweep, sandbox=of_sandbox))
            if to.sandbox is not None and sandbox_secret:
                register(to.sandbox, f"{own_address(settings)}{WEBHOOK_PATH}", sandbox_secret)
            desk = opened.enter_context(desk_of(ledger, settings))
            turns = Turns(settings.readers, settings.reader_seconds)
            history = opened.enter_context(closing(SampleHistory(settings.data / "sample-history")))
            if settings.uses_sandbox:
                history.open()
            ours = (settings, ledger, to.service, engine, to.sandbox, webhook_keys, drafts, listed, desk)
            return cls(*ours, turns, history, opened.pop_all())

    def close(self) -> None:
        """Finish what is in flight, claim no more, and end the sandbox if it was started here."""
        self.starts.close()
        self._opened.close()

    @property
    def shown(self) -> Ledger:
        """The ledger whose campaigns the pages show: the made-up year while there is one."""
        return self.sample_history.ledger or self.ledger

    @property
    def settings(self) -> Settings:
        """The settings in force: the environment's, and what marketers decided."""
        return self.ledger.settings.now(self.given)

    @property
    def prices(self) -> Prices | None:
        """What credits cost; None if nobody has said it."""
        return self.listed or prices_of(self.settings)

    @property
    def currency(self) -> str:
        """The currency of costs that have none of their own, ISO 4217."""
        return (self.prices and self.prices.currency) or self.settings.currency

    def now(self) -> datetime:
        """The time that counts for what is sent: the ledger's, which on PostgreSQL is the database's."""
        return self.ledger.outbox.now()

    @property
    def time_zone(self) -> ZoneInfo:
        """The zone whose days, months and hours figures are reported by, whoever looks."""
        return ZoneInfo(self.settings.time_zone)

    @property
    def has_time_zone(self) -> bool:
        """Whether somebody decided on that zone, in the environment or on the page."""
        return "time_zone" in self.settings.model_fields_set


def _sandbox_secret(settings: Settings) -> str | None:
    """What the sandbox signs with for as long as it runs; None with a real service."""
    if not settings.uses_sandbox:
        return None
    return settings.secret("webhook_secret")() or secrets.token_urlsafe(32)


def _webhook_keys(settings: Settings, sandbox_secret: str | None) -> Callable[[], Sequence[bytes]]:
    now, before = settings.secret("webhook_secret"), settings.secret("webhook_secret_before")
    return lambda: [key_of(secret) for secret in (sandbox_secret, now(), before()) if secret]


_current: Runtime | None = None
_guard = Lock()


def use(wired: Runtime | None) -> None:
    """Make this the process's runtime; None removes it."""
    global _current  # noqa: PLW0603 - one per process is what it is
    with _guard:
        _current = wired


def current() -> Runtime:
    """Return the process's runtime, opening it from the settings if nobody has done so yet.

    Under `streamlit run` nobody has, and Streamlit listens wherever its own options say.

    Raises:
        SettingsError: Strangers would be let in, or a setting cannot be used.
    """
    global _current  # noqa: PLW0603
    with _guard:
        if _current is None:
            settings = load_settings()
            there = settings.model_copy(update={"host": config.get_option("server.address") or ""})
            refuse_unsafe(there, listens=True, warn=log.warning)
            _current = Runtime.open(settings)
        return _current
