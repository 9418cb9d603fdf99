"""The engine: sends running campaigns in this process until it is stopped, whoever started them."""

from __future__ import annotations

import gc
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from threading import Event, Lock, Thread

from dashboard.errors import DashboardError, LedgerUnavailableError, SendingError
from dashboard.ledger import Campaign, Ledger, Limits
from dashboard.ledger.outbox.slots import take_slot
from dashboard.sending.outcomes import DEFAULT_RULES, Rules
from dashboard.sending.reconciler import Reconciler
from dashboard.sending.sender import BulkService, Sender
from dashboard.words import _

log = logging.getLogger(__name__)

PLACES = 8
"""Requests on their way at once: eight threads over one client were faster than asyncio."""

TICK_S = 0.5
"""How soon a start, a schedule or the end of a campaign is noticed, with one small query each."""

WATCH_S = 0.2
COLLECT_AT = 50_000
"""After how many new objects Python looks for garbage: searching answers for it took a tenth of the CPU."""

STOP_TIMEOUT_S = 90.0
"""Longer than a request may take, so that stopping leaves nothing unknown."""

_SENDS = Lock()
"""Held while this process sends: it sets the collector of garbage, and has one engine's requests at once.

A process forked meanwhile has a copy, held for good: it shares its parent's connections, and must not send.
"""

Progress = Callable[[Sequence[Campaign]], None]


class Engine:
    """Moves batches from the ledger to the service, in threads of this process; one engine per process.

    Several processes may each run one on the same ledger: every engine takes a slot, and every batch is
    claimed. The ledger is the queue that they share.

    Args:
        ledger: Holds what to send; must stay open while the engine runs.
        service: Where to send it, an `SmsService`.
        places: Requests on their way at once.
        messages_per_second: Pace across all campaigns and processes of this ledger; 0 for as fast as the
            service takes them, None to leave it as last set.
        keeps_pace: Where others are sending, leave the pace under which they do.
        limits: When campaigns of this ledger pause by themselves; None to leave it as last set. Where a cap
            is missing, the one that marketers decided counts, or else that under which others are sending.
        rules: What is known about the service beyond its contract.

    Example:
        >>> with Engine(ledger, service, messages_per_second=200) as engine:
        ...     engine.wait_until_done()
    """

    def __init__(
        self,
        ledger: Ledger,
        service: BulkService,
        *,
        places: int = PLACES,
        messages_per_second: float | None = None,
        keeps_pace: bool = False,
        limits: Limits | None = None,
        rules: Rules = DEFAULT_RULES,
    ) -> None:
        self._ledger = ledger
        self._service = service
        self._places = places
        self._messages_per_second = messages_per_second
        self._keeps_pace = keeps_pace
        self._limits = limits
        self._rules = rules
        self._started: _Running | None = None

    def __enter__(self) -> Engine:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    @property
    def _running(self) -> _Running | None:
        """What this process started; one that was forked since must not stop what its parent does."""
        mine = self._started is not None and self._started.process == os.getpid()
        return self._started if mine else None

    @property
    def is_running(self) -> bool:
        """Whether it is sending."""
        return self._running is not None and self._running.failure is None

    @property
    def seconds_since_tick(self) -> float:
        """How long ago it last looked after everything to the end; 0 if it was not started."""
        return 0.0 if self._running is None else time.monotonic() - self._running.ticked_at

    def start(self) -> None:
        """Take a slot and send running campaigns from now on.

        Raises:
            SendingError: This process is already sending, or no slot is free.
            LedgerUnavailableError: The ledger cannot be used.
        """
        if self._running is not None:
            raise SendingError(_("This engine is already running."))
        sender = Sender(self._ledger.outbox, self._service, places=self._places, rules=self._rules)
        self._started = _Running(self._ledger, sender, self._places, self._bring)

    def _bring(self, owner: str) -> None:
        """Set for all processes what this one brings, now that it sends."""
        outbox, pace = self._ledger.outbox, self._messages_per_second
        if pace is not None:
            outbox.set_pace(pace, unless_others_than=owner if self._keeps_pace else None)
        if self._limits is not None:
            outbox.set_limits(self._limits, owner)

    def stop(self) -> None:
        """Finish what is on its way, claim no more, and give the slot back; a no-op if it is not running."""
        if self._running is not None:
            self._running.stop()
            self._started = None  # not before: a stop that was interrupted can be taken up again

    def wait_until_done(
        self, campaign: str | None = None, on_progress: Progress | None = None
    ) -> Sequence[Campaign]:
        """Wait until there is nothing left to send: no campaign is running, or the given one no longer is.

        Campaigns that are paused, or scheduled for later, are not waited for.

        Args:
            campaign: Wait for this one only.
            on_progress: Called with the campaigns that are being sent, several times a second; while the
                ledger cannot be read, with what they were before.

        Returns:
            The campaigns waited for, as they are now.

        Raises:
            SendingError: The engine was not started, or had to stop.
        """
        waited = {} if campaign is None else {campaign: None}
        now: Sequence[Campaign] = []
        while True:
            if self._running is None:
                raise SendingError(_("Start the engine before waiting for it."))
            if self._running.failure:
                raise SendingError(self._running.failure)
            try:
                left = [one for one in self._ledger.outbox.unfinished() if campaign in {None, one}]
                waited |= dict.fromkeys(left)
                looked_at = on_progress is not None or not left
                now = [self._ledger.campaign(one) for one in waited] if looked_at else []
            except LedgerUnavailableError as error:
                log.warning("Waiting for the ledger: %s", error)
                if on_progress is not None:
                    on_progress(now)
                time.sleep(WATCH_S)
                continue
            if on_progress is not None:
                on_progress(now)
            if not left:
                return now
            time.sleep(WATCH_S)


