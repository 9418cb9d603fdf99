"""`python -m dashboard export`: the ledger's tables as Parquet files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--campaign", help="Id of a campaign. [default: all]")
@click.option("--person", help="Only what is kept of the person with this number, as CSV.")
@click.option("--country", help="Country of a number without a country code, such as GB.")
def export(folder: Path, campaign: str | None, person: str | None, country: str | None) -> None:
    """Write messages, events, batches, campaigns and contacts to FOLDER as Parquet, for DuckDB and polars.

    They contain numbers and texts: keep them as safe as the ledger. Earlier exports in FOLDER are replaced,
    each once it is complete; any other file with one of these names is left as it is, and then nothing is
    written. With --person, FOLDER has to be new or empty.
    """
    from dashboard.commands.steps.bookkeeping import tell  # noqa: PLC0415
    from dashboard.commands.steps.one_person import write_person  # noqa: PLC0415
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    if person is not None and campaign is not None:
        raise click.UsageError("Give either --campaign or --person.")
    settings = load_settings()
    with Ledger.open(settings.ledger_url, read_only=True) as ledger:
        if person is not None:
            home = country or ledger.settings.now(settings).country
            files = write_person(ledger, person, home, folder)
            tell(settings, "export", "person", kind="csv")
            if not files:
                click.echo("There are no messages, opt-outs, rows or reports of this number.")
        else:
            files = ledger.write_parquet(folder, campaign)
            tell(settings, "export", campaign or "all campaigns", kind="parquet")
        for file in files:
            click.echo(file)
