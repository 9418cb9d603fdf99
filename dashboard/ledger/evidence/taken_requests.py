"""Which signed requests were taken, so that a replayed one is refused."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete

from dashboard.ledger.database import schema
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.writing import insert_or_nothing


class TakenRequests(Part):
    """The signatures of requests, each kept until its time has passed."""

    def first_time(self, signature: str, *, until: datetime) -> bool:
        """Remember a signature until then; False if it was here before."""
        table = schema.taken_request
        row = {"signature": _digest(signature), "expires_at": until}
        with self._database.write() as connection:
            connection.execute(delete(table).where(table.c.expires_at < self._now()))
            return insert_or_nothing(connection, table, row)

    def forget(self, signature: str) -> None:
        """Let it come again, because its content was not stored."""
        table = schema.taken_request
        with self._database.write() as connection:
            connection.execute(delete(table).where(table.c.signature == _digest(signature)))


def _digest(signature: str) -> str:
    return sha256(signature.encode()).hexdigest()
