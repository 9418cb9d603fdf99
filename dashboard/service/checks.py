"""What is refused before anything is sent: the rules of contract sections 4.1 and 4.2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from dashboard.contacts.e164 import E164
from dashboard.service.errors import Finding, RefusedBeforeSendingError
from dashboard.service.models import OutgoingMessage
from dashboard.words import _

MAX_BODY = 1024
LAST_SECOND = 253_402_300_799
"""9999-12-31 23:59:59; anything more is milliseconds by mistake."""

_PHONE = re.compile(E164)
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_COUNTRY = re.compile(r"[A-Za-z]{2}")


def check_messages(messages: Sequence[OutgoingMessage], *, now: datetime) -> None:
    """Pass if every message keeps the contract's rules.

    Raises:
        RefusedBeforeSendingError: Names each element and field that does not, never their values.
    """
    if not messages:
        raise RefusedBeforeSendingError([Finding(None, None, _("give at least one message"))])
    findings: list[Finding] = []
    right = None
    for index, message in enumerate(messages):
        words = (message.sender, message.campaign, message.campaign_tracking, message.shorten_links)
        for name, check in _OWN if words == right else _CHECKS:
            if why := check(message, now):
                findings.append(Finding(index, name, why))
        if not findings:
            right = words  # mostly those of the whole batch
    findings.extend(_repeated_uuids(messages))
    if findings:
        raise RefusedBeforeSendingError(findings)


def check_number(number: str, country: str) -> None:
    """Pass if a number and a country can be asked about.

    Raises:
        RefusedBeforeSendingError: Says which of the two cannot.
    """
    findings = []
    if not number.strip() or not _encodable(number):
        findings.append(Finding(None, "phoneNumber", _("give a number")))
    if not _COUNTRY.fullmatch(country):
        findings.append(Finding(None, "countryCode", _("give a two-letter country code such as GB")))
    if findings:
        raise RefusedBeforeSendingError(findings)


def _to(message: OutgoingMessage, _now: datetime) -> str:
    if _PHONE.fullmatch(message.to):
        return ""
    return _("start with + and the country code, digits only, such as +44 and the number without its 0")


def _body(message: OutgoingMessage, _now: datetime) -> str:
    if not message.body.strip():
        return _("write a text")
    if len(message.body) > MAX_BODY:
        return _("shorten it to {most} characters; it has {length}").format(
            most=MAX_BODY, length=len(message.body)
        )
    return "" if _encodable(message.body) else _("replace the half characters (lone surrogates)")


def _uuid(message: OutgoingMessage, _now: datetime) -> str:
    if message.uuid is None or _UUID.fullmatch(message.uuid):
        return ""
    return _("give a UUID of 32 hexadecimal digits with hyphens")


def _scheduled_at(message: OutgoingMessage, now: datetime) -> str:
    at = message.scheduled_at
    if at is None:
        return ""
    if isinstance(at, datetime):
        if at.utcoffset() is None:
            return _("give a time with its time zone")
        return "" if at > now else _("choose a time in the future")
    if isinstance(at, bool) or not isinstance(at, int):
        return _("give a datetime or Unix seconds")
    if at > LAST_SECOND:
        return _("give Unix time in seconds, not milliseconds")
    return "" if datetime.fromtimestamp(max(at, 0), UTC) > now else _("choose a time in the future")


def _campaign_tracking(message: OutgoingMessage, now: datetime) -> str:
    if message.campaign_tracking is not None and message.shorten_links is False:
        return _("cannot be combined with shortenLinks false; switch short links on or leave it out")
    return _word("campaign_tracking")(message, now)


def _word(attribute: str) -> Callable[[OutgoingMessage, datetime], str]:
    def check(message: OutgoingMessage, _now: datetime) -> str:
        word = getattr(message, attribute)
        if word is None or (word.strip() and _encodable(word)):
            return ""
        return _("leave it out instead of sending an empty or broken text")

    return check


_OWN: tuple[tuple[str, Callable[[OutgoingMessage, datetime], str]], ...] = (
    ("to", _to),
    ("body", _body),
    ("uuid", _uuid),
    ("scheduled_at", _scheduled_at),
)
_CHECKS = (
    *_OWN,
    ("sender", _word("sender")),
    ("campaign", _word("campaign")),
    ("campaignTracking", _campaign_tracking),
)


def _repeated_uuids(messages: Sequence[OutgoingMessage]) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        if message.uuid is None:
            continue
        key = message.uuid.lower()
        if key in seen:
            yield Finding(index, "uuid", _("is used twice in this batch; give each message its own"))
        seen.add(key)


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
