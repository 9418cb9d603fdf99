"""`python -m dashboard backup`: a copy of the ledger, taken while it is in use."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the ledger to a new FILE, without stopping anything.

    The copy contains all campaigns, messages, contact lists and opt-outs, so keep it as safe as the ledger.
    This is for SQLite; back up PostgreSQL with pg_dump.
    """
    from dashboard.commands.steps.bookkeeping import tell  # noqa: PLC0415
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    settings = load_settings()
    with Ledger.open(settings.ledger_url, read_only=True) as ledger:
        ledger.back_up(file)
    tell(settings, "backup", "ledger")
    click.echo(f"Copied the ledger to {file}. `python -m dashboard restore` restores it.")
