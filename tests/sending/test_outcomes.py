"""The outcome table, a test per row. How each looks on the wire: tests/service/test_outcomes.py."""

from __future__ import annotations

from typing import Any

import pytest
from each import each
from fixtures_ledger import message_object

from dashboard.ledger.outbox.settle import Settlement
from dashboard.sending.outcomes import Rules, classify
from dashboard.service import (
    AuthenticationError,
    Finding,
    IncompleteAnswerError,
    NotSentError,
    OutcomeUnknownError,
    RefusedBeforeSendingError,
    RejectedError,
    ThrottledError,
    TooLargeError,
)

SENT = [f"00000000-0000-4000-8000-00000000000{digit}" for digit in "abc"]
FOREIGN = "99999999-0000-4000-8000-000000000000"


def facts(settlement: Settlement) -> dict[str, Any]:
    """What a row of the table says."""
    found = {"event": settlement.event, "state": settlement.state, "status": settlement.http_status}
    extra = {
        "gate": settlement.closes_gate and (settlement.retry_after_s or True),
        "pauses": settlement.pauses,
        "echoed": len(settlement.echoed),
    }
    return found | {name: value for name, value in extra.items() if value}


ROWS = {
    "all echoed": (
        [message_object(uuid) for uuid in SENT],
        {"event": "accepted", "state": "accepted", "status": None, "echoed": 3},
    ),
    "all echoed, another order, upper case, a stranger among them": (
        [message_object(uuid.upper()) for uuid in [FOREIGN, *reversed(SENT)]],
        {"event": "accepted", "state": "accepted", "status": None, "echoed": 3},
    ),
    "the right number, not all ours": (
        [message_object(uuid) for uuid in [*SENT[:2], FOREIGN]],
        {"event": "partly accepted", "state": "unknown", "status": None, "echoed": 2},
    ),
    "the right number, one twice": (
        [message_object(uuid) for uuid in [*SENT[:2], SENT[0]]],
        {"event": "partly accepted", "state": "unknown", "status": None, "echoed": 3},
    ),
    "some echoed": (
        IncompleteAnswerError([message_object(SENT[1])], missing=2, status=202),
        {"event": "partly accepted", "state": "unknown", "status": 202, "echoed": 1},
    ),
    "none echoed": (
        IncompleteAnswerError([], missing=3, status=200),
        {"event": "unknown", "state": "unknown", "status": 200},
    ),
    "our own check refuses": (
        RefusedBeforeSendingError([Finding(1, "to", "start with +")]),
        {"event": "rejected", "state": "split", "status": None},
    ),
    "our own check refuses the times": (
        RefusedBeforeSendingError([Finding(place, "scheduled_at", "passed") for place in (0, 2)]),
        {"event": "not sent", "state": "ready", "status": None, "pauses": True},
    ),
    "our own check refuses a time and a number": (
        RefusedBeforeSendingError([Finding(0, "scheduled_at"), Finding(1, "to")]),
        {"event": "rejected", "state": "split", "status": None},
    ),
    "the service refuses the times": (
        RejectedError(422, [Finding(1, "scheduled_at")]),
        {"event": "not sent", "state": "ready", "status": 422, "pauses": True},
    ),
    "nothing left the process": (
        NotSentError("refused"),
        {"event": "not sent", "state": "ready", "status": None, "gate": True},
    ),
    "429": (
        ThrottledError(None),
        {"event": "throttled", "state": "ready", "status": 429, "gate": True},
    ),
    "429 with Retry-After": (
        ThrottledError(7.5),
        {"event": "throttled", "state": "ready", "status": 429, "gate": 7.5},
    ),
    "413": (TooLargeError(), {"event": "too large", "state": "split", "status": 413}),
    "401": (
        AuthenticationError(401),
        {"event": "unauthorised", "state": "ready", "status": 401, "pauses": True},
    ),
    "403": (
        AuthenticationError(403),
        {"event": "unauthorised", "state": "ready", "status": 403, "pauses": True},
    ),
    **{
        f"{status}": (
            RejectedError(status),
            {"event": event, "state": "ready", "status": status, "pauses": True},
        )
        for status, event in {
            402: "unauthorised",
            404: "misplaced",
            405: "misplaced",
            408: "misplaced",
        }.items()
    },
    "400": (RejectedError(400), {"event": "rejected", "state": "split", "status": 400}),
    "422": (RejectedError(422), {"event": "rejected", "state": "split", "status": 422}),
    "500": (
        OutcomeUnknownError("status 500", status=500),
        {"event": "unknown", "state": "unknown", "status": 500},
    ),
    "503": (
        OutcomeUnknownError("status 503", status=503),
        {"event": "unknown", "state": "unknown", "status": 503},
    ),
    "503 with Retry-After: all wait, still unknown": (
        OutcomeUnknownError("status 503", status=503, retry_after_s=3),
        {"event": "unknown", "state": "unknown", "status": 503, "gate": 3},
    ),
    "a redirect": (
        OutcomeUnknownError("status 307", status=307),
        {"event": "unknown", "state": "unknown", "status": 307},
    ),
    "no answer": (
        OutcomeUnknownError("timeout"),
        {"event": "unknown", "state": "unknown", "status": None},
    ),
    "a mistake of ours while sending": (
        KeyError("+447700900123"),
        {"event": "unknown", "state": "unknown", "status": None},
    ),
}


