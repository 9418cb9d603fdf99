"""A stored message as the contract's Message object (section 2.1)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - naive, so that isoformat writes no offset before the Z


class Contact(NamedTuple):
    """A contact as the store keeps it; the last fields of `Stored`."""

    id: int
    phone: str
    uuid: str
    method_uuid: str
    created_us: int


class Stored(NamedTuple):
    """A message and its contact as the store keeps them; times in microseconds since 1970."""

    id: int
    uuid: str
    sender: str
    body: str
    campaign: str | None
    credits_used: int
    status: str
    failure_reason: str | None
    created_us: int
    scheduled_us: int | None
    sent_us: int | None
    delivered_us: int | None
    contact: int
    phone: str
    contact_uuid: str
    method_uuid: str
    contact_us: int


def message_object(stored: Stored) -> dict[str, Any]:
    """The Message as answered and reported: campaign and scheduled_at only where they apply."""
    known_at = timestamp(stored.contact_us)
    return {
        "uuid": stored.uuid,
        "to": stored.phone,
        "sender": stored.sender,
        "body": stored.body,
        **({"campaign": stored.campaign} if stored.campaign is not None else {}),
        "credits_used": stored.credits_used,
        "status": stored.status,
        "failure_reason": stored.failure_reason,
        "created_at": timestamp(stored.created_us),
        **({"scheduled_at": timestamp(stored.scheduled_us)} if stored.scheduled_us is not None else {}),
        "sent_at": None if stored.sent_us is None else timestamp(stored.sent_us),
        "delivered_at": None if stored.delivered_us is None else timestamp(stored.delivered_us),
        "contact": {
            "uuid": stored.contact_uuid,
            "firstname": None,
            "lastname": None,
            "created_at": known_at,
            "contact_methods": [
                {
                    "uuid": stored.method_uuid,
                    "type": "phone",
                    "address": stored.phone,
                    "created_at": known_at,
                    "updated_at": known_at,
                }
            ],
        },
    }


def as_of(stored: Stored, status: str) -> Stored:
    """The message as it was when it reached an earlier status."""
    if status == "sent":
        return stored._replace(status=status, delivered_us=None, failure_reason=None)
    return stored


def timestamp(us: int) -> str:
    """Microseconds since 1970 as the contract writes times: ISO 8601 with six decimals and Z."""
    return (_EPOCH + timedelta(microseconds=us)).isoformat(timespec="microseconds") + "Z"
