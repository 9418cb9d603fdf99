"""The side of the ledger that sending uses: who sends, what may go out, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from dashboard.ledger import claims, control, copies, gate, owners
from dashboard.ledger.claims import Claim, Lane, Nothing, Wait
from dashboard.ledger.engine import Database
from dashboard.ledger.gate import Limits
from dashboard.ledger.pausing import pause_running
from dashboard.ledger.settle import Settlement, settle
from dashboard.ledger.tidemark import Tidemark


class Outbox:
    """Claims and settlements, each one transaction. Safe to share between threads.

    Every method raises LedgerUnavailableError when the database cannot be used; all may be called again then.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._tidemark = Tidemark(database)
        self.now = now

    def register(self, slot: int) -> str:
        """Enter this process, which holds the slot's lock, as its owner; returns the owner's id.

        What the slot's dead predecessor was sending becomes unknown; so does all that is ready when this
        ledger is an older copy of itself.
        """
        with self._database.write() as connection:
            copies.distrust_copy(connection, self._tidemark.read(), self.now())
            copies.identify(connection)
            owner = owners.register(connection, slot, self.now())
        self.note_tide()
        return owner

    def note_tide(self) -> None:
        """Note beside the ledger how far it is, so that an older copy in its place is noticed."""
        with self._database.read() as connection:
            tide = copies.tide(connection)
        self._tidemark.note(tide)

    def retire(self, slots: Collection[int]) -> int:
        """Retire the owners of slots whose processes have ended; returns how many batches became unknown."""
        with self._database.write() as connection:
            return owners.retire(connection, slots, self.now())

    def slots_in_use(self) -> list[int]:
        """Slots whose owner was not retired, dead or alive."""
        with self._database.read() as connection:
            return owners.slots_in_use(connection)

    def is_retired(self, owner: str) -> bool:
        """Whether others found this owner dead."""
        with self._database.read() as connection:
            return owners.is_retired(connection, owner)

    def give_up_lost(self, owner: str, in_flight: Collection[int]) -> int:
        """Declare unknown what an owner claimed long ago and does not have in flight; returns how many."""
        with self._database.write() as connection:
            return owners.give_up_lost(connection, owner, in_flight, self.now())

    def pause(self, campaign: str, reason: str) -> None:
        """Pause a campaign if it runs."""
        with self._database.write() as connection:
            control.found(connection, campaign, lock=True)
            pause_running(connection, campaign, reason)

    def set_pace(self, messages_per_second: float) -> None:
        """Set the pace over all campaigns and processes; 0 for none of our own."""
        with self._database.write() as connection:
            gate.set_pace(connection, messages_per_second, self.now())

    def set_limits(self, limits: Limits) -> None:
        """Set at what campaigns pause by themselves, for all processes."""
        with self._database.write() as connection:
            gate.set_limits(connection, limits, self.now())

    def start_due(self) -> None:
        """Start the scheduled campaigns whose time has come; those that were missed wait for a person."""
        with self._database.read() as connection:
            due = control.due(connection, self.now())
        if due:
            with self._database.write() as connection:
                control.start_due(connection, self.now())

    def unfinished(self) -> list[str]:
        """Campaigns that run, or are due to, the oldest first."""
        with self._database.read() as connection:
            return control.running(connection) + control.due(connection, self.now())

    def to_send(self) -> list[str]:
        """Of the running campaigns those that have something ready whose time has come."""
        with self._database.read() as connection:
            due = claims.is_due(self.now())
            return [
                one
                for one in control.running(connection)
                if control.has_batches(connection, one, ["ready"], due)
            ]

    def finish(self) -> None:
        """Mark the running campaigns done of which nothing is ready or sending."""
        with self._database.read() as connection:
            over = [one for one in control.running(connection) if not control.is_open(connection, one)]
        for campaign in over:
            with self._database.write() as connection:
                control.finish(connection, campaign, self.now())

    def claim(self, lane: Lane, *, owner: str, ticket: str) -> Claim | Wait | Nothing:
        """Claim a batch; see claims.py. After an error the same ticket finds a claim that was committed."""
        with self._database.write() as connection:
            return claims.claim_next(connection, lane, owner=owner, ticket=ticket, now=self.now())

    def settle(self, claim: Claim, settlement: Settlement, *, jitter: float = 1.0) -> bool:
        """Write down how a claim ended; see settle.py."""
        with self._database.write() as connection:
            return settle(connection, claim, settlement, now=self.now(), jitter=jitter)
