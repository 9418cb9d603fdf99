"""Runs the program and, at a named point, does to its own process what a power cut or a stop would do.

python program_at.py POINT SIGNAL NUMBER CHANGES COMMAND…
as: program_at.py "claim committed" SIGKILL 3 '{"claim_life_s": 5}' worker

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
import sys
import time
from collections.abc import Callable
from typing import Any

POINTS: dict[str, tuple[str, str]] = {
    "registered": ("dashboard.ledger.outbox.outbox:Outbox", "register"),
    "engine launched": ("dashboard.sending.lanes:Lanes", "_launch"),
    "lanes started": ("dashboard.sending.lanes:Lanes", "start"),
    "within a claim": ("dashboard.ledger.outbox.claims", "claim_next"),
    "claim committed": ("dashboard.ledger.outbox.outbox:Outbox", "claim"),
    "answer read": ("dashboard.service:SmsService", "send_bulk"),
    "within a settlement": ("dashboard.ledger.outbox.outbox", "settle"),
    "settled": ("dashboard.ledger.outbox.outbox:Outbox", "settle"),
    "within the freeze": ("dashboard.ledger.freeze.layout", "_values"),
}

CONSTANTS: dict[str, tuple[str, str]] = {"claim_life_s": ("dashboard.sending.sender", "CLAIM_LIFE_S")}


def main() -> None:
    point, name, number, changes, *command = sys.argv[1:]
    for constant, value in json.loads(changes).items():
        module, attribute = CONSTANTS[constant]
        setattr(importlib.import_module(module), attribute, value)
    place, attribute = POINTS[point]
    module, _, owner = place.partition(":")
    holder = importlib.import_module(module)
    holder = getattr(holder, owner) if owner else holder
    setattr(holder, attribute, _with_signal(getattr(holder, attribute), signal.Signals[name], int(number)))
    from dashboard.commands.cli import cli  # noqa: PLC0415 - after the point is set

    cli(command, prog_name="python -m dashboard")


def _with_signal(real: Callable[..., Any], number: signal.Signals, wanted: int) -> Callable[..., Any]:
    calls = itertools.count(1)

    def called(*arguments: Any, **options: Any) -> Any:
        result = real(*arguments, **options)
        if next(calls) == wanted:
            os.kill(os.getpid(), number)
            time.sleep(0.2)  # another thread may be told first; this one goes no further meanwhile
        return result

    return called


if __name__ == "__main__":
    main()
