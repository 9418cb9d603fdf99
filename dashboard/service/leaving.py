"""Until when a request may leave: looked at once more just before its first byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_may_leave: ContextVar[Callable[[], bool]] = ContextVar("may_leave", default=lambda: True)


@contextmanager
def leaving_only_if(holds: Callable[[], bool]) -> Iterator[None]:
    """Let this thread's requests leave only if this holds then; otherwise they end as `NotSentError`.

    A machine may fall asleep while a connection is being made, and wake up when it is too late to send.
    """
    token = _may_leave.set(holds)
    try:
        yield
    finally:
        _may_leave.reset(token)


def may_leave() -> bool:
    """Whether a request of this thread may leave now."""
    return _may_leave.get()()
