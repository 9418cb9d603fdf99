"""Runs the program and, at a named point, does to its own process what a power cut or a stop would do.

program_at(["claim committed", "SIGKILL", "3", '{"claim_life_s": 5}', "worker"])

The product knows nothing of this: a point is a function of it, and the signal comes when that function has
returned for the NUMBER-th time. CHANGES shorten what a test cannot wait for. Nothing else differs from the
real program.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from forked import program

POINTS: dict[str, tuple[str, str]] = {
    "registered": ("dashboard.ledger.outbox.outbox:Outbox", "register"),
    "walks begun": ("dashboard.sending.reconciler:Reconciler", "_send"),
    "within a claim": ("dashboard.ledger.outbox.claims", "claim_next"),
    "claim committed": ("dashboard.ledger.outbox.outbox:Outbox", "claim"),
    "answer read": ("dashboard.service:SmsService", "send_bulk"),
    "within a settlement": ("dashboard.ledger.outbox.settle", "_record"),
    "settled": ("dashboard.ledger.outbox.outbox:Outbox", "settle"),
    "within the freeze": ("dashboard.ledger.freeze.layout", "_values"),
    "frozen": ("dashboard.ledger.freeze.freezing", "freeze"),
    "started": ("dashboard.ledger.outbox.control", "start"),
}

SOON = (("dashboard.sending.engine", "TICK_S"), ("dashboard.sending.engine", "WATCH_S"))
CONSTANTS: dict[str, tuple[str, str]] = {"claim_life_s": ("dashboard.sending.sender", "CLAIM_LIFE_S")}


def program_at(words: list[str]) -> None:
    """`python -m dashboard`, with POINT SIGNAL NUMBER CHANGES before its own words."""
    point, name, number, changes, *command = words
    notice_soon()
    for constant, value in json.loads(changes).items():
        module, attribute = CONSTANTS[constant]
        setattr(importlib.import_module(module), attribute, value)
    place, attribute = POINTS[point]
    module, _, owner = place.partition(":")
    holder = importlib.import_module(module)
    holder = getattr(holder, owner) if owner else holder
    setattr(holder, attribute, _with_signal(getattr(holder, attribute), signal.Signals[name], int(number)))
    program(command)


def program_that_notices_soon(words: list[str]) -> None:
    """`python -m dashboard`, in a tenth of a second where it takes half of one."""
    notice_soon()
    program(words)


def notice_soon() -> None:
    """As the fixture `soon` has it in the tests' own process."""
    for module, name in SOON:
        setattr(importlib.import_module(module), name, 0.1)


def _with_signal(real: Callable[..., Any], number: signal.Signals, wanted: int) -> Callable[..., Any]:
    calls = itertools.count(1)

    def called(*arguments: Any, **options: Any) -> Any:
        result = real(*arguments, **options)
        if next(calls) == wanted:
            os.kill(os.getpid(), number)
            time.sleep(0.2)  # another thread may be told first; this one goes no further meanwhile
        return result

    return called
