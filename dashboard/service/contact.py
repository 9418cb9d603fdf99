"""The contact that the service keeps for a recipient (contract sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dashboard.service.values import read_text, read_time


@dataclass(frozen=True, slots=True)
class ContactMethod:
    """One way to reach a contact (section 2.3)."""

    uuid: str | None
    type: str | None
    address: str | None = field(repr=False)
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Contact:
    """The recipient's record at the service (section 2.2)."""

    uuid: str | None
    firstname: str | None = field(repr=False)
    lastname: str | None = field(repr=False)
    created_at: datetime | None
    contact_methods: tuple[ContactMethod, ...] = field(repr=False)


def read_contact(value: object) -> Contact | None:
    """A Contact object; anything absent or odd is None, and methods that are not objects are left out."""
    if not isinstance(value, Mapping):
        return None
    methods = value.get("contact_methods")
    return Contact(
        uuid=read_text(value.get("uuid")),
        firstname=read_text(value.get("firstname")),
        lastname=read_text(value.get("lastname")),
        created_at=read_time(value.get("created_at")),
        contact_methods=tuple(_methods(methods)) if isinstance(methods, list) else (),
    )


def _methods(values: list[object]) -> list[ContactMethod]:
    return [
        ContactMethod(
            uuid=read_text(value.get("uuid")),
            type=read_text(value.get("type")),
            address=read_text(value.get("address")),
            created_at=read_time(value.get("created_at")),
            updated_at=read_time(value.get("updated_at")),
        )
        for value in values
        if isinstance(value, Mapping)
    ]
