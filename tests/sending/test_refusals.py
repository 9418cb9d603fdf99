"""A service that refuses everything: the campaign pauses before a person's mistake costs anybody the text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, cycle, repeat

import pytest
from fixtures_ledger import Clock, counts, message_object, running
from senders import walk
from tiers import only_deep

from dashboard.errors import ServiceError
from dashboard.ledger import Ledger
from dashboard.service import (
    AuthenticationError,
    Message,
    OutcomeUnknownError,
    OutgoingMessage,
    RejectedError,
    TooLargeError,
)

COUNT = 60


class Service:
    """Answers with one status after the other; 200 accepts."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = chain(statuses, repeat(statuses[-1]))

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        status = next(self.statuses)
        if status == 200:
            return [message_object(message.uuid or "") for message in messages]
        raise error_of(status)


def error_of(status: int) -> ServiceError:
    if status in {401, 403}:
        return AuthenticationError(status)
    if status >= 500:
        return OutcomeUnknownError(f"status {status}", status=status)
    return TooLargeError() if status == 413 else RejectedError(status)


@pytest.mark.parametrize("size", [16, *only_deep(1)])
@pytest.mark.parametrize("status", [401, 413, *only_deep(402, 403, 404, 405, 407)])
def test_a_refusal_of_the_account_loses_nobody(ledger: Ledger, clock: Clock, status: int, size: int) -> None:
    campaign = running(ledger, COUNT, batch_size=size)
    for _ in range(3):
        walk(ledger, campaign, Service(status))
        found = ledger.campaign(campaign)
        assert found.state == "paused"
        assert str(status) in (found.reason or "")
        assert status != 401 or "Check the key" in (found.reason or "")
        assert counts(ledger, campaign) == {"ready": COUNT}
        clock.advance(1)
        ledger.resume(campaign)
    walk(ledger, campaign, Service(200))
    assert counts(ledger, campaign) == {"accepted": COUNT}


def test_refusals_among_accepted_messages_do_not_pause(ledger: Ledger) -> None:
    campaign = running(ledger, COUNT, batch_size=1)
    service = Service(200)
    service.statuses = chain(cycle([200, 422, 422]))
    walk(ledger, campaign, service)
    assert counts(ledger, campaign) == {"accepted": COUNT // 3, "rejected": COUNT // 3 * 2}


@pytest.mark.parametrize(
    ("status", "state", "many", "reason"),
    [(422, "rejected", 10, "refused the first 10"), (500, "unknown", 5, "in a row")],
)
def test_after_so_many_failures_it_pauses_with_the_reason_each_time_it_is_resumed(
    ledger: Ledger, clock: Clock, status: int, state: str, many: int, reason: str
) -> None:
    campaign = running(ledger, COUNT, batch_size=1)
    for failed in (many, 2 * many):
        walk(ledger, campaign, Service(status))
        assert counts(ledger, campaign) == {state: failed, "ready": COUNT - failed}
        found = ledger.campaign(campaign)
        assert found.state == "paused"
        assert reason in (found.reason or "")
        clock.advance(1)
        ledger.resume(campaign)
        clock.advance(1)
