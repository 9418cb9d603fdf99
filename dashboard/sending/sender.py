"""Walks over the running campaigns: claim, request, settle, batch after batch, each campaign in its turn."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from random import SystemRandom
from threading import Event, Lock, Semaphore
from typing import Protocol
from uuid import uuid4

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger.outbox.claims import Claim, Nothing, Wait
from dashboard.ledger.outbox.hours import CLAIM_LIFE, QUIET
from dashboard.ledger.outbox.outbox import Outbox
from dashboard.ledger.outbox.settle import Settlement
from dashboard.sending.outcomes import Rules, check_numbers, classify
from dashboard.sending.unwritten import plainer
from dashboard.service import Message, NotSentError, OutgoingMessage
from dashboard.service.leaving import leaving_only_if

log = logging.getLogger(__name__)

CLAIM_LIFE_S = CLAIM_LIFE.total_seconds()
"""An older claim was held up, say by a stopped process; its batch may be someone else's by now."""

LONGEST_SLEEP_S = 0.5
"""How soon a changed pace, a pause or a stop is noticed."""

SETTLING = 4
"""How many batches are being recorded while all allowed requests are on their way."""

_RANDOM = SystemRandom()
"""The system's: neither a seed that somebody sets nor a fork makes two processes alike."""

RETRY_S = 1.0
"""The wait between two attempts to reach a ledger that cannot be used."""

STALE = Settlement(
    "not sent", "ready", detail="The program was held up before the request; nothing was sent."
)
HELD_BACK = Settlement("not sent", "ready", detail="It was held back before the request; nothing was sent.")
CANNOT_CLAIM = (
    "The ledger could not record that a batch goes out ({kind}), so none does. Report this, with the "
    "program's version, then resume the campaign."
)
LOST = Settlement("unknown", "unknown", detail="The program failed while this batch was on its way.")


_SINCE_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def elapsed_s() -> float:
    """Seconds that setting the clock does not affect; on Linux those count in which the machine slept."""
    return time.monotonic() if _SINCE_BOOT is None else time.clock_gettime(_SINCE_BOOT)


class BulkService(Protocol):
    """What sending needs of the service."""

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        """Send a batch; see `SmsService.send_bulk`."""
        ...


