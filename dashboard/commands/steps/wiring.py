"""The engine between ledger and service, for the commands that send."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dashboard.jobs.connection import connect, engine_for
from dashboard.ledger import Ledger
from dashboard.sending import Engine
from dashboard.settings import Settings


@contextmanager
def sending(settings: Settings, ledger: Ledger) -> Iterator[Engine]:
    """An engine that sends until the end of the block; anything then on its way is finished first."""
    with connect(settings) as to, engine_for(settings, ledger, to.service) as engine:
        yield engine
