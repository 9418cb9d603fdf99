"""What an answer means for a batch: the one outcome table, pure.

| seen | the batch |
|---|---|
| every uuid in a 2xx | accepted |
| every uuid, some with a number that is not theirs | accepted; the campaign pauses |
| some uuids in a 2xx | these accepted, each of the others unknown |
| proof that nothing left this process | ready; all wait a little, longer each time in a row |
| 429 | ready; all wait as long as the service asks |
| 413 | split in two; with a single message ready, and the campaign pauses |
| 401, 402, 403, 404 and anything else not about the messages | ready; the campaign pauses |
| the messages' times refused | ready; the campaign pauses: a clock is wrong |
| refused by our own check, or another 4xx | split until the bad messages are alone, then rejected |
| anything else | unknown |

That a 4xx took nothing is what HTTP means by it, and the one assumption here: the contract describes no
errors. `Rules` turns it off for a service that is known to take part of a request it refuses.

Only what nobody could fix is final: a refusal because of the account or the address pauses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from dashboard.ledger.outbox.settle import Event, Settlement
from dashboard.service import (
    Answered,
    AuthenticationError,
    IncompleteAnswerError,
    Message,
    NotSentError,
    OutcomeUnknownError,
    OutgoingMessage,
    RefusedBeforeSendingError,
    RejectedError,
    ThrottledError,
    TooLargeError,
)
from dashboard.words import _, plural

TOO_LARGE = 413
UNAVAILABLE = 503

ACCOUNT = {401, 402, 403, 407}
ADDRESS = {404, 405, 410, 421}
REQUEST = {406, 408, 411, 412, 415, 417, 423, 425, 426, 428, 431}
"""What HTTP says about the account, the address and the request as such; other 4xx are about its messages."""

ClientError = ThrottledError | TooLargeError | AuthenticationError | RejectedError


@dataclass(frozen=True, slots=True)
class Rules:
    """What is known about the service beyond its contract.

    Attributes:
        refusal_took_nothing: A 4xx took nothing. False makes every 4xx unknown.
        unavailable_took_nothing: A 503 with Retry-After took nothing. It stays unknown unless this is True.
    """

    refusal_took_nothing: bool = True
    unavailable_took_nothing: bool = False


DEFAULT_RULES = Rules()


def classify(
    sent: Collection[str], answer: Sequence[Message] | BaseException, rules: Rules = DEFAULT_RULES
) -> Settlement:
    """Read what `SmsService.send_bulk` returned or raised for a request with these uuids."""
    if not isinstance(answer, BaseException):
        return _success(sent, answer, answer.status if isinstance(answer, Answered) else None)
    if isinstance(answer, IncompleteAnswerError):
        return _success(sent, answer.messages, answer.status)
    if isinstance(answer, RefusedBeforeSendingError):
        return _refused(sent, answer, None)
    if isinstance(answer, NotSentError):
        return Settlement("not sent", "ready", None, str(answer), closes_gate=True)
    if isinstance(answer, ClientError):
        meant = _proved(sent, answer)
        return meant if rules.refusal_took_nothing else replace(meant, event="unknown", state="unknown")
    return _unknown(answer, rules)


def _success(sent: Collection[str], messages: Sequence[Message], status: int | None) -> Settlement:
    """A 2xx. Uuids are compared in any letter case; neither order nor number matters."""
    asked = {uuid.lower() for uuid in sent}
    echoed = [message for message in messages if message.uuid.lower() in asked]
    missing = len(asked) - len({message.uuid.lower() for message in echoed})
    if not missing:
        return Settlement("accepted", "accepted", status, echoed=echoed)
    detail = (
        f"The service's answer lacks {missing} of {len(asked)} messages. "
        "Nobody can tell whether it took them."
    )
    return Settlement("partly accepted" if echoed else "unknown", "unknown", status, detail, echoed=echoed)


def check_numbers(sent: Sequence[OutgoingMessage], settlement: Settlement) -> Settlement:
    """Pause if the answer names another number for a message than we gave.

    The service has the message, so it is accepted all the same; but who gets it is not what was approved.
    """
    given = {(message.uuid or "").lower(): message.to for message in sent}
    named = ((message.to, given.get(message.uuid.lower())) for message in settlement.echoed)
    other = sum(1 for to, ours in named if to and ours and to != ours and _digits(to) != _digits(ours))
    if not other:
        return settlement
    reason = plural(
        other,
        "The service's answer names another number for {count} message than the one it was sent to. Ask the "
        "service who got it, then resume the campaign, or cancel it.",
        "The service's answer names other numbers for {count} messages than the ones they were sent to. Ask "
        "the service who got them, then resume the campaign, or cancel it.",
    )
    return replace(settlement, detail=reason, pauses=True)


def _digits(number: str) -> str:
    return re.sub("[^0-9]", "", number).removeprefix("00")


def _proved(sent: Collection[str], error: ClientError) -> Settlement:
    """What a 4xx means when it took nothing."""
    status, detail = error.status, str(error)
    if isinstance(error, ThrottledError):
        return Settlement(
            "throttled", "ready", status, detail, closes_gate=True, retry_after_s=error.retry_after_s
        )
    if isinstance(error, TooLargeError) and len(sent) > 1:
        return Settlement("too large", "split", status, detail)
    if reason := _why_pause(error):
        event: Event = (
            "unauthorised" if status in ACCOUNT else "too large" if status == TOO_LARGE else "misplaced"
        )
        return Settlement(event, "ready", status, reason, pauses=True)
    return _refused(sent, error, status)


def _why_pause(error: ClientError) -> str | None:
    """What a person should look at when no message is to blame; None when one may be."""
    status = error.status
    if isinstance(error, AuthenticationError) or status in ADDRESS & {404, 405}:
        return str(error)
    if status == TOO_LARGE:
        return _(
            "The service does not accept even a single message (status 413). Ask it why, then resume "
            "the campaign, or cancel it."
        )
    if status in ACCOUNT:
        return _(
            "The service or a proxy refuses the account, for example because its credits are used up "
            "(status {status}). Check the account, then resume the campaign."
        ).format(status=status)
    if status in ADDRESS | REQUEST:
        return _(
            "The service refuses requests like this, whatever they contain (status {status}). Check "
            "the service's address and whatever lies between here and the service, then resume the campaign."
        ).format(status=status)
    return None


def _refused(sent: Collection[str], error: BaseException, status: int | None) -> Settlement:
    findings = error.findings if isinstance(error, RefusedBeforeSendingError | RejectedError) else ()
    if findings and all(finding.field == "scheduled_at" for finding in findings):
        reason = _(
            "The times of some messages have passed by this machine's clock or the service's. Check this "
            "machine's clock, then resume the campaign."
        )
        return Settlement("not sent", "ready", status, reason, pauses=True)
    return Settlement("rejected", "split" if len(sent) > 1 else "rejected", status, str(error))


def _unknown(error: BaseException, rules: Rules) -> Settlement:
    """Everything else; anything but a ServiceError is named by its class, as its text may quote values."""
    if not isinstance(error, OutcomeUnknownError):
        return Settlement(
            "unknown", "unknown", None, f"Sending failed in an unforeseen way ({type(error).__name__})."
        )
    if error.status != UNAVAILABLE or error.retry_after_s is None:
        return Settlement("unknown", "unknown", error.status, str(error))
    took_nothing = rules.unavailable_took_nothing
    return Settlement(
        "throttled" if took_nothing else "unknown",
        "ready" if took_nothing else "unknown",
        error.status,
        str(error),
        closes_gate=True,
        retry_after_s=error.retry_after_s,
    )
