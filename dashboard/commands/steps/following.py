"""Follow campaigns on their way: a progress bar while they run, their counts at the end."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType

import click

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger import Campaign, Ledger
from dashboard.sending import Engine

OUTCOMES = ("accepted", "rejected", "unknown", "abandoned", "cancelled", "dropped", "ready", "sending")


PATIENCE_S = 5.0
"""If nothing moves for longer than this, say so."""


class StoppedError(Exception):
    """Somebody asked this process to stop before the campaigns were done."""


@contextmanager
def stop_on_signal() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set, so that what is on its way can be finished."""
    stop = Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def follow(engine: Engine, ledger: Ledger, stop: Event, campaign: str | None = None) -> Sequence[Campaign]:
    """Show progress until nothing is left to send, and say why if nothing moves.

    Args:
        engine: Sends.
        ledger: Knows why a batch waits.
        stop: Ends the following early.
        campaign: Follow this one only.

    Returns:
        The campaigns followed, as they are at the end.

    Raises:
        StoppedError: `stop` was set first.
    """
    silent = not sys.stderr.isatty()
    stall = _Stall(ledger)
    with click.progressbar(length=1, label="Sending", file=sys.stderr, hidden=silent) as bar:

        def show(campaigns: Sequence[Campaign]) -> None:
            if stop.is_set():
                raise StoppedError
            bar.length = sum(one.recipients for one in campaigns) or 1
            settled = sum(one.recipients - one.ready - one.sending for one in campaigns)
            bar.update(settled - bar.pos)
            stall.watch(settled, campaigns)

        return engine.wait_until_done(campaign, on_progress=show)


class _Stall:
    """Says why nothing moves, each reason once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._said: set[str] = set()
        self._settled = -1
        self._since = 0.0

    def watch(self, settled: int, campaigns: Sequence[Campaign]) -> None:
        """Note how far things have got."""
        now = time.monotonic()
        if settled != self._settled:
            self._settled, self._since = settled, now
        elif now - self._since > PATIENCE_S:
            self._since = now
            self._explain(campaigns)

    def _explain(self, campaigns: Sequence[Campaign]) -> None:
        with suppress(LedgerUnavailableError):  # which is in the log
            for one in campaigns:
                for reason in set(self._ledger.waiting_reasons(one.campaign)) - self._said:
                    self._said.add(reason)
                    click.echo(
                        f"Nothing is moving: {reason} It will be retried; press Ctrl-C to stop.", err=True
                    )


def outcome_counts(campaigns: Sequence[Campaign]) -> dict[str, int]:
    """Messages by outcome; outcomes that did not occur are left out, except accepted."""
    counts = {state: sum(getattr(one, state) for one in campaigns) for state in OUTCOMES}
    return {state: count for state, count in counts.items() if count or state == "accepted"}


def outcome_sentence(counts: dict[str, int]) -> str:
    """The counts in words."""
    return ", ".join(f"{count:,} {_WORDS.get(state, state)}" for state, count in counts.items()) + "."


_WORDS = {
    "unknown": "unknown (nobody can tell whether the service took them)",
    "ready": "not sent yet",
    "sending": "on their way",
    "dropped": "dropped (opted out)",
}
