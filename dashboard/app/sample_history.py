"""A year of made-up campaigns to look at until there is a campaign of one's own.

It lies in a ledger of its own, beside the dashboard's: nothing in it can count towards caps, opt-outs, prices
or reports of real people, and to remove it is to delete its folder.
"""

from __future__ import annotations

import logging
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock, Thread

from dashboard.errors import DashboardError
from dashboard.jobs.sample_year.making import make_year
from dashboard.ledger import Ledger
from dashboard.words import _, spoken_here

log = logging.getLogger(__name__)

LEDGER = "ledger.sqlite"
LONGEST_S = 60.0
"""How long the process waits at its end for a year that is being made."""


class SampleHistory:
    """The made-up year of a dashboard. Safe to share between threads.

    Attributes:
        ledger: The year; None if there is none.
        share: How much of it is made, from 0 to 1; None while it is not being made.
        failed: Whether it could not be made the last time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = Lock()
        self._making: Thread | None = None
        self.ledger: Ledger | None = None
        self.share: float | None = None
        self.failed = False

    def open(self) -> None:
        """Open the year that was made before, if there is one that can be read."""
        if (self._folder / LEDGER).exists():
            with suppress(DashboardError):
                self.ledger = Ledger.open(self._folder / LEDGER)

    def fill(self, now: datetime, currency: str) -> None:
        """Make the year in the background, unless it is there or being made.

        Args:
            now: The end of the year, aware.
            currency: Of its prices, ISO 4217.
        """
        with self._guard:
            if self.ledger is not None or self.share is not None:
                return
            self.share, self.failed = 0.0, False
            work = spoken_here(self._make)
            self._making = Thread(target=work, args=(now, currency), name="sample-history", daemon=True)
            self._making.start()

    def remove(self) -> None:
        """Delete the year; do nothing if there is none."""
        with self._guard:
            self._put_away()
            if self.share is None:
                shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Wait for what is being made, and close the year; it is there again at the next start."""
        if self._making is not None:
            self._making.join(LONGEST_S)
        self._put_away()

    def _put_away(self) -> None:
        """Close the year, if it is open."""
        opened, self.ledger = self.ledger, None
        if opened is not None:
            opened.close()

    def _make(self, now: datetime, currency: str) -> None:
        """Make it under another name first: half a year is never shown."""
        unfinished = self._folder.with_suffix(".part")
        try:
            for folder in (unfinished, self._folder):
                shutil.rmtree(folder, ignore_errors=True)
            unfinished.mkdir(parents=True, mode=0o700)
            make_year(
                f"sqlite:///{(unfinished / LEDGER).as_posix()}",
                now=now,
                currency=currency,
                name_of=lambda name: _("{name} (sample)").format(name=name),
                on_progress=self._tell,
            )
            unfinished.rename(self._folder)
            self.ledger = Ledger.open(self._folder / LEDGER)
        except Exception as error:
            log.warning("The sample history could not be made (%s).", type(error).__name__)
            self.failed = True
            shutil.rmtree(unfinished, ignore_errors=True)
        finally:
            self.share = None

    def _tell(self, share: float) -> None:
        self.share = share
