"""Version 14 of the tables: what marketers decided on the page of settings, with who decided it and when.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table, Text

_tables = MetaData()

Table(
    "setting",
    _tables,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("name", "person", "value", "who")),
    Column("at", BigInteger, nullable=False),
)
_SQLITE = tuple(
    f"CREATE TRIGGER setting_no_{verb} BEFORE {verb} ON setting "
    "BEGIN SELECT RAISE(ABORT, 'rows of setting never change'); END"
    for verb in ("UPDATE", "DELETE")
)
_POSTGRESQL = (
    "CREATE FUNCTION setting_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'rows of setting never change'; END $$",
    "CREATE TRIGGER setting_never_changes BEFORE UPDATE OR DELETE ON setting "
    "FOR EACH ROW EXECUTE FUNCTION setting_never_changes()",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 13 to version 14."""
    _tables.create_all(connection, checkfirst=False)
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)
