"""Version 11 of the tables: the hours in which the people of a batch may be texted.

Campaigns of earlier versions have none: their quiet hours counted when they were written only.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection


def step(connection: Connection) -> None:
    """Bring a ledger of version 10 to version 11."""
    connection.exec_driver_sql("ALTER TABLE batch ADD COLUMN texting_hours TEXT")
