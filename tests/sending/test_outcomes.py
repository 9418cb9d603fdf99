"""The outcome table, a test per row. How each looks on the wire: tests/service/test_wire_outcomes.py."""

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


def became(event: str, state: str, status: int | None = None, **extra: Any) -> dict[str, Any]:
    """What a row should say."""
    return {"event": event, "state": state, "status": status, **extra}


ROWS = {
    "all echoed": ([message_object(uuid) for uuid in SENT], became("accepted", "accepted", echoed=3)),
    "all echoed, another order, upper case, a stranger among them": (
        [message_object(uuid.upper()) for uuid in [FOREIGN, *reversed(SENT)]],
        became("accepted", "accepted", echoed=3),
    ),
    "the right number, not all ours": (
        [message_object(uuid) for uuid in [*SENT[:2], FOREIGN]],
        became("partly accepted", "unknown", echoed=2),
    ),
    "the right number, one twice": (
        [message_object(uuid) for uuid in [*SENT[:2], SENT[0]]],
        became("partly accepted", "unknown", echoed=3),
    ),
    "some echoed": (
        IncompleteAnswerError([message_object(SENT[1])], missing=2, status=202),
        became("partly accepted", "unknown", 202, echoed=1),
    ),
    "none echoed": (IncompleteAnswerError([], missing=3, status=200), became("unknown", "unknown", 200)),
    "our own check refuses": (
        RefusedBeforeSendingError([Finding(1, "to", "start with +")]),
        became("rejected", "split"),
    ),
    "our own check refuses the times": (
        RefusedBeforeSendingError([Finding(place, "scheduled_at", "passed") for place in (0, 2)]),
        became("not sent", "ready", pauses=True),
    ),
    "our own check refuses a time and a number": (
        RefusedBeforeSendingError([Finding(0, "scheduled_at"), Finding(1, "to")]),
        became("rejected", "split"),
    ),
    "the service refuses the times": (
        RejectedError(422, [Finding(1, "scheduled_at")]),
        became("not sent", "ready", 422, pauses=True),
    ),
    "nothing left the process": (NotSentError("refused"), became("not sent", "ready", gate=True)),
    "429": (ThrottledError(None), became("throttled", "ready", 429, gate=True)),
    "429 with Retry-After": (ThrottledError(7.5), became("throttled", "ready", 429, gate=7.5)),
    "413": (TooLargeError(), became("too large", "split", 413)),
    "401": (AuthenticationError(401), became("unauthorised", "ready", 401, pauses=True)),
    "403": (AuthenticationError(403), became("unauthorised", "ready", 403, pauses=True)),
    **{
        f"{status}": (RejectedError(status), became(event, "ready", status, pauses=True))
        for status, event in {402: "unauthorised", **dict.fromkeys((404, 405, 408), "misplaced")}.items()
    },
    "400": (RejectedError(400), became("rejected", "split", 400)),
    "422": (RejectedError(422), became("rejected", "split", 422)),
    "500": (OutcomeUnknownError("status 500", status=500), became("unknown", "unknown", 500)),
    "503 with Retry-After: all wait, still unknown": (
        OutcomeUnknownError("status 503", status=503, retry_after_s=3),
        became("unknown", "unknown", 503, gate=3),
    ),
    "no answer": (OutcomeUnknownError("timeout"), became("unknown", "unknown")),
    "a mistake of ours while sending": (KeyError("+447700900123"), became("unknown", "unknown")),
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
    assert facts(settlement) == became("throttled", "ready", 503, gate=3)


def test_no_value_reaches_the_ledger_from_an_error_that_is_not_ours() -> None:
    assert "900123" not in (classify(SENT, KeyError("+447700900123")).detail or "")
