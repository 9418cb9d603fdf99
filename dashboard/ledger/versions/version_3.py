"""Version 3 of the tables: variants and their texts, batches held until due, guards.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Column, Connection, ForeignKey, LargeBinary, MetaData, String, Table, Text

_tables = MetaData()

_campaign = Table("campaign", _tables, Column("id", String(32), primary_key=True))

_texts = Table(
    "campaign_text",
    _tables,
    Column("campaign_id", ForeignKey("campaign.id"), primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("tracking", Text),
    Column("template", Text, nullable=False),
    Column("template_version", String(64), nullable=False),
)

_secret = Table(
    "secret",
    _tables,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

_ADDED = (
    "ALTER TABLE message ADD COLUMN variant TEXT",
    "ALTER TABLE batch ADD COLUMN due_at BIGINT",
    "ALTER TABLE campaign ADD COLUMN service TEXT",
    "ALTER TABLE campaign ADD COLUMN fingerprint VARCHAR(64)",
    "CREATE INDEX campaign_by_fingerprint ON campaign (fingerprint)",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 2 to version 3."""
    _tables.create_all(connection, [_texts, _secret], checkfirst=False)
    for statement in _ADDED:
        connection.exec_driver_sql(statement)
