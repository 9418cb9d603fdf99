"""The rows within each batch's range of messages, found by their key whatever the database knows.

PostgreSQL plans with what it last knew of a table. Where that was little, it compared each message with each
batch. It plans whatever has an OFFSET by itself, for one batch at a time. SQLite does so anyway.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, FromClause, literal_column, select, true

from dashboard.ledger.database.schema import batch


def within_batch(connection: Connection, key: Column[Any]) -> tuple[FromClause, ColumnElement[bool]]:
    """What to join to `batch`, and on which condition, for a table's rows; its key is the messages' numbers.

    Example:
        >>> message, within = within_batch(connection, schema.message.c.id)
        >>> select(message.c.to).select_from(schema.batch).join(message, within)
    """
    is_within = key.between(batch.c.first_message, batch.c.last_message)
    if connection.dialect.name == "sqlite":
        return key.table, is_within
    rows = select(key.table).where(is_within).offset(literal_column("0"))
    return rows.lateral(f"{key.table.name}_within"), true()
