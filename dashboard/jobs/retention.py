"""Forget whom past campaigns texted, once that is older than the operator wants to keep."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger

log = logging.getLogger(__name__)

EVERY_S = 3600.0
STOP_TIMEOUT_S = 10.0


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
            forgotten = ledger.forget(before=datetime.now(UTC) - age)
        except LedgerError as error:
            log.warning("Forgetting will be retried in an hour: %s", error)
        else:
            if forgotten:
                log.info("Forgot the numbers and texts of %d messages.", forgotten)
        ended.wait(EVERY_S)
