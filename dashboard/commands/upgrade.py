"""`python -m dashboard upgrade`: brings a ledger up to date, or only says what that would do."""

from __future__ import annotations

from contextlib import closing
from math import ceil

import click


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be done; on SQLite, try it on a copy.")
def upgrade(*, dry_run: bool) -> None:
    """Bring the ledger's tables to this program's version, as opening it does by itself.

    All steps are one transaction: if one fails, the ledger stays as it was. A SQLite ledger is first copied,
    next to it; on PostgreSQL use pg_dump before. Stop the dashboard and the workers of the older version.
    """
    from dashboard.ledger.database.connections import Database  # noqa: PLC0415
    from dashboard.ledger.database.version import VERSION  # noqa: PLC0415
    from dashboard.ledger.migrations import migrate, rehearse, steps_ahead  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    url = load_settings().ledger_url
    with closing(Database(url, read_only=True)) as database:
        steps = steps_ahead(database)
        if not steps:
            click.echo("The ledger is of this program's version. There is nothing to do.")
            return
        for number, brings in steps.items():
            click.echo(f"Version {number}: {brings}")
        if dry_run and database.is_sqlite:
            took = rehearse(database)
            seconds = plural(ceil(took), "{count} second", "{count} seconds")
            click.echo(f"Tried on a copy: it works, and took less than {seconds}. Nothing was changed.")
        elif dry_run:
            click.echo(
                "Nothing was changed. On PostgreSQL, stop the dashboard and the workers, then run pg_dump: "
                "going back to the older program needs that copy. Then start the newer program."
            )
    if not dry_run:
        with closing(Database(url)) as database:
            migrate(database)
        click.echo(f"The ledger is now of version {VERSION}.")
