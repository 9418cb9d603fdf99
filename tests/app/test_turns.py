"""Turns at reading: no more at once than allowed, and whoever waits too long is told so."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest
from patience import PATIENCE_S

from dashboard.app.turns import Turns
from dashboard.errors import SheetError


def test_no_more_read_at_once_than_there_are_turns() -> None:
    turns, guard, reading, most = Turns(2, PATIENCE_S), Lock(), 0, 0

    def read() -> None:
        nonlocal reading, most
        with turns.turn():
            with guard:
                reading += 1
                most = max(most, reading)
            time.sleep(0.01)
            with guard:
                reading -= 1

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(read) for _ in range(24)]:
            done.result()
    assert most == 2


def test_whoever_waits_too_long_is_told_so_and_a_failure_gives_the_turn_back() -> None:
    turns = Turns(1, 0.01)
    with turns.turn(), pytest.raises(SheetError, match="try again in a minute"), turns.turn():
        pass
    with pytest.raises(ZeroDivisionError), turns.turn():
        _ = 1 / 0
    with turns.turn():
        pass
