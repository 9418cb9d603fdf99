"""What can become of a request to the messaging service, one tree under `ServiceError`.

    ServiceError
    ├── RefusedBeforeSendingError   breaks a rule of the contract; never left this process
    ├── NotSentError                no byte of the request left this process (proven)
    ├── ThrottledError              429: nothing was taken, come back later
    ├── TooLargeError               413: nothing was taken, send fewer at once
    ├── AuthenticationError         401, 403: nothing was taken, the key is wrong
    ├── RejectedError               another 4xx: nothing was taken, the request is wrong
    └── OutcomeUnknownError         nobody can tell whether it was taken
        └── IncompleteAnswerError   taken, but the answer lacks some of the messages

That a 4xx took nothing is what HTTP means by it; the contract describes no errors (section 7).
No message here holds a number, a text or a key, not even when the service's own answer does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.errors import ServiceError
from dashboard.words import _

if TYPE_CHECKING:
    from dashboard.service.models import Message

SHOWN = 3
"""How many findings a sentence lists before it only counts them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a request: which element (0 is the first), which contract field, why."""

    index: int | None
    field: str | None
    why: str = ""

    def __str__(self) -> str:
        place = " ".join(
            part
            for part in (
                _("message {index}").format(index=self.index) if self.index is not None else "",
                self.field or "",
            )
            if part
        )
        return f"{place or 'the request'}: {self.why}" if self.why else place


class RefusedBeforeSendingError(ServiceError):
    """The request breaks a rule of the contract, so it was not sent.

    `findings` names every element and field.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(
            _("Nothing was sent. Correct this and send again: {findings}.").format(
                findings=listed(self.findings)
            )
        )


class NotSentError(ServiceError):
    """Proven: no byte of the request left this process, so sending it again cannot duplicate anything."""


class ThrottledError(ServiceError):
    """The service asks for a pause (429); nothing was taken.

    `retry_after_s` is how long it asks for, None if it does not say.
    """

    status = 429

    def __init__(self, retry_after_s: float | None) -> None:
        self.retry_after_s = retry_after_s
        pause = (
            _("a while")
            if retry_after_s is None
            else _("{seconds} seconds").format(seconds=f"{retry_after_s:g}")
        )
        super().__init__(
            _("The service asks for a pause (status 429). Send again in {pause}.").format(pause=pause)
        )


class TooLargeError(ServiceError):
    """The request holds more than the service takes at once (413); nothing was taken."""

    status = 413

    def __init__(self) -> None:
        super().__init__(_("The service accepts fewer messages at once (status 413). Send smaller batches."))


class AuthenticationError(ServiceError):
    """The service does not accept the key (401, 403); nothing was taken."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(
            _("The service does not accept the API key (status {status}). Check the key.").format(
                status=status
            )
        )


class RejectedError(ServiceError):
    """The service refuses the request (another 4xx); nothing was taken.

    `findings` holds the elements and contract fields that its answer names, without its wording,
    which may quote numbers and texts.
    """

    def __init__(self, status: int, findings: Sequence[Finding] = ()) -> None:
        self.status = status
        self.findings = tuple(findings)
        if status in {404, 405}:
            advice = _("There is no such service at this address: check the address")
        elif self.findings:
            advice = _("Correct this and send again: {findings}").format(findings=listed(self.findings))
        else:
            advice = _("Its answer does not say which field is wrong")
        super().__init__(
            _("The service refuses the request (status {status}). {advice}.").format(
                status=status, advice=advice
            )
        )


class OutcomeUnknownError(ServiceError):
    """Nobody can tell whether the service took the request; never send it again blindly.

    `retry_after_s` is set when a 503 asks for a pause.
    """

    def __init__(self, what: str, *, status: int | None = None, retry_after_s: float | None = None) -> None:
        self.status = status
        self.retry_after_s = retry_after_s
        super().__init__(what)


class IncompleteAnswerError(OutcomeUnknownError):
    """A success whose answer lacks some of the messages sent.

    `messages` are those it does contain; nothing is known about the others, `missing` of them.
    """

    def __init__(self, messages: Sequence[Message], *, missing: int, status: int) -> None:
        self.messages = list(messages)
        self.missing = missing
        super().__init__(
            _(
                "The service's answer (status {status}) lacks {missing} of the messages sent. Ask the "
                "service whether it took them before sending them again."
            ).format(status=status, missing=missing),
            status=status,
        )


def listed(findings: Sequence[Finding]) -> str:
    """The first findings in words, and how many more there are."""
    words = "; ".join(str(finding) for finding in findings[:SHOWN])
    more = len(findings) - SHOWN
    return _("{findings}; and {number} more").format(findings=words, number=more) if more > 0 else words
