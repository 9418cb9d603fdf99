"""The side of the ledger that sending uses: who sends, what may go out, and how it ended.

Who sends is an owner, one per life of a process. A slot's lock, which ends with its process, tells living
owners from dead ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, insert, select, update

from dashboard.ledger.audit.chain import append
from dashboard.ledger.copies import doubt
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import LIVING, campaign_row
from dashboard.ledger.database.version import version_in
from dashboard.ledger.evidence.attempts import make_unknown
from dashboard.ledger.optouts import drop_all_listed
from dashboard.ledger.outbox import claims, control, gate
from dashboard.ledger.outbox.claims import Claim, Nothing, Wait
from dashboard.ledger.outbox.gate import Limits
from dashboard.ledger.outbox.hours import MISSED
from dashboard.ledger.outbox.pausing import pause_over_missed, pause_running
from dashboard.ledger.outbox.settle import Settlement, settle

LOST_AFTER = timedelta(minutes=2)
"""Longer than a claim lives before its request (hours.CLAIM_LIFE): what is lost now is never requested."""

ENDED = "The program ended while this batch was on its way. Nobody can tell whether the service took it."
LOST = "The program lost track of this batch. Nobody can tell whether it was sent."

_owner = schema.owner.c


class Outbox:
    """Claims and settlements, each one transaction. Safe to share between threads.

    Every method raises LedgerUnavailableError if the database cannot be used, and may then be called again.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._doubtful = 0
        self.now = now

    def register(self, slot: int) -> str:
        """Enter this process, which holds the slot's lock, as its owner; returns the owner's id.

        What the slot's dead predecessor was sending becomes unknown; so does everything that is ready, if
        this ledger is a copy. What is ready for people on the list of opt-outs is dropped.

        Raises:
            LedgerVersionError: A newer program upgraded the tables since this one opened the ledger.
        """
        with self._database.write() as connection:
            version_in(schema.tables.tables, lambda query: connection.exec_driver_sql(query).scalar())
            drop_all_listed(connection, self.now())
        with self._database.write() as connection:
            doubt.distrust_copy(connection, self.now())
            self._retire(connection, [slot])
            owner = f"{slot}-{uuid4().hex[:12]}"
            connection.execute(insert(schema.owner).values(id=owner, slot=slot))
        return owner

    def look_for_doubt(self) -> None:
        """Notice that this ledger is a copy, before anything in it is changed."""
        with self._database.read() as connection:
            if not doubt.is_copy(connection):
                return
        with self._database.write() as connection:  # which looks again: another process may have noticed
            self._doubtful += doubt.distrust_copy(connection, self.now())

    def distrust(self, *, opt_outs_kept: bool) -> int:
        """Say that this ledger is an older copy.

        Returns:
            How many batches became unknown, including those that did when the ledger was opened.
        """
        with self._database.write() as connection:
            doubt.mark_as_copy(connection)
            self._doubtful += doubt.distrust_copy(connection, self.now(), opt_outs_kept=opt_outs_kept)
            append(connection, "restore", "ledger", self.now(), details={"batches": self._doubtful})
        return self._doubtful

    def retire(self, slots: Collection[int]) -> int:
        """Retire the owners of slots whose processes have ended; returns how many batches became unknown."""
        with self._database.write() as connection:
            return self._retire(connection, slots)

    def _retire(self, connection: Connection, slots: Collection[int]) -> int:
        gone = connection.execute(
            update(schema.owner)
            .where(_owner.slot.in_(list(slots)), _owner.retired_at.is_(None))
            .values(retired_at=self.now())
            .returning(_owner.id)
        ).scalars()
        return self._give_up(connection, schema.batch.c.owner.in_(list(gone)), ENDED)

    def slots_in_use(self) -> list[int]:
        """Slots whose owner has not been retired, dead or alive."""
        with self._database.read() as connection:
            query = select(_owner.slot).where(_owner.retired_at.is_(None)).distinct()
            return list(connection.execute(query).scalars())

    def is_retired(self, owner: str) -> bool:
        """Whether it has to register anew: found dead by others, or the ledger is a copy put back."""
        with self._database.read() as connection:
            return connection.execute(LIVING, {"owner_": owner}).first() is None

    def give_up_lost(self, owner: str, in_flight: Collection[int]) -> int:
        """Declare unknown what an owner claimed long ago and no longer has in flight; returns how many.

        As after a failure of a thread. What was claimed in the future was claimed before the clock was set
        back.
        """
        batch = schema.batch.c
        with self._database.write() as connection:
            now = self.now()
            is_old = (batch.claimed_at < now - LOST_AFTER) | (batch.claimed_at > now + LOST_AFTER)
            lost = (batch.owner == owner) & is_old & batch.id.not_in(in_flight)
            return self._give_up(connection, lost, LOST)

    def _give_up(self, connection: Connection, which: ColumnElement[bool], reason: str) -> int:
        """Make unknown what is on its way; returns how many batches."""
        which &= schema.batch.c.state == "sending"
        return make_unknown(connection, which, event="lost", reason=reason, now=self.now())

    def pause(self, campaign: str, reason: str) -> None:
        """Pause a campaign if it is running."""
        with self._database.write() as connection:
            campaign_row(connection, campaign, "change")
            pause_running(connection, campaign, reason)

    def set_pace(self, messages_per_second: float, *, unless_others_than: str | None = None) -> None:
        """Set the pace across all campaigns and processes; 0 for none of our own.

        With `unless_others_than`, an owner, only if nobody else sends.
        """
        with self._database.write() as connection:
            if unless_others_than is None or not _has_others(connection, unless_others_than):
                gate.set_pace(connection, messages_per_second, self.now())

    def set_limits(self, limits: Limits, owner: str | None = None) -> None:
        """Set when campaigns pause by themselves, for all processes.

        Args:
            limits: The limits.
            owner: Who sets them, as it begins to send. Where it brings no cap, the one that marketers decided
                counts. While others send too, it removes no cap that it does not have itself: a job that
                lacks the setting must not spend what the others may not.
        """
        with self._database.write() as connection:
            if owner is None:
                gate.set_limits(connection, limits, self.now())
            else:
                others = _has_others(connection, owner)
                gate.bring_limits(connection, limits, self.now(), keeps_caps=others)

    def start_due(self) -> None:
        """Start the scheduled campaigns whose time has come; those that were missed wait for a person."""
        with self._database.read() as connection:
            due = control.due(connection, self.now())
        if due:
            with self._database.write() as connection:
                control.start_due(connection, self.now())

    def unfinished(self) -> list[str]:
        """Campaigns that are running, or are due to, oldest first."""
        with self._database.read() as connection:
            return control.running(connection) + control.due(connection, self.now())

    def to_send(self) -> list[str]:
        """The running campaigns that have something ready whose time has come."""
        with self._database.read() as connection:
            return claims.to_send(connection, self.now())

    def finish(self) -> None:
        """Mark campaigns done in which nothing is left to send, paused ones too."""
        with self._database.read() as connection:
            over = control.over(connection)
        for campaign in over:
            with self._database.write() as connection:
                control.finish(connection, campaign, self.now())

    def claim(self, campaign: str, *, owner: str, ticket: str) -> Claim | Wait | Nothing:
        """Claim a batch; see claims.py. After an error the same ticket finds a claim that was committed."""
        now = self.now()
        with self._database.write() as connection:
            got = claims.claim_next(connection, campaign, owner=owner, ticket=ticket, now=now)
        if got == Nothing(MISSED):  # not in the claim, which only shares the campaign's row with others
            with self._database.write() as connection:
                pause_over_missed(connection, campaign, now)
        return got

    def goes_on(self, claim: Claim) -> bool:
        """Whether a claim's request may still leave: nobody paused, and nothing makes all wait, since."""
        with self._database.read() as connection:
            return claims.goes_on(connection, claim, self.now())

    def settle(self, claim: Claim, settlement: Settlement, *, jitter: float = 1.0) -> bool:
        """Record how a claim ended; see settle.py."""
        return settle(self._database, claim, settlement, self.now, jitter=jitter)


def _has_others(connection: Connection, owner: str) -> bool:
    """Whether there are other owners that have not been retired."""
    others = select(_owner.id).where(_owner.retired_at.is_(None), _owner.id != owner)
    return connection.execute(others.limit(1)).first() is not None
