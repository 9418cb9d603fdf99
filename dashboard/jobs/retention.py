"""Delete what is older than the operator wants to keep, and sum up campaigns that are over."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import ceil
from threading import Event, Thread

from dashboard.errors import DashboardError
from dashboard.ledger import Ledger
from dashboard.sandbox import SandboxError
from dashboard.settings import MOST_DAYS, Settings

log = logging.getLogger(__name__)

EVERY_S = 3600.0
STOP_TIMEOUT_S = 10.0


def days_kept(settings: Settings) -> int | None:
    """Days since a campaign's end after which it is forgotten; None for never.

    Never fewer than those over which texts to a person are counted: people who were forgotten are not
    counted.
    """
    if settings.keep_days is None:
        return None
    return max(settings.keep_days, days_counted(settings))


def days_counted(settings: Settings) -> int:
    """Days over which texts to a person are counted, in whole days; 0 without such a cap."""
    return 0 if settings.texts_per_person is None else ceil(settings.texts_within_days)


@contextmanager
def forgetting(
    ledger: Ledger,
    settings: Settings,
    *,
    drafts: Callable[[], int] | None = None,
    sandbox: Callable[[datetime], int] | None = None,
) -> Iterator[None]:
    """Delete what is older than the settings allow, now and every hour until the end of the block.

    Campaigns that have been over for a day are summed up, see `Ledger.roll_up`. Several processes may do so
    on one ledger. If stopped in between, the rest is left for the next time.

    Args:
        ledger: Must stay open that long.
        settings: What is set outside; what marketers decided meanwhile counts as well.
        drafts: Deletes the drafts that nobody goes on with, with their uploads; returns how many.
        sandbox: Empties the sandbox's messages from before then; returns how many.
    """
    steps: list[tuple[str, Callable[[], int]]] = [("Summed up %d campaigns that are over.", ledger.roll_up)]
    if drafts is not None:
        steps.append(("Deleted %d drafts that nobody went on with.", drafts))
    if settings.keep_lists_days is not None:
        steps.append(("Deleted %d saved lists.", lambda: _delete_lists(ledger, settings)))
    if settings.keep_days is not None:
        steps.append(("Forgot the numbers and texts of %d messages.", lambda: _forget(ledger, settings)))
        if sandbox is not None:
            old = sandbox
            steps.append(("The sandbox forgot %d messages.", lambda: old(_before(ledger, settings))))
    ended = Event()
    thread = Thread(target=_take, args=(steps, ended), name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(STOP_TIMEOUT_S)


def _take(steps: Sequence[tuple[str, Callable[[], int]]], ended: Event) -> None:
    while not ended.is_set():
        for told, step in steps:
            try:
                deleted = step()
            except (DashboardError, SandboxError, OSError) as error:
                log.warning("Keeping house is tried again in an hour: %s", error)
            else:
                if deleted:
                    log.info(told, deleted)
        ended.wait(EVERY_S)


def _before(ledger: Ledger, settings: Settings) -> datetime:
    """Which campaigns are too old: those that ended before then."""
    age = timedelta(days=days_kept(ledger.settings.now(settings)) or MOST_DAYS)
    return ledger.outbox.now() - age


def _forget(ledger: Ledger, settings: Settings) -> int:
    return ledger.forget(before=_before(ledger, settings))


def _delete_lists(ledger: Ledger, settings: Settings) -> int:
    lists = ledger.lists.all()
    before = ledger.outbox.now() - timedelta(days=settings.keep_lists_days or MOST_DAYS)
    old = lists.loc[lists["saved_at"] < before, "list"]
    return sum(ledger.lists.delete(one, saved_before=before) for one in old)
