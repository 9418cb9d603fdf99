"""Version 17 of the tables: the audit trail, a chain of rows that say who did what and when.

It begins with this upgrade: what was done before is told by the other tables only.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, String, Table, Text

_tables = MetaData()

Table(
    "audit",
    _tables,
    Column("number", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, index=True),
    *(Column(name, Text, nullable=False) for name in ("who", "what", "about", "details")),
    Column("hash", String(64), nullable=False),
)
_SQLITE = tuple(
    f"CREATE TRIGGER audit_no_{verb} BEFORE {verb} ON audit "
    "BEGIN SELECT RAISE(ABORT, 'rows of audit never change'); END"
    for verb in ("UPDATE", "DELETE")
)
_POSTGRESQL = (
    "CREATE FUNCTION audit_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'rows of audit never change'; END $$",
    "CREATE TRIGGER audit_never_changes BEFORE UPDATE OR DELETE ON audit "
    "FOR EACH ROW EXECUTE FUNCTION audit_never_changes()",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 16 to version 17."""
    _tables.create_all(connection, checkfirst=False)
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)