@each("answer, row", ROWS.values())
def test_every_row_of_the_table(answer: Any, row: dict[str, Any]) -> None:
    assert facts(classify(SENT, answer)) == row


@pytest.mark.parametrize("answer", [RejectedError(422), RefusedBeforeSendingError([])])
def test_a_message_alone_cannot_be_split_further(answer: Exception) -> None:
    assert classify(SENT[:1], answer).state == "rejected"


def test_a_message_alone_that_is_too_large_waits_for_a_person() -> None:
    settlement = classify(SENT[:1], TooLargeError())
    assert (settlement.event, settlement.state, settlement.pauses) == ("too large", "ready", True)
    assert "not accept even a single message" in (settlement.detail or "")


@each("status", sorted({*range(400, 452), 499} - {429}))
@each("count", [1, 3])
def test_a_refusal_is_either_about_the_messages_or_pauses_with_a_reason(status: int, count: int) -> None:
    """Final is a message only by a status that may be about it."""
    errors = {401: AuthenticationError(401), 403: AuthenticationError(403), 413: TooLargeError()}
    settlement = classify(SENT[:count], errors.get(status, RejectedError(status)))
    assert settlement.detail
    assert settlement.pauses == (settlement.state == "ready")
    if status in {400, 409, 422}:
        assert settlement.state == ("split" if count > 1 else "rejected")
    if status in {401, 402, 403, 404} or (status, count) == (413, 1):
        assert settlement.state == "ready"


@pytest.mark.parametrize(
    "answer", [RejectedError(422), TooLargeError(), ThrottledError(5), AuthenticationError(401)]
)
def test_of_a_service_that_takes_part_of_what_it_refuses_every_4xx_is_unknown(answer: Exception) -> None:
    settlement = classify(SENT, answer, Rules(refusal_took_nothing=False))
    assert (settlement.event, settlement.state) == ("unknown", "unknown")
    assert settlement.pauses == isinstance(answer, AuthenticationError)
    assert settlement.closes_gate == isinstance(answer, ThrottledError)


def test_a_503_with_retry_after_may_be_trusted_by_choice() -> None:
    answer = OutcomeUnknownError("status 503", status=503, retry_after_s=3)
    settlement = classify(SENT, answer, Rules(unavailable_took_nothing=True))
    assert facts(settlement) == {"event": "throttled", "state": "ready", "status": 503, "gate": 3}


def test_no_value_reaches_the_ledger_from_an_error_that_is_not_ours() -> None:
    assert "900123" not in (classify(SENT, KeyError("+447700900123")).detail or "")
