"""Keeps ledger and sender in step: no running campaign without a walk, nothing `sending` without an owner."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Thread

from dashboard.errors import SendingError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.slots import Slot, slot
from dashboard.sending.sender import SETTLING, Sender
from dashboard.words import _

log = logging.getLogger(__name__)

SWEEP_EVERY_S = 10.0
TRIES, TRY_AGAIN_S = 50, 0.1


class Reconciler:
    """What an engine looks after, tick by tick; `bring` sets what an owner brings that begins to send."""

    def __init__(
        self, ledger: Ledger, own: Slot, sender: Sender, places: int, bring: Callable[[str], None]
    ) -> None:
        self._database = ledger.database
        self._outbox = ledger.outbox
        self._own = own
        self._sender = sender
        self._bring = bring
        self._walks: list[Thread] = []
        self._wanted = places + SETTLING
        self._swept_at = float("-inf")

    def register(self) -> None:
        """Enter this process as an owner, in whose name nothing is claimed before its caps are set."""
        owner = self._outbox.register(self._own.number)
        self._bring(owner)
        self._sender.owner = owner

    def tick(self) -> None:
        """Look after everything once.

        Raises:
            SendingError: Another process has taken our slot.
            LedgerUnavailableError: The ledger cannot be used now.
        """
        self._keep_slot()
        if time.monotonic() - self._swept_at >= SWEEP_EVERY_S:
            self._sweep()
            self._swept_at = time.monotonic()
        self._outbox.start_due()
        self._send()
        self._outbox.finish()

    def _keep_slot(self) -> None:
        """Make sure that we hold the slot; take it again if a database lost its locks in a restart."""
        if not self._own.is_held() and not self._taken_again():
            raise SendingError(_("Another process has taken this one's place. Start this one again."))
        if self._outbox.is_retired(self._sender.owner):
            self.register()

    def _taken_again(self) -> bool:
        """Take the slot again; a session that the server just ended may hold its lock a moment longer."""
        for _try in range(TRIES):
            if self._own.acquire():
                return True
            time.sleep(TRY_AGAIN_S)
        return False

    def _sweep(self) -> None:
        """Find dead owners: what they were sending is unknown."""
        for number in self._outbox.slots_in_use():
            other = slot(number, self._database)
            if number != self._own.number and other.acquire():
                try:
                    self._outbox.retire([number])
                finally:
                    other.release()
        self._outbox.give_up_lost(self._sender.owner, self._sender.in_flight())

    def _send(self) -> None:
        """Let all threads walk that the sender has room for, if there is something to send."""
        campaigns = self._outbox.to_send()
        self._sender.serve(campaigns)
        self._walks = [walk for walk in self._walks if walk.is_alive()]
        for _missing in range(self._wanted - len(self._walks) if campaigns else 0):
            walk = Thread(target=self._walk, name="sending-walk", daemon=True)
            walk.start()
            self._walks.append(walk)

    def _walk(self) -> None:
        try:
            self._sender.walk()
        except BaseException as error:  # whatever a service's client raises, the next tick replaces it
            log.error("A walk broke off (%s).", type(error).__name__)  # noqa: TRY400 - a trace may quote values

    def wait(self, timeout_s: float) -> None:
        """Wait until nobody walks any more, once the sender is stopping."""
        until = time.monotonic() + timeout_s
        for walk in self._walks:
            walk.join(max(0.0, until - time.monotonic()))
