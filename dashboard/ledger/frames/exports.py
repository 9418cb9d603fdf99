"""The ledger's frames for other tools: as Arrow, and as Parquet files that DuckDB and polars read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import pandas as pd
import pyarrow as pa
from pyarrow import parquet
from sqlalchemy import Connection

from dashboard.errors import LedgerError, OutputError
from dashboard.ledger.frames import of_rows
from dashboard.ledger.frames.message_rows import Chosen, event_parts, message_parts
from dashboard.output import whole
from dashboard.words import _

Exported = Literal["messages", "events", "batches", "campaigns", "contacts"]
EXPORTED: tuple[Exported, ...] = get_args(Exported)

_MARK = b"campaign_dashboard.export"
"""Marks a file in its metadata as an export, which the next export may replace."""


def table(connection: Connection, name: Exported, chosen: Chosen) -> pa.Table:
    """One of the frames as an Arrow table; columns as in docs/columns.md."""
    return pa.concat_tables(_parts(connection, name, chosen)).unify_dictionaries()


def write_parquet(connection: Connection, folder: Path, chosen: Chosen) -> list[Path]:
    """Write each as `<name>.parquet`; returns the files. Existing exports are replaced.

    Raises:
        LedgerError: The folder cannot be written, or contains another file with one of these names, such as a
            contact sheet, or a link to one; then nothing is written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in EXPORTED:
            _refuse_others(folder / f"{name}.parquet")
        return [_written(folder / f"{name}.parquet", _parts(connection, name, chosen)) for name in EXPORTED]
    except OSError as error:
        raise LedgerError(
            _("{folder} cannot be written ({strerror}). Check its permissions and its disk.").format(
                folder=folder, strerror=error.strerror
            )
        ) from None
    except OutputError as error:
        raise LedgerError(str(error)) from error


def _written(path: Path, parts: Iterator[pa.Table]) -> Path:
    with whole(path) as part:
        first = next(parts)
        schema = first.schema.with_metadata({**(first.schema.metadata or {}), _MARK: path.stem.encode()})
        with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
            writer.write_table(first)
            for table in parts:
                writer.write_table(table)
    return path


def _refuse_others(path: Path) -> None:
    """Refuse to replace a file that no export has written."""
    if not path.exists():
        return
    try:
        is_export = path.is_file() and _MARK in (parquet.read_schema(path).metadata or {})
    except pa.ArrowInvalid:
        is_export = False
    if not is_export:
        raise LedgerError(
            _("{path} already exists and is not an export. Move it away, or choose another folder.").format(
                path=path
            )
        )


def _parts(connection: Connection, name: Exported, chosen: Chosen) -> Iterator[pa.Table]:
    if name == "messages":
        yield from message_parts(connection, chosen)
    elif name == "events":
        yield from event_parts(connection, chosen)
    else:
        yield pa.Table.from_pandas(_frame(connection, name, chosen.campaign), preserve_index=False)


def _frame(connection: Connection, name: Exported, campaign: str | None) -> pd.DataFrame:
    if name == "batches":
        return of_rows.batches(connection, campaign)
    if name == "campaigns":
        return of_rows.campaigns(connection, campaign)
    return of_rows.contacts(connection)
