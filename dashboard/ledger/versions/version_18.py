"""Version 18 of the tables: whom administrators let in, as what, with who decided it and when.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table, Text

_tables = MetaData()

Table(
    "person",
    _tables,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("address", Text, nullable=False, index=True),
    *(Column(name, Text, nullable=False) for name in ("value", "who")),
    Column("at", BigInteger, nullable=False),
)
_SQLITE = tuple(
    f"CREATE TRIGGER person_no_{verb} BEFORE {verb} ON person "
    "BEGIN SELECT RAISE(ABORT, 'rows of person never change'); END"
    for verb in ("UPDATE", "DELETE")
)
_POSTGRESQL = (
    "CREATE FUNCTION person_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'rows of person never change'; END $$",
    "CREATE TRIGGER person_never_changes BEFORE UPDATE OR DELETE ON person "
    "FOR EACH ROW EXECUTE FUNCTION person_never_changes()",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 17 to version 18."""
    _tables.create_all(connection, checkfirst=False)
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)
