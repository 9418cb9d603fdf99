"""Keeps ledger and lanes in step: no running campaign without a lane, nothing `sending` without an owner."""

from __future__ import annotations

import time
from collections.abc import Callable

from dashboard.errors import SendingError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.slots import Slot, slot
from dashboard.sending.lanes import Lanes
from dashboard.sending.sender import Sender
from dashboard.words import _

SWEEP_EVERY_S = 10.0
TRIES, TRY_AGAIN_S = 50, 0.1
TOP_UP_EVERY_S = 2.0
"""Requested lanes have begun to walk by then; requesting twice would do no harm."""


class Reconciler:
    """What an engine looks after, tick by tick.

    Args:
        ledger: The ledger.
        own: The slot that this process holds.
        sender: Walks the lanes here.
        lanes: Starts them.
        wanted: Lanes per campaign.
        monotonic: Seconds that are not affected by setting the clock.
    """

    def __init__(
        self,
        ledger: Ledger,
        own: Slot,
        sender: Sender,
        lanes: Lanes,
        wanted: int,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = ledger.database
        self._outbox = ledger.outbox
        self._own = own
        self._sender = sender
        self._lanes = lanes
        self._wanted = wanted
        self._monotonic = monotonic
        self._swept_at = float("-inf")
        self._topped_up_at: dict[str, float] = {}

    def tick(self) -> None:
        """Look after everything once.

        Raises:
            SendingError: Another process has taken our slot.
            LedgerUnavailableError: The ledger cannot be used now.
        """
        self._keep_slot()
        if self._monotonic() - self._swept_at >= SWEEP_EVERY_S:
            self._sweep()
            self._swept_at = self._monotonic()
        self._outbox.start_due()
        self._top_up()
        self._outbox.finish()

    def _keep_slot(self) -> None:
        """Make sure that we hold the slot; take it again if a database lost its locks in a restart."""
        if not self._own.is_held() and not self._taken_again():
            raise SendingError(_("Another process has taken this one's place. Start this one again."))
        if self._outbox.is_retired(self._sender.owner):
            self._sender.owner = self._outbox.register(self._own.number)

    def _taken_again(self) -> bool:
        """Take the slot again; a session that the server just ended may hold its lock a moment longer."""
        for _try in range(TRIES):
            if self._own.acquire():
                return True
            time.sleep(TRY_AGAIN_S)
        return False

    def _sweep(self) -> None:
        """Find dead owners: what they were sending is unknown, their lanes end."""
        for number in self._outbox.slots_in_use():
            other = slot(number, self._database)
            if number != self._own.number and other.acquire():
                try:
                    self._outbox.retire([number])
                    self._lanes.end(number)
                finally:
                    other.release()
        self._outbox.give_up_lost(self._sender.owner, self._sender.in_flight())

    def _top_up(self) -> None:
        """Start the lanes missing here for campaigns with something to send."""
        now = self._monotonic()
        missing = {one: self._wanted - self._sender.walking(one) for one in self._outbox.to_send()}
        lacking = {
            one: count
            for one, count in missing.items()
            if count > 0 and now - self._topped_up_at.get(one, float("-inf")) >= TOP_UP_EVERY_S
        }
        if lacking:
            self._topped_up_at |= dict.fromkeys(lacking, now)
            self._lanes.start(lacking)
