"""Why batches are waiting to be retried."""

from __future__ import annotations

from sqlalchemy import Connection, exists, select

from dashboard.ledger.database import schema

SHOWN = 10


def waiting_reasons(connection: Connection, campaign_id: str) -> list[str]:
    """Why ready batches came back, a sentence each; not those that a person sends again."""
    batch, decision = schema.batch, schema.decision
    by_a_person = exists().where(
        decision.c.batch_id == batch.c.id,
        decision.c.attempt == batch.c.attempt,
        decision.c.decision == "ready",
    )
    query = (
        select(batch.c.reason)
        .where(batch.c.campaign_id == campaign_id, batch.c.state == "ready", batch.c.reason.is_not(None))
        .where(~by_a_person)
        .distinct()
        .order_by(batch.c.reason)
        .limit(SHOWN)
    )
    return [reason for reason in connection.execute(query).scalars() if reason]
