"""Version 9 of the tables: what each batch counts for against the caps, message by message.

What earlier versions knew is counted once, here.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection

_ADDED = (
    "ALTER TABLE batch ADD COLUMN credits_counted BIGINT DEFAULT '0' NOT NULL",
    "ALTER TABLE batch ADD COLUMN credits_own BIGINT DEFAULT '0' NOT NULL",
)
_COUNTED = """
UPDATE batch SET
    credits_counted = (SELECT coalesce(sum(CASE WHEN r.state <> 'accepted' THEN 0
            WHEN r.credits_used > 0 THEN r.credits_used ELSE m.credits_high END), 0)
        FROM message m JOIN result r ON r.message_id = m.id
        WHERE m.id BETWEEN batch.first_message AND batch.last_message),
    credits_own = (SELECT coalesce(sum(m.credits_high), 0)
        FROM message m JOIN result r ON r.message_id = m.id
        WHERE m.id BETWEEN batch.first_message AND batch.last_message)
WHERE accepted + dropped > 0 AND state <> 'split'
"""
_CLAIMED = """
UPDATE batch SET claimed_at = (SELECT p.claimed_at FROM batch p WHERE p.id = batch.parent)
WHERE claimed_at IS NULL AND parent IS NOT NULL AND accepted > 0
"""


def step(connection: Connection) -> None:
    """Bring a ledger of version 8 to version 9."""
    for statement in (*_ADDED, _COUNTED, _CLAIMED):
        connection.exec_driver_sql(statement)
