"""`python -m dashboard audit`: who did what and when, checked or written to a file."""

from __future__ import annotations

from pathlib import Path

import click

ENDINGS = (".csv", ".jsonl")


@click.group()
def audit() -> None:
    """Check or export the audit trail: who did what and when."""


@audit.command()
@click.option("--kept", help="A last hash that an earlier check printed: is it still in the trail?")
@click.pass_context
def verify(ctx: click.Context, kept: str | None) -> None:
    """Check that no row of the audit trail was changed, put in or taken out since it was written.

    Keep the hash that is printed where whoever runs the ledger cannot write. Only with it, as --kept, is it
    noticed if the newest rows were deleted or the whole trail was written again. The exit code is 1 if
    anything does not hold. Nothing is changed.
    """
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    with Ledger.open(load_settings().ledger_url, read_only=True) as ledger:
        found = ledger.audit.verify(kept and kept.strip().lower())
    rows = plural(found.rows, "{count} row holds", "{count} rows hold")
    click.echo(f"{rows}. Last hash: {found.last_hash}")
    if found.broken is not None:
        click.echo(f"Row {found.broken} does not: it, or a row before it, was changed, put in or taken out.")
    elif not found.has_kept:
        click.echo("The hash you kept is not in the trail: rows were taken out, or all were written again.")
    if not found.holds:
        ctx.exit(1)


@audit.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def export(file: Path) -> None:
    """Write the audit trail to FILE, a .csv to read or a .jsonl to check, replacing an existing one.

    Each line of the .jsonl has everything that its hash covers; docs/security.md says how to work it out.
    That the trail was exported is its next row, which is not in the file.
    """
    from dashboard.commands.steps.bookkeeping import tell  # noqa: PLC0415
    from dashboard.commands.steps.outputs import check_out  # noqa: PLC0415
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    settings = load_settings()
    check_out(file, settings, endings=ENDINGS)
    with Ledger.open(settings.ledger_url, read_only=True) as ledger:
        rows = ledger.audit.write(file)
    tell(settings, "export", "audit", kind=file.suffix.lower().lstrip("."))
    click.echo(f"{plural(rows, '{count} row', '{count} rows')}: {file}")
