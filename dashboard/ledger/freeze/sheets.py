"""The rows of the contact sheet that a campaign was made from, kept with its messages.

People look for a recipient by the columns they know: a customer number, a shop, a consent date. Only
the rows that became messages are kept, as they were typed, in Parquet parts of `ROWS_IN_A_PART`.
"""

from __future__ import annotations

from collections.abc import Collection
from io import BytesIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import Connection, insert, select, update

from dashboard.contacts import Sheet
from dashboard.contacts.read.column_names import unique_names
from dashboard.ledger.database import schema

ROW = "row"
ROWS_IN_A_PART = 50_000


def keep(connection: Connection, campaign_id: str, sheet: Sheet, rows: pd.Series) -> None:
    """Keep these rows of a sheet with a campaign, by the row numbers that the spreadsheet program shows."""
    used = np.flatnonzero(sheet.rows.isin(rows))
    for seq, start in enumerate(range(0, len(used), ROWS_IN_A_PART)):  # never a copy of the whole sheet
        part = used[start : start + ROWS_IN_A_PART]
        content = _parquet(sheet.rows.iloc[part], sheet.frame.iloc[part])
        values = {"campaign_id": campaign_id, "seq": seq, "content": content}
        connection.execute(insert(schema.campaign_sheet), values)


def kept(connection: Connection, campaign_id: str, rows: Collection[int] | None = None) -> pd.DataFrame:
    """The rows that were kept: `row`, then the sheet's columns as text; if there are none, an empty `row`.

    With `rows`, only those of them are taken out of each part.
    """
    table = schema.campaign_sheet
    query = select(table.c.content).where(table.c.campaign_id == campaign_id).order_by(table.c.seq)
    wanted = None if rows is None else pc.field(ROW).isin(pa.array(list(rows), pa.int64()))
    contents = connection.execute(query).scalars()
    parts = [pq.read_table(pa.BufferReader(content), filters=wanted) for content in contents]
    if not parts:
        return pd.DataFrame({ROW: pd.Series(dtype="int64")})
    frame: pd.DataFrame = pa.concat_tables(parts).to_pandas()
    return frame


def drop(connection: Connection, campaign_id: str, rows: Collection[int | None]) -> None:
    """Keep these rows of a campaign's sheet no longer."""
    table = schema.campaign_sheet.c
    numbers = pa.array([row for row in rows if row is not None], pa.int64())
    query = select(table.seq, table.content).where(table.campaign_id == campaign_id).order_by(table.seq)
    for seq, content in connection.execute(query).all():
        part = pq.read_table(pa.BufferReader(content))
        left = part.filter(pc.invert(pc.is_in(part[ROW], value_set=numbers)))
        if left.num_rows < part.num_rows:
            this = (table.campaign_id == campaign_id) & (table.seq == seq)
            connection.execute(update(schema.campaign_sheet).where(this).values(content=_written(left)))


def _parquet(numbers: pd.Series, cells: pd.DataFrame) -> bytes:
    columns = [pa.array(numbers, pa.int64()), *(pa.array(cells[name], pa.string()) for name in cells)]
    return _written(pa.table(columns, unique_names([ROW, *cells.columns])))


def _written(part: pa.Table) -> bytes:
    target = BytesIO()
    pq.write_table(part, target, compression="zstd")
    return target.getvalue()
