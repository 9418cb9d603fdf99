"""The ledger's frames for other tools: as Arrow, and as Parquet files that DuckDB and polars read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

import pandas as pd
import pyarrow as pa
from pyarrow import parquet
from sqlalchemy import Connection

from dashboard.errors import LedgerError, OutputError
from dashboard.ledger.frames import of_rows
from dashboard.ledger.frames.arrow.tables import arrow_schema
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.ledger.frames.messages.contact_rows import contact_rows
from dashboard.ledger.frames.messages.message_rows import Chosen, event_parts, message_parts
from dashboard.output import whole
from dashboard.own_connections import is_database
from dashboard.words import _

Exported = Literal["messages", "events", "batches", "campaigns", "contacts"]
EXPORTED: tuple[Exported, ...] = get_args(Exported)

_MARK = b"campaign_dashboard.export"
"""Marks a file in its metadata as an export, which the next export may replace."""


def table(connection: Connection, name: Exported, chosen: Chosen, *, now: datetime) -> pa.Table:
    """One of the frames as an Arrow table; columns as in docs/columns.md."""
    return pa.concat_tables(_parts(connection, name, chosen, now)).unify_dictionaries()


def write_parquet(connection: Connection, folder: Path, chosen: Chosen, *, now: datetime) -> list[Path]:
    """Write each as `<name>.parquet`; returns the files. Existing exports are replaced.

    Raises:
        LedgerError: The folder cannot be written, or contains another file with one of these names, such as a
            contact sheet, or a link to one; then nothing is written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in EXPORTED:
            _refuse_others(folder / f"{name}.parquet")
        return [
            _written(folder / f"{name}.parquet", _parts(connection, name, chosen, now)) for name in EXPORTED
        ]
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
        can_be = path.is_file() and not is_database(path)
        is_export = can_be and _MARK in (parquet.read_schema(path).metadata or {})
    except (pa.ArrowInvalid, OSError):
        is_export = False
    if not is_export:
        raise LedgerError(
            _("{path} already exists and is not an export. Move it away, or choose another folder.").format(
                path=path
            )
        )


def _parts(connection: Connection, name: Exported, chosen: Chosen, now: datetime) -> Iterator[pa.Table]:
    if name == "messages":
        yield from message_parts(connection, chosen, now=now)
    elif name == "events":
        yield from event_parts(connection, chosen)
    elif name == "contacts":
        yield contact_rows(connection)
    elif name == "batches":
        yield _as_declared("Ledger.batches(...)", of_rows.batches(connection, chosen.campaign))
    else:
        yield _as_declared("Ledger.campaigns()", of_rows.campaigns(connection, chosen.campaign))


def _as_declared(name: str, frame: pd.DataFrame) -> pa.Table:
    """The frame in types that do not depend on what is in it, so that files of different months fit."""
    types = arrow_schema(SCHEMAS[name])
    plain = frame.astype({column: "str" for column in frame if frame[column].dtype == "category"})
    return pa.Table.from_pandas(plain, preserve_index=False).replace_schema_metadata().cast(types)
