"""One row per number that was ever in a campaign: read as messages are, and added up by Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import ColumnElement, Connection, case, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.frames.arrow.tables import ROWS_AT_ONCE, arrow_schema, read_parts
from dashboard.ledger.frames.declared import SCHEMAS

NAME = "Ledger.contacts()"
_TIME = pa.timestamp("us", "UTC")

_message, _result = schema.message.c, schema.result.c
_FAILED = case((_result.failure_reason.is_not(None) & _result.delivered_at.is_(None), 1))
_READ: dict[str, tuple[pa.DataType, ColumnElement[Any]]] = {
    "id": (pa.int64(), _message.id),
    "phone": (pa.string(), _message.to),
    "country": (pa.string(), _message.country),
    "line_type": (pa.string(), _message.line_type),
    "contact_uuid": (pa.string(), _result.contact_uuid),
    "failed": (pa.int64(), _FAILED),
    "credits_billed": (pa.int64(), _result.credits_used),
    "last_sent_at": (_TIME, in_microseconds(_result.sent_at)),
    "last_delivered_at": (_TIME, in_microseconds(_result.delivered_at)),
}
_SUMS = {
    **{name: (name, "max") for name in ("id", "country", "line_type", "contact_uuid")},
    "messages": ("id", "count"),
    "sent": ("last_sent_at", "count"),
    "delivered": ("last_delivered_at", "count"),
    "failed": ("failed", "count"),
    "credits_billed": ("credits_billed", "sum"),
    "last_sent_at": ("last_sent_at", "max"),
    "last_delivered_at": ("last_delivered_at", "max"),
}


def contact_rows(connection: Connection) -> pa.Table:
    """The contacts with the columns that are declared, the one with the newest message first."""
    read = pa.schema([(name, type_) for name, (type_, _cell) in _READ.items()])
    query = select(*(cell.label(name) for name, (_type, cell) in _READ.items()))
    query = query.select_from(schema.message).outerjoin(schema.result, _result.message_id == _message.id)
    parts = (query.where(_message.id.between(*ends), _message.to != "") for ends in _ranges(connection))
    rows = pa.concat_tables([read.empty_table(), *read_parts(connection, parts, read)])
    found = rows.group_by("phone").aggregate(list(_SUMS.values()))
    contacts = found.select(["phone", *("_".join(how) for how in _SUMS.values())])
    contacts = contacts.rename_columns(["phone", *_SUMS]).sort_by([("id", "descending")])
    contacts = contacts.append_column("opted_out_at", _opted_out(connection, contacts["phone"]))
    whole = arrow_schema(SCHEMAS[NAME])
    return contacts.select(whole.names).cast(whole)


def _ranges(connection: Connection) -> Iterator[tuple[int, int]]:
    last: int = connection.execute(select(func.coalesce(func.max(_message.id), 0))).scalar_one()
    starts: Iterable[int] = range(1, last + 1, ROWS_AT_ONCE)
    return ((start, start + ROWS_AT_ONCE - 1) for start in starts)


def _opted_out(connection: Connection, phones: pa.ChunkedArray) -> pa.ChunkedArray:
    """Since when each of these must not be texted."""
    listed = schema.opt_out.c
    query = select(listed.phone, in_microseconds(listed.added_at)).where(listed.removed_at.is_(None))
    rows = connection.execute(query).all()
    since = pa.array([row[1] for row in rows], pa.int64()).cast(_TIME)
    return since.take(pc.index_in(phones, pa.array([row[0] for row in rows], pa.string())))
