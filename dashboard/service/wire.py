"""One POST to the service: what was answered, or one of our errors that says what may have happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from dashboard.errors import ServiceError
from dashboard.service.errors import NotSentError, OutcomeUnknownError
from dashboard.service.leaving import may_leave
from dashboard.service.transport import DeadlineTransport, deadline
from dashboard.words import _

CONNECT_S = 5.0

_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, body, the requested pause and the service's time, None if it said none."""

    status: int
    body: bytes
    retry_after_s: float | None
    at: datetime | None

    @property
    def kind(self) -> int:
        """The status's first digit."""
        return self.status // 100


class Wire:
    """The connections to one service with one account's key; the key is in them and nowhere else."""

    def __init__(
        self,
        api_key: str | Callable[[], str],
        *,
        timeout_s: float,
        transport: httpx.BaseTransport | None,
        now: Callable[[], datetime],
    ) -> None:
        self._timeout_s = timeout_s
        self._now = now
        self._http = httpx.Client(
            headers={"Accept": "application/json"},
            auth=_Bearer(api_key),
            timeout=httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            transport=transport or DeadlineTransport(),
            trust_env=False,
            follow_redirects=False,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def post(self, url: str, content: bytes, *, content_type: str, answer_bytes: int) -> Answer:
        """Send one request and read its answer to the end.

        Args:
            url: Where to; redirects are not followed.
            content: The request's body.
            content_type: Its media type.
            answer_bytes: The most bytes an answer may have; a longer one is cut off.

        Raises:
            NotSentError: No byte of the request left.
            OutcomeUnknownError: Some may have left, and there was no complete answer.
        """
        trace = _Trace()
        request = self._http.build_request(
            "POST",
            url,
            content=content,
            headers={"Content-Type": content_type},
            extensions={"trace": trace},
        )
        # Raised outside the handler: httpx's errors contain the request, whose headers contain the key, and
        # an error raised inside would keep them as its context.
        failure: ServiceError
        try:
            with deadline(self._timeout_s):
                return self._exchange(request, answer_bytes)
        except httpx.HTTPError as error:
            failure = trace.failure(error)
        raise failure

    def _exchange(self, request: httpx.Request, answer_bytes: int) -> Answer:
        response = self._http.send(request, stream=True)
        try:
            body = _read(response, answer_bytes)
        finally:
            response.close()
        there = _date(response.headers.get("Date", ""))
        pause_s = retry_after_s(response.headers.get("Retry-After", ""), now=there or self._now())
        return Answer(response.status_code, body, pause_s, there)


class _Bearer(httpx.Auth):
    """Puts the key that is valid now into each request."""

    def __init__(self, api_key: str | Callable[[], str]) -> None:
        self._api_key = api_key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Sign one request."""
        key = self._api_key if isinstance(self._api_key, str) else self._api_key()
        request.headers["Authorization"] = f"Bearer {key}"
        yield request


class _TooLateError(httpx.TimeoutException):
    """The request may no longer leave."""


class _Trace:
    """Notes whether the request began to leave, which httpcore reports before it writes the first byte.

    One that may no longer leave is stopped there.
    """

    def __init__(self) -> None:
        self.began = False

    def __call__(self, event: str, _info: dict[str, Any]) -> None:
        if event == "http11.send_request_headers.started":
            if not may_leave():
                raise _TooLateError("too late")
            self.began = True

    def failure(self, error: httpx.HTTPError) -> ServiceError:
        late = isinstance(error, httpx.TimeoutException)
        if not self.began:
            sentence = (
                _("The service did not answer in time; nothing was sent. Check its address and try again.")
                if late
                else _("The service cannot be reached; nothing was sent. Check its address and try again.")
            )
            return NotSentError(sentence)
        sentence = (
            _("The service gave no complete answer in time; it may have taken the request.")
            if late
            else _(
                "The service gave no complete answer before the connection broke; it may have taken "
                "the request."
            )
        )
        return OutcomeUnknownError(sentence)


def _read(response: httpx.Response, most: int) -> bytes:
    """The body. Only a 2xx depends on it, so an error's truncated body does not matter."""
    parts: list[bytes] = []
    size = 0
    try:
        for part in response.iter_bytes():
            size += len(part)
            if size > most:
                raise httpx.DecodingError("longer than any honest answer")
            parts.append(part)
    except httpx.HTTPError:
        if response.is_success:
            raise
        return b""
    return b"".join(parts)


def retry_after_s(value: str, *, now: datetime) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3): a number or an HTTP-date; None if neither.

    It never raises: an unreadable header must not turn a clear answer into an unknown one.

    Example:
        >>> retry_after_s("120", now=datetime.now(UTC))
        120.0
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    at = _date(value)
    return None if at is None else max((at - now).total_seconds(), 0.0)


def _date(value: str) -> datetime | None:
    """An HTTP-date, aware."""
    try:
        at = parsedate_to_datetime(value)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
        return at.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):  # a date beyond all calendars overflows
        return None
