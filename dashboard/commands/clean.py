"""`python -m dashboard clean`: a sheet in, a checked sheet out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dashboard.commands.options import json_option, reading_options, sheet_argument

ENDINGS = (".xlsx", ".csv")


@click.command()
@sheet_argument
@reading_options
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the checked rows to a .xlsx or .csv file.",
)
@json_option
def clean(sheet: Path, out: Path | None, *, as_json: bool, **reading: Any) -> None:
    """Check a contact sheet: a verdict for every row, and the reason.

    Phones on the ledger's opt-out list are marked; nothing is sent and the sheet itself is not changed.
    """
    from dashboard.commands.intake import (  # noqa: PLC0415
        Reading,
        read_contacts,
        verdict_counts,
        verdict_lines,
    )
    from dashboard.commands.wiring import known_opt_outs  # noqa: PLC0415
    from dashboard.contacts import checked, write_csv, write_xlsx  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    if out is not None and out.suffix.lower() not in ENDINGS:
        raise click.BadParameter(f"End the name in {' or '.join(ENDINGS)}.", param_hint="--out")
    settings = load_settings()
    how = Reading(**{**reading, "country": reading["country"] or settings.country})
    read, contacts = read_contacts(sheet, how, known_opt_outs(settings))
    if out is not None:
        write = write_csv if out.suffix.lower() == ".csv" else write_xlsx
        write(checked(contacts, read), out)
    if as_json:
        click.echo(json.dumps({**verdict_counts(contacts), "notes": list(read.notes)}))
        return
    click.echo("\n".join([*read.notes, *verdict_lines(contacts)]))
    if out is not None:
        click.echo(f"Written to {out}")
