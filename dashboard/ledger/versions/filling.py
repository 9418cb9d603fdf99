"""What earlier versions knew, worked out and counted once for a ledger whose tables have just been upgraded.

When each message was handed over comes from the notes about attempts, its failure from the history, its cause
from the text, or without it is a bill that nothing explains. Then each campaign is counted. Millions of
messages take minutes, so it is done part by part; whoever opens the ledger after a crash goes on from there.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, text, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.causes import explained

FILLED_TO = "filled_to"
"""The fact that names the last message that is done; there is none once all are."""

PART = 20_000
"""How many messages are looked at in one transaction, so that memory stays flat."""

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
WHERE message_id BETWEEN :first AND :last AND state = 'accepted' AND handed_over_at IS NULL
"""
_ODD = """
SELECT m.id, m.body, r.credits_used, m.credits_low, m.credits_high
FROM message m JOIN result r ON r.message_id = m.id
WHERE m.id BETWEEN :first AND :last AND r.credits_used IS NOT NULL AND r.cause IS NULL
"""
_EXPLAINED = "UPDATE result SET cause = :cause WHERE message_id = :message"


def finish(database: Database) -> None:
    """Work out what is still missing, if anything is."""
    while _advance(database):
        pass


def is_unfinished(connection: Connection) -> bool:
    """Whether something is still missing."""
    return _filled_to(connection) is not None


def _advance(database: Database) -> bool:
    """Do the next part; False if there is none."""
    with database.write() as connection:
        serialize(connection, Advisory.MIGRATION)
        done = _filled_to(connection)
        if done is None:
            return False
        campaign, fact = schema.campaign.c, schema.fact
        is_ours = fact.c.name == FILLED_TO
        following = select(campaign.id, campaign.first_message, campaign.last_message)
        following = following.where(campaign.last_message > done).order_by(campaign.first_message).limit(1)
        found = connection.execute(following).one_or_none()
        if found is None:
            connection.execute(delete(fact).where(is_ours))
            return False
        first = max(found.first_message, done + 1)
        last = min(first + PART - 1, found.last_message)
        _fill(connection, {"first": first, "last": last})
        if last == found.last_message:
            recount.mend(connection, found.id)
        connection.execute(update(fact).where(is_ours).values(value=str(last)))
        return True


def _filled_to(connection: Connection) -> int | None:
    fact = schema.fact.c
    found = connection.execute(select(fact.value).where(fact.name == FILLED_TO)).scalar_one_or_none()
    return None if found is None else int(found)


def _fill(connection: Connection, part: dict[str, int]) -> None:
    connection.execute(text(_KNOWN), part)
    odd = connection.execute(text(_ODD), part).all()
    if odd:
        causes = explained([row.body for row in odd], [tuple(row)[2:] for row in odd])
        changes = [{"message": row.id, "cause": cause} for row, cause in zip(odd, causes, strict=True)]
        connection.execute(text(_EXPLAINED), changes)
