"""The ledger for a command; apart from `wiring`, because checking a sheet needs no engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.settings import Settings


@contextmanager
def open_ledger(settings: Settings, *, to_send: bool = False) -> Iterator[Ledger]:
    """The ledger, made when it is not there yet; it is said when opt-outs may be missing from it.

    Raises:
        LedgerError: They may, and somebody is about to be texted who was not before.
    """
    settings.make_data_folder()
    with closing(Ledger.open(settings.ledger_url)) as ledger:
        if missing := ledger.missing_opt_outs():
            if to_send:
                raise LedgerError(f"Nothing was sent. {missing} Then say so on any page of the dashboard.")
            click.secho(missing, bold=True, err=True)
        yield ledger


def known_opt_outs(settings: Settings) -> list[str]:
    """The phones that must not be texted."""
    with open_ledger(settings) as ledger:
        return list(ledger.opt_outs()["phone"])
