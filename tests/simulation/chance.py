"""What is random in the ledger comes from a world's seed while the world is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from random import Random
from unittest.mock import patch
from uuid import UUID

from dashboard.contacts import OptOuts, read_opt_outs
from dashboard.ledger import optouts
from dashboard.ledger.freeze import freezing, layout
from dashboard.ledger.outbox import outbox
from dashboard.ledger.team import lists


@contextmanager
def chance_of(seed: int) -> Iterator[Random]:
    """The same uuids each time; and numbers are read once in a process, which took a third of the time."""
    rng = Random(f"uuids {seed}")
    with ExitStack() as changed:
        for module in (freezing, outbox, lists):
            changed.enter_context(patch.object(module, "uuid4", lambda: uuid_of(rng)))
        changed.enter_context(patch.object(layout, "new_uuids", lambda count: uuids_of(rng, count)))
        changed.enter_context(patch.object(optouts, "read_opt_outs", lambda phones: _read(tuple(phones))))
        yield rng


def uuid_of(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


def uuids_of(rng: Random, count: int) -> list[str]:
    return [str(uuid_of(rng)) for _ in range(count)]


@cache
def _read(phones: tuple[str, ...]) -> OptOuts:
    return read_opt_outs(phones)
