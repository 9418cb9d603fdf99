"""A service that refuses everything: the campaign pauses before a person's mistake costs anybody the text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, cycle, repeat
from random import Random

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
def test_a_constant_refusal_for_the_accounts_sake_loses_nobody(
    ledger: Ledger, clock: Clock, status: int, size: int
) -> None:
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


@pytest.mark.parametrize("seed", [0, *only_deep(1, 2, 3)])
def test_whatever_the_first_ten_are_refused_with_the_campaign_pauses(
    ledger: Ledger, clock: Clock, seed: int
) -> None:
    """Any mixture, and again after each time that a person let it go on without mending anything."""
    draw = Random(seed)  # noqa: S311 - a replayable draw
    campaign, lost = running(ledger, COUNT, batch_size=1), 0
    for round_ in range(3):
        statuses = [draw.choice([422, 422, 400, 409, 413, 402]) for _ in range(30)]
        walk(
            ledger, campaign, Service(*statuses) if round_ or seed else Service(*[422] * 9, 413, *[422] * 20)
        )
        found = ledger.campaign(campaign)
        assert found.state == "paused"
        assert found.rejected - lost <= 10, "ten at most until somebody looks"
        lost = found.rejected
        clock.advance(1)
        ledger.resume(campaign)


def test_refusals_among_accepted_messages_do_not_pause(ledger: Ledger) -> None:
    campaign = running(ledger, COUNT, batch_size=1)
    service = Service(200)
    service.statuses = chain(cycle([200, 422, 422]))
    walk(ledger, campaign, service)
    assert counts(ledger, campaign) == {"accepted": COUNT // 3, "rejected": COUNT // 3 * 2}


@pytest.mark.parametrize(
    ("status", "after", "reason"),
    [
        (422, {"rejected": 10, "ready": COUNT - 10}, "refused the first 10"),
        (500, {"unknown": 5, "ready": COUNT - 5}, "in a row"),
    ],
)
def test_after_so_many_failures_it_pauses_with_the_reason(
    ledger: Ledger, status: int, after: dict[str, int], reason: str
) -> None:
    campaign = running(ledger, COUNT, batch_size=1)
    walk(ledger, campaign, Service(status))
    assert counts(ledger, campaign) == after
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert reason in (found.reason or "")
