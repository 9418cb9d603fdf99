"""How many sheets are read at once: `Limits` bounds the memory and time of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from dashboard.errors import SheetError
from dashboard.words import _


class Turns:
    """Turns at reading a sheet, shared by all pages of this process.

    Args:
        at_once: How many sheets are read at once.
        patience_s: How long a page waits for its turn.
    """

    def __init__(self, at_once: int, patience_s: float) -> None:
        self._free = BoundedSemaphore(at_once)
        self._patience_s = patience_s

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the block.

        Raises:
            SheetError: It did not come in time.
        """
        if not self._free.acquire(timeout=self._patience_s):
            raise SheetError(
                _("Other people's sheets are being read right now. Yours is kept: try again in a minute.")
            )
        try:
            yield
        finally:
            self._free.release()
