"""Forget whom past campaigns texted, once that is older than the operator wants to keep."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from threading import Event, Thread

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.settings import Settings

log = logging.getLogger(__name__)

EVERY_S = 3600.0
STOP_TIMEOUT_S = 10.0


def days_kept(settings: Settings) -> int | None:
    """Days since a campaign's end after which it is forgotten; None for never.

    Never fewer than those over which texts to a person are counted: who is forgotten is not counted.
    """
    if settings.keep_days is None:
        return None
    return max(settings.keep_days, days_counted(settings))


def days_counted(settings: Settings) -> int:
    """Days over which texts to a person are counted, in whole days; 0 without such a cap."""
    return 0 if settings.texts_per_person is None else ceil(settings.texts_within_days)


@contextmanager
def forgetting(ledger: Ledger, days: int | None) -> Iterator[None]:
    """Forget what is older than this many days, now and every hour until the end of the block.

    Several processes may do so on one ledger. If stopped in between, the rest is left for the next time.

    Args:
        ledger: Must stay open that long.
        days: Since a campaign's end; None keeps everything.
    """
    if days is None:
        yield
        return
    ended = Event()
    args = (ledger, timedelta(days=days), ended)
    thread = Thread(target=_forget, args=args, name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(STOP_TIMEOUT_S)


def _forget(ledger: Ledger, age: timedelta, ended: Event) -> None:
    while not ended.is_set():
        try:
            forgotten = ledger.forget(before=ledger.outbox.now() - age)
        except LedgerError as error:
            log.warning("Forgetting will be retried in an hour: %s", error)
        else:
            if forgotten:
                log.info("Forgot the numbers and texts of %d messages.", forgotten)
        ended.wait(EVERY_S)
