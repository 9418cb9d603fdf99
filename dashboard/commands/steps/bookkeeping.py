"""The ledger for a command; apart from `wiring`, because checking a sheet needs no engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from dashboard.ledger import Ledger
from dashboard.settings import Settings


@contextmanager
def open_ledger(settings: Settings) -> Iterator[Ledger]:
    """The ledger, made when it is not there yet."""
    settings.make_data_folder()
    with closing(Ledger.open(settings.ledger_url)) as ledger:
        yield ledger


def known_opt_outs(settings: Settings) -> list[str]:
    """The phones that must not be texted."""
    with open_ledger(settings) as ledger:
        return list(ledger.opt_outs()["phone"])
