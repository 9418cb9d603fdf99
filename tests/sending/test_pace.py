"""Places: so many at once, in the order of asking."""

from __future__ import annotations

import time
from threading import Lock, Thread

import pytest
from patience import wait_until

from dashboard.sending.pace import Places


def test_never_more_than_so_many_at_once_and_all_get_their_turn() -> None:
    places, guard = Places(3), Lock()
    inside, most, turns = 0, 0, 0

    def work() -> None:
        nonlocal inside, most, turns
        for _ in range(20):
            with places.place():
                with guard:
                    inside += 1
                    most, turns = max(most, inside), turns + 1
                time.sleep(0.0005)
                with guard:
                    inside -= 1

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, turns) == (3, 160)


def test_first_come_first_served_also_against_one_that_asks_again_at_once() -> None:
    places, order = Places(1), []

    def waiter(name: str) -> Thread:
        def work() -> None:
            with places.place():
                order.append(name)

        thread = Thread(target=work)
        before = len(places._waiting)
        thread.start()
        wait_until(lambda: len(places._waiting) > before)
        return thread

    with places.place():
        threads = [waiter("a"), waiter("b")]
    with places.place():
        order.append("again")
    for thread in threads:
        thread.join()
    assert order == ["a", "b", "again"]


def test_a_failure_inside_gives_the_place_back() -> None:
    places = Places(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), places.place():
            _ = 1 / 0
    with places.place():
        pass
