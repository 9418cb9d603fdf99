"""The ledger for a command; separate from `wiring`, because checking a sheet needs no engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dashboard.errors import LedgerError
from dashboard.ledger.database.ledger_file import files_of
from dashboard.settings import Settings

if TYPE_CHECKING:
    from dashboard.ledger import Ledger, SettingChange
    from dashboard.ledger.audit.chain import Detail
    from dashboard.ledger.audit.verbs import Verb


@contextmanager
def open_ledger(settings: Settings, *, to_send: bool = False) -> Iterator[Ledger]:
    """The ledger, created if it does not exist yet; warns if opt-outs may be missing from it.

    Raises:
        LedgerError: They may, and somebody new is about to be texted.
    """
    from dashboard.ledger import Ledger  # noqa: PLC0415 - SQL, which a first sheet is checked without

    settings.make_data_folder()
    with Ledger.open(settings.ledger_url) as ledger:
        if missing := ledger.missing_opt_outs():
            if to_send:
                raise LedgerError(
                    f"Nothing was sent. {missing} Then confirm it on any page of the dashboard."
                )
            click.secho(missing, bold=True, err=True)
        yield ledger


def known_to_ledger(settings: Settings) -> tuple[Settings, list[str]]:
    """The settings in force, and the phones that must not be texted; no ledger is made if there is none."""
    if not _may_have_ledger(settings):
        return settings, []
    with open_ledger(settings) as ledger:
        return ledger.settings.now(settings), list(ledger.opt_outs()["phone"])


def decided_in_ledger(settings: Settings) -> tuple[Settings, Mapping[str, SettingChange]]:
    """The settings in force, and what marketers decided; no ledger is made if there is none."""
    if not _may_have_ledger(settings):
        return settings, {}
    from dashboard.ledger import Ledger  # noqa: PLC0415

    with Ledger.open(settings.ledger_url, read_only=True) as ledger:
        return ledger.settings.now(settings), ledger.settings.decided()


def tell(settings: Settings, verb: Verb, about: str, **details: Detail) -> None:
    """Keep in the audit trail what a command does with a ledger that it opens for reading only.

    Nothing else of the ledger is touched: it is neither brought up to date nor looked at for doubt.
    """
    from dashboard.ledger.database.clock import clock_of  # noqa: PLC0415
    from dashboard.ledger.database.connections import Database  # noqa: PLC0415
    from dashboard.ledger.team.audit_trail import AuditTrail  # noqa: PLC0415

    with closing(Database(settings.ledger_url)) as database:
        AuditTrail(database, clock_of(database)).tell(verb, about, details)


def _may_have_ledger(settings: Settings) -> bool:
    """Whether there may be a ledger already: of another database, only opening it tells."""
    return settings.database_url is not None or any(map(_may_be_there, files_of(settings.own_ledger)))


def _may_be_there(path: Path) -> bool:
    """A ledger that cannot be looked at may exist: opening it then says what is wrong."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except OSError:
        pass
    return True
