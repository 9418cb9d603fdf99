"""What is asked of things that may never answer, and what the words of /readyz mean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, active_count
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from each import each
from patience import PATIENCE_S

from dashboard.app.runtime import Runtime
from dashboard.app.server import asking, health
from dashboard.app.server.asking import Question
from dashboard.app.server.health import Health, is_ready
from dashboard.ledger.database.connections import BUSY_TIMEOUT_S

T = TypeVar("T")


def run(answer: Coroutine[Any, Any, T]) -> T:
    """Wait for it in a thread of its own: browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, answer).result()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What answers at once may take its time on a machine with too much to do."""
    monkeypatch.setattr(asking, "WAIT_S", PATIENCE_S)


@pytest.fixture
def release() -> Iterator[Event]:
    """Lets every question of a test end with it."""
    event = Event()
    yield event
    event.set()


def test_what_never_answers_is_asked_once_however_many_want_to_know(
    release: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def ask() -> str:
        asked.append(active_count())
        release.wait()
        return "at last"

    monkeypatch.setattr(asking, "WAIT_S", 0.05)

    async def many() -> None:
        question = Question("sphinx", ask)
        assert await asyncio.gather(*[question.answer() for _ in range(50)]) == [None] * 50
        assert await question.answer() is None
        assert len(asked) == 1
        monkeypatch.setattr(asking, "WAIT_S", PATIENCE_S)
        release.set()
        assert await asyncio.gather(*[question.answer() for _ in range(50)]) == ["at last"] * 50
        assert len(asked) == 1

    run(many())


@pytest.mark.usefixtures("patient")
def test_an_answer_counts_for_a_while() -> None:
    counted = iter(range(10))

    async def twice(fresh_s: float) -> list[int | None]:
        question = Question("count", lambda: next(counted), fresh_s=fresh_s)
        return [await question.answer() for _ in range(2)]

    assert run(twice(3600)) == [0, 0]
    assert run(twice(0)) == [1, 2]


@pytest.mark.usefixtures("patient")
def test_what_fails_is_no_answer_and_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    answers: Iterator[Callable[[], str]] = iter([lambda: 1 / 0, lambda: "ok"])  # type: ignore[list-item, return-value]

    def ask() -> str:
        return next(answers)()

    async def twice() -> list[str | None]:
        question = Question("oracle", ask, fresh_s=0)
        return [await question.answer() for _ in range(2)]

    assert run(twice()) == [None, "ok"]
    assert "The oracle could not be asked (ZeroDivisionError)." in caplog.text


@pytest.mark.usefixtures("patient")
def test_busy_counts_for_as_long_as_our_own_writers_would_wait(
    wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, now = iter(["busy", "busy", "busy", "ok", "busy"]), 1000.0
    monkeypatch.setattr(health, "pulse", lambda _: next(found))

    async def looks() -> list[str]:
        nonlocal now
        asked = Health(wired, monotonic=lambda: now)
        asked._ledger._fresh_s = 0
        words = []
        for _look in range(5):
            words.append((await asked.checks())["ledger"])
            now += BUSY_TIMEOUT_S / 2
        return words

    assert run(looks()) == ["ok", "ok", "busy", "ok", "ok"]


@each("is_running, tick_s, word", [(True, 1, "ok"), (True, 500, "stalled"), (False, 0, "stopped")])
def test_a_sender_has_to_get_to_an_end_now_and_then(is_running: bool, tick_s: float, word: str) -> None:
    engine: Any = SimpleNamespace(is_running=is_running, seconds_since_tick=tick_s)
    assert health._sending(engine) == word


def test_a_disk_without_room_is_full(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    assert health._folder(wired.given.data) == "ok"
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 10**18)
    assert health._folder(wired.given.data) == "full"
    assert health._folder(wired.given.data / "nowhere") == "not writable"


def test_a_service_that_is_away_makes_nobody_unready() -> None:
    checks = {"ledger": "ok", "folder": "ok", "sending": "ok", "service": "waiting"}
    assert is_ready(checks)
    assert not any(
        is_ready(checks | {name: "no answer"}) for name in ("ledger", "folder", "sending", "sign-in")
    )
