"""Version 8 of the tables: the rows of a campaign's contact sheet, and deletable numbers and texts.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Column, Connection, ForeignKey, Integer, LargeBinary, MetaData, String, Table

_tables = MetaData()

Table("campaign", _tables, Column("id", String(32), primary_key=True))

_campaign_sheet = Table(
    "campaign_sheet",
    _tables,
    Column("campaign_id", ForeignKey("campaign.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)

_UNCHANGED = " AND ".join(
    f'NEW."{name}" {{same}} OLD."{name}"'
    for name in (
        *("id", "uuid", "row", "credits_low", "credits_high"),
        *("scheduled_at", "country", "line_type", "variant"),
    )
)
_FORGOTTEN = f"{_UNCHANGED} AND NEW.\"to\" = '' AND NEW.body = ''"
_SQLITE = (
    "DROP TRIGGER message_no_UPDATE",
    f"CREATE TRIGGER message_no_UPDATE BEFORE UPDATE ON message WHEN NOT ({_FORGOTTEN.format(same='IS')}) "
    "BEGIN SELECT RAISE(ABORT, 'rows of message never change'); END",
)
_POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION message_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN IF TG_OP = 'UPDATE' AND {_FORGOTTEN.format(same='IS NOT DISTINCT FROM')} THEN RETURN NEW; "
    "END IF; RAISE EXCEPTION 'rows of message never change'; END $$",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 7 to version 8."""
    _campaign_sheet.create(connection)
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN forgotten_at BIGINT")
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)
