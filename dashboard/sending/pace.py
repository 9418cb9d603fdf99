"""Take turns within a process: a limited number at once, first come, first served.

The pace is kept in the ledger's gate, for all processes. Within one process, a single lane asks for it and
sleeps until the moment the gate names; with all lanes asking again and again, only half of a pace of 3000
messages per second was reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock


class Places:
    """A number of places, given out in the order of requests, so that no campaign's lanes starve another's.

    Args:
        count: How many may be held at once.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[Event] = deque()
        self._guard = Lock()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one of the places."""
        with self._guard:
            mine = Event()
            if self._free:
                self._free -= 1
                mine.set()
            else:
                self._waiting.append(mine)
        mine.wait()
        try:
            yield
        finally:
            with self._guard:
                if self._waiting:
                    self._waiting.popleft().set()  # hands the place over: nobody can push in
                else:
                    self._free += 1
