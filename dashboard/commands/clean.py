"""`python -m dashboard clean`: a sheet in, a checked sheet out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dashboard.commands.steps.options import json_option, reading_options

ENDINGS = (".xlsx", ".csv", ".parquet")


@click.command()
@click.argument("sheet", type=click.Path(exists=True, path_type=Path))
@reading_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the checked rows to a .xlsx, .csv or .parquet file, replacing an existing one; for a folder, "
    "name a new one.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Dask cluster whose workers check a folder's files.")
@json_option
def clean(sheet: Path, out: Path | None, scheduler: str | None, *, as_json: bool, **reading: Any) -> None:
    """Check a contact sheet, or a folder of them: a verdict for every row, and the reason.

    Phones on the ledger's opt-out list are marked; nothing is sent and the sheet itself is not changed.

    A CSV file above the upload limit (100 MB, DASHBOARD_UPLOAD_MB) is checked piece by piece into a .parquet
    file, however large it is. Its rows get the same verdicts as those of a smaller sheet. The CSV and Parquet
    files of a folder are checked as one list, into a new folder: a refusal in one of them counts in all.

    The exit code is 2 while a column may say who must not be texted and nobody has said what its values mean:
    the rows that it decides are left for review. --column and --none-of-these say it.
    """
    from dashboard.commands.steps.bookkeeping import known_to_ledger  # noqa: PLC0415
    from dashboard.commands.steps.checking import check, check_in_pieces, is_large  # noqa: PLC0415
    from dashboard.commands.steps.intake import Reading  # noqa: PLC0415
    from dashboard.commands.steps.outputs import check_out  # noqa: PLC0415
    from dashboard.contacts import Limits  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    settings = load_settings()
    is_folder = sheet.is_dir()
    if is_folder and out is None:
        raise click.UsageError("Name a new folder for the checked rows with --out.")
    if scheduler is not None and not is_folder:
        raise click.UsageError("Only the files of a folder are checked on a cluster. Leave --scheduler out.")
    if out is not None and not is_folder:
        check_out(out, settings, endings=ENDINGS, reads=[sheet])
    settings, opt_outs = known_to_ledger(settings)
    how = Reading(
        **{**reading, "country": reading["country"] or settings.country}, limits=Limits.of(settings)
    )
    if out is not None and (is_folder or (out.suffix.lower() == ".parquet" and is_large(sheet, how.limits))):
        found = check_in_pieces(sheet, out, how, opt_outs, scheduler)
    else:
        found = check(sheet, out, how, opt_outs)
    if as_json:
        click.echo(json.dumps(found.as_json()))
    else:
        click.echo("\n".join(found.lines()))
        if out is not None:
            click.echo(f"Written to {out}")
    if found.columns.questions:
        raise click.exceptions.Exit(2)
