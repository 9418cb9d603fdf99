"""Answers of the service, read leniently: anything absent or odd becomes None, anything unknown is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dashboard.service.errors import Finding
from dashboard.service.models import Message, NumberCheck
from dashboard.service.values import read_count, read_reason, read_text, read_time

_MESSAGE_FIELDS = frozenset(Message.__slots__) - {"extra", "raw"} | {"contact"}
_REQUEST_FIELDS = frozenset(
    {"to", "body", "uuid", "sender", "shortenLinks", "scheduled_at", "campaign", "campaignTracking"}
    | {"phoneNumber", "countryCode"}
)
_PLACE = re.compile(r"(?:(?:data|messages)[.\[])?(\d{1,6})\]?[.\[]?([A-Za-z_]+)?\]?")


def read_messages(answer: object) -> list[Message] | None:
    """The messages of `{"data": [...]}`, those without a uuid left out; None if it is not such an object."""
    data = answer.get("data") if isinstance(answer, Mapping) else None
    if not isinstance(data, list):
        return None
    return [message for element in data if (message := read_message(element))]


def read_message(element: object) -> Message | None:
    """One Message object (section 2.1), also from a delivery report; None without a uuid.

    Example:
        >>> read_message({"uuid": "5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1", "status": "pending"}).status
        'pending'
    """
    if (
        not isinstance(element, dict | Mapping)  # dict first: to ask for the other takes far longer
        or not isinstance(uuid := element.get("uuid"), str)
        or not uuid
    ):
        return None
    return Message(
        uuid=uuid,
        to=read_text(element.get("to")),
        sender=read_text(element.get("sender")),
        body=read_text(element.get("body")),
        campaign=read_text(element.get("campaign")),
        credits_used=read_count(element.get("credits_used")),
        status=read_text(element.get("status")),
        failure_reason=read_reason(element.get("failure_reason")),
        created_at=read_time(element.get("created_at")),
        scheduled_at=read_time(element.get("scheduled_at")),
        sent_at=read_time(element.get("sent_at")),
        delivered_at=read_time(element.get("delivered_at")),
        extra={} if element.keys() <= _MESSAGE_FIELDS else _extra(element),
        raw=element,
    )


def read_check(answer: object) -> NumberCheck | None:
    """A validation result (section 2.4), line type in upper case; None when it lacks `valid_format`."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("valid_format"), bool):
        return None
    said = answer.get("type")
    line_type = (said if isinstance(said, str) else "UNKNOWN").strip().upper() or "UNKNOWN"
    country = read_text(answer.get("country"))
    return NumberCheck(answer["valid_format"], country and country.upper(), line_type, answer)


def read_findings(answer: object, *, count: int) -> list[Finding]:
    """Which elements and fields an error answer names, without its wording.

    The contract does not describe errors. Understood are `{"errors": {"3.to": [...]}}` and
    `{"errors": [{"index": 3, "field": "to"}]}`; field names are kept only if the contract has them.

    Args:
        answer: The JSON of the error.
        count: How many elements were sent; other indices are left out.
    """
    errors = answer.get("errors") if isinstance(answer, Mapping) else None
    if isinstance(errors, Mapping):
        places = [_place(key) for key in errors if isinstance(key, str)]
    elif isinstance(errors, list):
        places = [(error.get("index"), error.get("field")) for error in errors if isinstance(error, Mapping)]
    else:
        places = []
    findings = []
    for index, field in places:
        known = index if type(index) is int and 0 <= index < count else None
        named = field if isinstance(field, str) and field in _REQUEST_FIELDS else None
        if known is not None or named is not None:
            findings.append(Finding(known, named))
    return findings


def _place(key: str) -> tuple[int | None, str | None]:
    if key in _REQUEST_FIELDS:
        return None, key
    match = _PLACE.fullmatch(key)
    return (int(match[1]), match[2]) if match else (None, None)


def _extra(element: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in element.items() if name not in _MESSAGE_FIELDS}
