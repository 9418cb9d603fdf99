"""How long tests wait at most for what has to happen, and how they wait for it.

One measure for all: what takes 2 seconds on an idle machine took 40 at a load of 12. A test waits for a
state, and only what never comes costs the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 120
PATIENCE_MS = PATIENCE_S * 1000


def wait_until(reached: Callable[[], bool]) -> None:
    """Ask again and again until the answer is yes."""
    end = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.05)
