"""Version 15 of the tables: whom of which lists a campaign was made for, so that it can be made again.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection


def step(connection: Connection) -> None:
    """Bring a ledger of version 14 to version 15."""
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN audience TEXT")
