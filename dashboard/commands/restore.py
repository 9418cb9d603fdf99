"""`python -m dashboard restore`: makes a copy the ledger again, and trusts it no further than it should."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dashboard.ledger import Ledger


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
def restore(file: Path | None) -> None:
    """Restore a copy that `backup` wrote; the current ledger is kept next to it.

    Nobody can tell what was sent after the copy was taken. So whatever it calls ready becomes unknown, its
    campaigns pause, and you decide. People who opted out since stay opted out, if the ledger being replaced
    can be read. Without FILE it only makes messages unknown and pauses: for PostgreSQL, after pg_restore.
    """
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    url = load_settings().ledger_url
    taken_over = None if file is None else _put_back(file, url)
    with Ledger.open(url) as ledger:
        doubtful = _distrust(ledger, opt_outs_kept=taken_over is not None)
        missing = ledger.missing_opt_outs()
    click.echo(_sentence(doubtful))
    if missing:
        click.secho(f"Opt-outs are missing. {missing}", bold=True)
    elif taken_over:
        click.echo(
            f"Opt-outs taken over from the ledger that was here, as the copy lacked them: {taken_over:,}."
        )


def _put_back(file: Path, url: str) -> int | None:
    from dashboard.ledger.copies.copying import put_back  # noqa: PLC0415
    from dashboard.ledger.database.clock import utc_now  # noqa: PLC0415
    from dashboard.ledger.database.connections import Database  # noqa: PLC0415
    from dashboard.ledger.outbox.slots import nobody_sends, slots_on_file  # noqa: PLC0415

    with closing(Database(url, unseen=True)) as database:
        if not database.is_sqlite:
            raise click.UsageError("This ledger is on PostgreSQL. Use pg_restore, then this without FILE.")
        with nobody_sends(database, slots_on_file(database)):
            return put_back(file, database, utc_now())


def _distrust(ledger: Ledger, *, opt_outs_kept: bool) -> int:
    from dashboard.ledger.outbox.slots import nobody_sends  # noqa: PLC0415

    with nobody_sends(ledger.database, ledger.outbox.slots_in_use()):
        return ledger.distrust(opt_outs_kept=opt_outs_kept)


def _sentence(doubtful: int) -> str:
    if not doubtful:
        return "Nothing in this copy was still to be sent. Campaigns made after it are not in it."
    return (
        f"{doubtful:,} batches are now unknown: nobody can tell whether they were sent after the copy was "
        "taken. Their campaigns are paused until you decide. Campaigns made after the copy are not in it."
    )
