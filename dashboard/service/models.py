"""The contract's words: what we send (section 4) and what the service answers (section 2).

Plain slotted dataclasses: an answer with thousands of messages is read in a few microseconds each. Their repr
shows only ids and states, so that no number, name or text reaches a log by accident.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from dashboard.service.contact import Contact, read_contact
from dashboard.service.values import read_text


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """One element of a bulk request (section 4.1). None means: leave the field out.

    Attributes:
        to: Recipient in international format, `+` and the country code first.
        body: 1 to 1024 characters.
        uuid: Our id of the message; the service makes one if it is absent.
        sender: An approved sender's name; the account's default if absent.
        shorten_links: False keeps full URLs; the service shortens them by default.
        scheduled_at: An aware datetime, or Unix time in whole seconds.
        campaign: Groups messages of the same name.
        campaign_tracking: Value of `svc_campaign` in the short links' targets.

    Example:
        >>> OutgoingMessage("+447400123456", "Hi!", campaign="Spring").campaign
        'Spring'
    """

    to: str = field(repr=False)
    body: str = field(repr=False)
    uuid: str | None = None
    sender: str | None = None
    shorten_links: bool | None = None
    scheduled_at: datetime | int | None = None
    campaign: str | None = None
    campaign_tracking: str | None = None

    def payload(self) -> dict[str, str | bool | int]:
        """The element as the contract defines it, without the fields that were not given."""
        given: dict[str, str | bool | int] = {"to": self.to, "body": self.body}
        if self.uuid is not None:
            given["uuid"] = self.uuid
        if self.sender is not None:
            given["sender"] = self.sender
        if self.shorten_links is not None:
            given["shortenLinks"] = self.shorten_links
        if self.scheduled_at is not None:
            given["scheduled_at"] = _schedule(self.scheduled_at)
        if self.campaign is not None:
            given["campaign"] = self.campaign
        if self.campaign_tracking is not None:
            given["campaignTracking"] = self.campaign_tracking
        return given


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the service describes it (section 2.1). Times are aware UTC; absent fields are None.

    Attributes:
        extra: Fields that the contract does not name, as answered.
        raw: The whole object, as answered.

    Example:
        >>> sent = service.send_bulk([OutgoingMessage("+447400123456", "Hi!")])
        >>> sent[0].credits_used
        1
    """

    uuid: str
    to: str | None = field(repr=False)
    sender: str | None
    body: str | None = field(repr=False)
    campaign: str | None
    credits_used: int | None
    status: str | None
    failure_reason: str | None
    created_at: datetime | None
    scheduled_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    extra: Mapping[str, Any] = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def contact(self) -> Contact | None:
        """The recipient's record, read only on demand: it took as long as all other fields together."""
        return read_contact(self.raw.get("contact"))

    @property
    def contact_uuid(self) -> str | None:
        """The uuid of that record."""
        contact = self.raw.get("contact")
        return read_text(contact.get("uuid")) if isinstance(contact, Mapping) else None


class Answered(list[Message]):
    """The Message objects of a 2xx answer, with its status."""

    def __init__(self, messages: Iterable[Message], status: int) -> None:
        super().__init__(messages)
        self.status = status


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """Whether a number has a valid format for a country (section 2.4); not whether it is in use.

    Attributes:
        line_type: One of the contract's 15 words in upper case; UNKNOWN if the answer has none.
        raw: The whole object, as answered.

    Example:
        >>> service.validate("07400 123456", "GB").line_type
        'MOBILE'
    """

    valid_format: bool
    country: str | None
    line_type: str
    raw: Mapping[str, Any] = field(repr=False)


def _schedule(at: datetime | int) -> str | int:
    """`YYYY-MM-DD HH:MM:SS` in UTC, rounded up to the second so that nothing leaves early."""
    if not isinstance(at, datetime):
        return at
    whole = at.astimezone(UTC)
    if whole.microsecond:
        whole = whole.replace(microsecond=0) + timedelta(seconds=1)
    return f"{whole:%Y-%m-%d %H:%M:%S}"
