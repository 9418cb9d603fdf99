"""What the commands open: the ledger, the service or its sandbox, and the engine between them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from dashboard.app.connection import connect, engine_for
from dashboard.ledger import Ledger
from dashboard.sending import Engine
from dashboard.settings import Settings


@contextmanager
def open_ledger(settings: Settings) -> Iterator[Ledger]:
    """The ledger, made when it is not there yet."""
    settings.make_data_folder()
    with closing(Ledger.open(settings.ledger_url)) as ledger:
        yield ledger


@contextmanager
def sending(settings: Settings, ledger: Ledger) -> Iterator[Engine]:
    """An engine that sends until the end of the block; what is on its way then is finished first."""
    with connect(settings) as to, engine_for(settings, ledger, to.service) as engine:
        yield engine


def known_opt_outs(settings: Settings) -> list[str]:
    """The phones that must not be texted."""
    with open_ledger(settings) as ledger:
        return list(ledger.opt_outs()["phone"])
