"""Following campaigns on their way: a progress bar while they run, their counts at the end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from types import FrameType

import click

from dashboard.ledger import Campaign
from dashboard.sending import Engine

OUTCOMES = ("accepted", "rejected", "unknown", "abandoned", "cancelled", "dropped", "ready", "sending")


class StoppedError(Exception):
    """Somebody asked this process to end before the campaigns did."""


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


def follow(engine: Engine, stop: Event, campaign: str | None = None) -> Sequence[Campaign]:
    """Show progress until nothing is left to send.

    Args:
        engine: Sends.
        stop: Ends the following early.
        campaign: Follow this one only.

    Returns:
        The campaigns followed, as they stand at the end.

    Raises:
        StoppedError: `stop` was set first.
    """
    silent = not sys.stderr.isatty()
    with click.progressbar(length=1, label="Sending", file=sys.stderr, hidden=silent) as bar:

        def show(campaigns: Sequence[Campaign]) -> None:
            if stop.is_set():
                raise StoppedError
            bar.length = sum(one.recipients for one in campaigns) or 1
            settled = sum(one.recipients - one.ready - one.sending for one in campaigns)
            bar.update(settled - bar.pos)

        return engine.wait_until_done(campaign, on_progress=show)


def outcome_counts(campaigns: Sequence[Campaign]) -> dict[str, int]:
    """Messages by what became of them; what did not occur is left out, except accepted."""
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
