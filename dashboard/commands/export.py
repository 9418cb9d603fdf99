"""`python -m dashboard export`: the ledger's tables as Parquet files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--campaign", help="Id of a campaign. [default: all]")
def export(folder: Path, campaign: str | None) -> None:
    """Write messages, events, batches, campaigns and contacts to FOLDER as Parquet, for DuckDB and polars.

    They contain numbers and texts: keep them as safe as the ledger. Earlier exports in FOLDER are replaced,
    each once it is complete; any other file with one of these names is left as it is, and then nothing is
    written.
    """
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    with Ledger.open(load_settings().ledger_url, read_only=True) as ledger:
        for file in ledger.write_parquet(folder, campaign):
            click.echo(file)
