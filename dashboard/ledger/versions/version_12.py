"""Version 12 of the tables: when each message was handed over, when its failure was heard, its bill's cause.

What earlier versions knew is worked out once, here: the claim from the notes about attempts, the failure from
the history, the cause from the text, or without it as a bill that nothing explains.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from dashboard.ledger.tallies.causes import explained

_PART = 20_000
"""How many messages are looked at together, so that memory stays flat."""

_ADDED = (
    "ALTER TABLE result ADD COLUMN handed_over_at BIGINT",
    "ALTER TABLE result ADD COLUMN failed_at BIGINT",
    "ALTER TABLE result ADD COLUMN cause SMALLINT",
)
_KNOWN = """
UPDATE result SET
    handed_over_at = coalesce((SELECT coalesce((SELECT max(a.at) FROM attempt a
                WHERE (b.attempt > 1 OR b.parent IS NOT NULL)
                    AND a.batch_id IN (b.id, b.parent) AND a.event = 'claimed' AND a.at <=
                        (SELECT min(e.recorded_at) FROM event e WHERE e.message_id = result.message_id)),
            b.claimed_at)
        FROM batch b WHERE b.first_message <= result.message_id AND b.state <> 'split'
        ORDER BY b.first_message DESC LIMIT 1), created_at, changed_at),
    failed_at = CASE WHEN failure_reason IS NOT NULL AND delivered_at IS NULL THEN coalesce(
        (SELECT min(e.recorded_at) FROM event e WHERE e.message_id = result.message_id AND e.stage = 2),
        changed_at) END,
    cause = (SELECT CASE WHEN m.credits_low < m.credits_high THEN 4 ELSE 3 END FROM message m
        WHERE m.id = result.message_id AND result.credits_used BETWEEN m.credits_low AND m.credits_high)
WHERE message_id BETWEEN :first AND :last AND state = 'accepted'
"""
_ODD = """
SELECT m.id, m.body, r.credits_used, m.credits_low, m.credits_high
FROM message m JOIN result r ON r.message_id = m.id
WHERE m.id BETWEEN :first AND :last AND r.credits_used IS NOT NULL AND r.cause IS NULL
"""
_EXPLAINED = "UPDATE result SET cause = :cause WHERE message_id = :message"


def step(connection: Connection) -> None:
    """Bring a ledger of version 11 to version 12."""
    for statement in _ADDED:
        connection.exec_driver_sql(statement)
    campaigns = "SELECT first_message, last_message FROM campaign ORDER BY first_message"
    for first, last in connection.exec_driver_sql(campaigns).all():
        for start in range(first, last + 1, _PART):
            _fill(connection, {"first": start, "last": min(start + _PART - 1, last)})


def _fill(connection: Connection, part: dict[str, int]) -> None:
    connection.execute(text(_KNOWN), part)
    odd = connection.execute(text(_ODD), part).all()
    if odd:
        causes = explained([row.body for row in odd], [tuple(row)[2:] for row in odd])
        changes = [{"message": row.id, "cause": cause} for row, cause in zip(odd, causes, strict=True)]
        connection.execute(text(_EXPLAINED), changes)