class Sender:
    """Sends in one process, on behalf of one owner at a time, with so many requests on their way at once."""

    def __init__(
        self,
        outbox: Outbox,
        service: BulkService,
        *,
        places: int,
        rules: Rules,
        monotonic: Callable[[], float] = elapsed_s,
    ) -> None:
        self.owner = ""
        self.stopping = Event()
        self.given_up = Event()
        self._outbox = outbox
        self._service = service
        self._places = Semaphore(places)
        self._turn = Lock()  # to claim and then to wait for a place, so that no place waits for a claim
        self._rules = rules
        self._monotonic = monotonic
        self._campaigns: dict[str, None] = {}  # in the order of their turns
        self._in_flight: set[tuple[int, int]] = set()
        self._guard = Lock()

    def serve(self, campaigns: Iterable[str]) -> None:
        """Send these too, each in its turn, until there is nothing to claim of it."""
        with self._guard:
            for campaign in campaigns:
                self._campaigns.setdefault(campaign)

    def in_flight(self) -> set[int]:
        """Batches whose request may be on its way."""
        with self._guard:
            return {batch for batch, _attempt in self._in_flight}

    def walk(self) -> str:
        """Send batch after batch until there is nothing to claim of any campaign; returns why not."""
        while True:
            with ExitStack() as noted, ExitStack() as place:
                with self._turn:
                    got, asked_at = self._next()
                    if isinstance(got, Nothing):
                        return got.why
                    noted.enter_context(self._noted(got))
                    place.enter_context(self._places)  # in its turn: only one claim is ahead
                    goes_on = self._goes_on(got)
                if goes_on:
                    self._send(got, asked_at, place.close)
                else:
                    self._settle(got, HELD_BACK)
            self.serve([got.campaign_id])  # what came back may go out at once, though others found nothing

    def _next(self) -> tuple[Claim | Nothing, float]:
        """Claim a batch of the campaign whose turn it is, or else of the one after it."""
        got: Claim | Nothing = Nothing("nothing to send")
        asked_at = 0.0
        while not isinstance(got, Claim):
            with self._guard:
                campaign = next(iter(self._campaigns), None)
            if campaign is None:
                break
            got, asked_at = self._claim(campaign)
            with self._guard:
                del self._campaigns[campaign]
                if isinstance(got, Claim) or got.why == QUIET:  # others of it may go out now
                    self._campaigns[campaign] = None
        return got, asked_at

    def _claim(self, campaign: str) -> tuple[Claim | Nothing, float]:
        """Claim a batch when the gate allows it.

        Returns:
            The claim, and when it was first requested.
        """
        ticket, asked_at = str(uuid4()), self._monotonic()
        while not self.stopping.is_set():
            try:
                got = self._outbox.claim(campaign, owner=self.owner, ticket=ticket)
            except LedgerUnavailableError as error:
                log.warning("No claim: %s", error)
                self.stopping.wait(RETRY_S)
                continue  # with the same ticket: it may have been committed
            except Exception as error:  # refused permanently: asking again would never end
                return self._refused(campaign, error), asked_at
            if not isinstance(got, Wait):
                return got, asked_at
            pause = (got.until - self._outbox.now()).total_seconds()
            self.stopping.wait(min(max(pause, 0.0), LONGEST_SLEEP_S))
            asked_at = self._monotonic()
        return Nothing("stopping"), asked_at

    def _refused(self, campaign: str, error: Exception) -> Nothing:
        """Nothing to claim, because the ledger refuses a claim for this campaign."""
        kind = type(error.__cause__ or error).__name__
        log.error("No claim is possible (%s).", kind)
        with suppress(Exception):  # the next walk tries again; nothing is sent without a claim
            self._outbox.pause(campaign, CANNOT_CLAIM.format(kind=kind))
        return Nothing("refused")

    def _send(self, claim: Claim, asked_at: float, make_room: Callable[[], None]) -> None:
        """Request and settle; only if all went well may the next request go out without waiting for that."""
        settlement = LOST
        try:
            settlement = self._request(claim, asked_at)
        finally:
            if settlement.event == "accepted" and not settlement.pauses:
                make_room()
            self._settle(claim, settlement)
            self._tell(claim, settlement, asked_at)

    def _request(self, claim: Claim, asked_at: float) -> Settlement:
        """What became of the request, which leaves only while the claim lives."""
        uuids = [message.uuid or "" for message in claim.messages]
        answer: Sequence[Message] | Exception
        if self._held_up(claim, asked_at):
            return STALE
        try:
            with leaving_only_if(lambda: not self._held_up(claim, asked_at)):
                answer = self._service.send_bulk(claim.messages)
        except NotSentError as error:
            if self._held_up(claim, asked_at):
                return STALE
            answer = error
        except Exception as error:  # whatever it is, the batch may have been taken
            answer = error
        return check_numbers(claim.messages, classify(uuids, answer, self._rules))

    def _goes_on(self, claim: Claim) -> bool:
        """Whether nothing came while the claim waited for its place that keeps its request back."""
        try:
            return not self.stopping.is_set() and self._outbox.goes_on(claim)
        except Exception as error:  # nothing was sent yet, whatever it is
            log.warning("No request: %s", type(error).__name__)
            return False

    def _held_up(self, claim: Claim, asked_at: float) -> bool:
        """Whether too long has passed since the claim by either clock; one may stop while it sleeps."""
        by_clock = (self._outbox.now() - claim.claimed_at).total_seconds()
        return max(by_clock, self._monotonic() - asked_at) > CLAIM_LIFE_S

    def _settle(self, claim: Claim, settlement: Settlement) -> None:
        """Record the outcome, however long the ledger takes to come back."""
        jitter = _RANDOM.uniform(0.8, 1.2)
        while True:
            try:
                self._outbox.settle(claim, settlement, jitter=jitter)
            except LedgerUnavailableError as error:
                ids = {"campaign": claim.campaign_id, "batch": claim.batch_id}
                log.warning(
                    "The outcome of batch %d waits to be written: %s", claim.batch_id, error, extra=ids
                )
                if self.given_up.wait(RETRY_S):
                    return
            except Exception as error:  # refused permanently: the batch would stay on its way forever
                kind = type(error.__cause__ or error).__name__
                log.error("The outcome of batch %d cannot be written as it is (%s).", claim.batch_id, kind)  # noqa: TRY400 - a trace may quote values
                less = plainer(settlement, kind)
                if less is None and self.given_up.wait(RETRY_S):
                    return
                settlement = less or settlement
            else:
                return

    def _tell(self, claim: Claim, settlement: Settlement, asked_at: float) -> None:
        """Say in the log how it went, by ids alone."""
        if not log.isEnabledFor(logging.INFO):
            return
        log.info(
            "A batch was tried.",
            extra={
                "campaign": claim.campaign_id,
                "batch": claim.batch_id,
                "attempt": claim.attempt,
                "messages": len(claim.messages),
                "outcome": settlement.event,
                "status": settlement.http_status,
                "took_ms": round(1000 * (self._monotonic() - asked_at)),
            },
        )

    @contextmanager
    def _noted(self, claim: Claim) -> Iterator[None]:
        with self._guard:
            self._in_flight.add((claim.batch_id, claim.attempt))
        try:
            yield
        finally:
            with self._guard:
                self._in_flight.discard((claim.batch_id, claim.attempt))