class _Running:
    """One run of an engine, from its start to its stop."""

    def __init__(self, ledger: Ledger, sender: Sender, places: int, bring: Callable[[str], None]) -> None:
        self.failure: str | None = None
        self.ticked_at = time.monotonic()
        self._outbox = ledger.outbox
        self._sender = sender
        self._ended = Event()
        self.process = os.getpid()
        if not _SENDS.acquire(blocking=False):
            raise SendingError(
                _(
                    "This process is already sending, or was forked from one that is. Stop its engine first, "
                    "or start a process of its own."
                )
            )
        with ExitStack() as held:
            held.callback(_SENDS.release)
            self._slot = take_slot(ledger.database)
            held.callback(self._slot.release)
            self._reconciler = Reconciler(ledger, self._slot, sender, places, bring)
            self._reconciler.register()
            self._thread = Thread(target=self._supervise, name="sending-supervisor", daemon=True)
            self._thread.start()
            self._held = held.pop_all()
        self._collects_at = gc.get_threshold()
        gc.freeze()  # searching everything alive for the garbage of answers took a tenth of the CPU
        gc.set_threshold(COLLECT_AT, *self._collects_at[1:])

    def stop(self) -> None:
        """Let the walks end, then everything else."""
        self._sender.stopping.set()
        self._ended.set()
        self._thread.join()
        self._reconciler.wait(STOP_TIMEOUT_S)
        self._sender.given_up.set()
        gc.set_threshold(*self._collects_at)
        gc.unfreeze()
        with self._held:
            if self._slot.is_held():  # or it is another's, whose requests are on their way
                self._outbox.retire([self._slot.number])

    def _supervise(self) -> None:
        """Tick until the end. If anything goes wrong, as when a database restarts, the next tick retries."""
        while not self._ended.is_set():
            try:
                self._reconciler.tick()
            except SendingError as error:
                self.failure = str(error)
                self._sender.stopping.set()
                log.error("Sending stopped: %s", error)  # noqa: TRY400 - a sentence, not a trace
                return
            except DashboardError as error:
                log.warning("Sending will continue when possible: %s", error)
            except Exception as error:
                log.warning("Sending will continue when possible (%s).", type(error).__name__)
            else:
                self.ticked_at = time.monotonic()
            self._ended.wait(TICK_S)
