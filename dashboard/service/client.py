"""The client of the messaging service: contract sections 4 and 5."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import httpx
import orjson

from dashboard.arguments import checks_arguments, checks_methods
from dashboard.errors import SettingsError
from dashboard.lenient_json import read_json
from dashboard.service.checks import check_messages, check_number
from dashboard.service.errors import (
    AuthenticationError,
    IncompleteAnswerError,
    OutcomeUnknownError,
    RejectedError,
    ThrottledError,
    TooLargeError,
)
from dashboard.service.models import Answered, Message, NumberCheck, OutgoingMessage
from dashboard.service.reading import read_check, read_findings, read_messages
from dashboard.service.wire import Answer, Wire
from dashboard.settings import is_safe_base_url
from dashboard.words import _

ANSWER_BYTES = 1_048_576
ANSWER_BYTES_PER_MESSAGE = 65_536

NOBODY = "+447700900123"
"""One of the numbers that Ofcom keeps for fiction."""

_KEY = re.compile(r"[!-~]+")


@checks_methods()
class SmsService:
    """The messaging service at one address with one key. Share one between all threads; close it at the end.

    Args:
        base_url: Base address; https, or http on this machine.
        api_key: The account's key, or what tells it for each request, for a key that changes. It goes into
            the Authorization header and nowhere else.
        timeout: Seconds for a whole request, from the first byte sent to the last one read.
        transport: An httpx transport other than our own, for tests.
        now: The clock, for tests.

    Raises:
        SettingsError: The address is not safe for a key, or the key cannot be put in a header.

    Example:
        >>> with SmsService(base_url, api_key) as service:
        ...     service.validate("07400 123456", "GB").line_type
        'MOBILE'
    """

    @checks_arguments()
    def __init__(
        self,
        base_url: str,
        api_key: str | Callable[[], str],
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if not is_safe_base_url(base_url):
            raise SettingsError(
                _("The service's address must start with https:// unless it is on this machine.")
            )
        if not _is_root(base_url):
            raise SettingsError(
                _("The service's address must be an address only, such as https://sms.example.")
            )
        if isinstance(api_key, str) and not _KEY.fullmatch(api_key):
            raise SettingsError(
                _("The service's key must hold visible ASCII characters only. Copy it again.")
            )
        self.base_url = base_url.rstrip("/")
        self._now = now
        self._wire = Wire(api_key, timeout_s=timeout, transport=transport, now=now)

    def __repr__(self) -> str:
        return f"SmsService({self.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> Answered:
        """Send a batch (section 4.1); returns once the service has taken every message.

        Args:
            messages: One or more, uuids all different.

        Returns:
            The service's Message objects: those with a uuid of ours in the order sent, then those whose
            uuid the service made; with the answer's status.

        Raises:
            RefusedBeforeSendingError: A message breaks the contract; nothing was sent.
            NotSentError: The service was not reached; nothing was sent.
            ThrottledError: 429; nothing was taken.
            TooLargeError: 413; nothing was taken.
            AuthenticationError: 401 or 403; nothing was taken.
            RejectedError: Another 4xx; nothing was taken.
            IncompleteAnswerError: A 2xx that lacks some messages; the error holds the others.
            OutcomeUnknownError: Anything else: it may have been taken.
        """
        check_messages(messages, now=self._now())
        answer = self._wire.post(
            f"{self.base_url}/api/sms/bulk",
            orjson.dumps([message.payload() for message in messages]),
            content_type="application/json",
            answer_bytes=ANSWER_BYTES + ANSWER_BYTES_PER_MESSAGE * len(messages),
        )
        _raise_unless_success(answer, count=len(messages))
        answered = read_messages(read_json(answer.body))
        if answered is None:
            raise _unreadable(answer)
        return _matched(messages, answered, answer)

    def validate(self, number: str, country: str) -> NumberCheck:
        """Ask whether a number has a valid format for a country (section 4.2).

        Args:
            number: As typed; the service reads any formatting.
            country: Two-letter ISO 3166 code.

        Raises:
            RefusedBeforeSendingError: No number, or not a country code.
            ServiceError: As for `send_bulk`; asking again is always safe.
        """
        check_number(number, country)
        check, _at = self._validate(number, country)
        return check

    def time_there(self) -> datetime | None:
        """The service's time, if it says it when asked about a number that nobody has; to the second.

        Raises:
            ServiceError: As for `validate`.
        """
        _check, at = self._validate(NOBODY, "GB")
        return at

    def _validate(self, number: str, country: str) -> tuple[NumberCheck, datetime | None]:
        form = httpx.QueryParams({"phoneNumber": number, "countryCode": country.upper()})
        answer = self._wire.post(
            f"{self.base_url}/api/validate",
            str(form).encode(),
            content_type="application/x-www-form-urlencoded",
            answer_bytes=ANSWER_BYTES,
        )
        _raise_unless_success(answer, count=0)
        check = read_check(read_json(answer.body))
        if check is None:
            raise _unreadable(answer)
        return check, answer.at


def _is_root(base_url: str) -> bool:
    """Whether paths can be appended to it: no name, password, query or fragment."""
    try:
        url = httpx.URL(base_url)
        _ = url.host  # only here is it read as a name; an invalid one would fail in the middle of a request
    except (httpx.InvalidURL, UnicodeError):
        return False
    return not (url.userinfo or url.query or url.fragment)


def _raise_unless_success(answer: Answer, *, count: int) -> None:
    """Return on a 2xx only. That a 4xx took nothing is the one assumption of service/errors.py."""
    match answer.kind, answer.status:
        case 2, _:
            return
        case _, 401 | 403:
            raise AuthenticationError(answer.status)
        case _, 413:
            raise TooLargeError
        case _, 429:
            raise ThrottledError(answer.retry_after_s)
        case 4, _:
            raise RejectedError(answer.status, read_findings(read_json(answer.body), count=count))
    raise OutcomeUnknownError(
        _(
            "The service answered with status {status}, which does not say whether it took the request."
        ).format(status=answer.status),
        status=answer.status,
        retry_after_s=answer.retry_after_s,
    )


def _matched(sent: Sequence[OutgoingMessage], answered: list[Message], answer: Answer) -> Answered:
    """The answered messages that are ours, matched by uuid in any letter case, never by order.

    Of several about one of ours, one that names another number counts, so that it does not go unseen.
    """
    given_to = {message.uuid.lower(): message.to for message in sent if message.uuid is not None}
    by_uuid: dict[str, Message] = {}
    for message in answered:
        uuid = message.uuid.lower()
        first = by_uuid.setdefault(uuid, message)
        if first is not message and uuid in given_to and message.to not in {None, given_to[uuid]}:
            by_uuid[uuid] = message
    echoed = [by_uuid.pop(uuid) for uuid in given_to if uuid in by_uuid]
    made = list(by_uuid.values())[: len(sent) - len(given_to)]
    found = echoed + made
    if len(found) < len(sent):
        raise IncompleteAnswerError(found, missing=len(sent) - len(found), status=answer.status)
    return Answered(found, answer.status)


def _unreadable(answer: Answer) -> OutcomeUnknownError:
    return OutcomeUnknownError(
        _(
            "The service's answer (status {status}) cannot be read; it may have taken the request. Check "
            "that its address is the messaging service's."
        ).format(status=answer.status),
        status=answer.status,
    )
