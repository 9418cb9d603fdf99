"""A question whose answer may never come, asked without waiting for it for longer than a moment."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)

WAIT_S = 1.5
"""Monitors are promised an answer within two seconds."""

FRESH_S = 1.0
"""Whoever asks within this time gets the same answer, so that many who ask cost no more than one."""


class Question(Generic[T]):
    """Something asked in a thread of its own, once at a time however many want to know; on one event loop.

    Args:
        name: What is asked about, for the log.
        ask: Gets the answer; may take for ever, as when a database stands still.
        fresh_s: For how long an answer counts.
    """

    def __init__(self, name: str, ask: Callable[[], T], *, fresh_s: float = FRESH_S) -> None:
        self._name = name
        self._ask = ask
        self._fresh_s = fresh_s
        self._coming: asyncio.Future[T | None] | None = None
        self._answer: T | None = None
        self._answered_at = float("-inf")

    async def answer(self) -> T | None:
        """The answer, asked for now or a moment ago; None if there is none within WAIT_S, or it failed."""
        if time.monotonic() - self._answered_at < self._fresh_s:
            return self._answer
        coming = self._coming = self._coming or self._begin()
        await asyncio.wait({coming}, timeout=WAIT_S)
        if not coming.done():
            return None
        if self._coming is coming:  # others may have waited for it as well
            self._coming, self._answer, self._answered_at = None, coming.result(), time.monotonic()
        return self._answer

    def _begin(self) -> asyncio.Future[T | None]:
        answer: Future[T | None] = Future()
        coming = asyncio.wrap_future(answer)
        Thread(target=self._fill, args=[answer], name=self._name, daemon=True).start()  # no exit waits for it
        return coming

    def _fill(self, answer: Future[T | None]) -> None:
        try:
            found = self._ask()
        except Exception as error:  # whatever it is, somebody waits
            log.warning("The %s could not be asked (%s).", self._name, type(error).__name__)
            answer.set_result(None)
        else:
            answer.set_result(found)
