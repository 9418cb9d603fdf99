"""DASHBOARD_PEOPLE: who may sign in, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dashboard.settings.addresses import plain_address

ROLES = ("viewer", "sender", "approver", "admin")
EXAMPLE = "ann@example.com=admin"
_ADDRESS = re.compile(r"""[^\s@<>()\[\],;:="'\\]+@[^\s@<>()\[\],;:="'\\]+""")


def read_people(text: str) -> dict[str, str]:
    """The people of `ann@example.com=admin,bob@example.com=viewer`.

    Raises:
        ValueError: Names every wrong entry by its place, never by its content.
    """
    entries = [entry.partition("=") for entry in text.split(",")]
    return checked_people((email, role) for email, mark, role in entries if f"{email}{mark}{role}".strip())


def checked_people(entries: Iterable[tuple[str, str]] | Mapping[str, str]) -> dict[str, str]:
    """Addresses in one spelling, with their roles.

    Raises:
        ValueError: As `read_people`.
    """
    people: dict[str, str] = {}
    wrong = []
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    for place, (typed, role) in enumerate(pairs, 1):
        email = plain_address(typed.strip())
        problem = _problem(email, role.strip(), people)
        if problem:
            wrong.append(f"entry {place} {problem}")
        else:
            people[email] = role.strip()
    if wrong:
        raise ValueError(f"{'; '.join(wrong)} (write {EXAMPLE}, and a comma before the next person)")
    return people


def person_address(typed: str) -> str:
    """An address in the spelling that is compared.

    Raises:
        ValueError: It is not an e-mail address.
    """
    address = plain_address(typed.strip())
    if not _is_address(address):
        raise ValueError("not an e-mail address")
    return address


def _is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None and text.isprintable()


def _problem(email: str, role: str, so_far: Mapping[str, str]) -> str | None:
    if not _is_address(email):
        return "has no e-mail address before the ="
    if role not in ROLES:
        return f"has no role of {', '.join(ROLES)} after the ="
    if so_far.get(email, role) != role:
        return "gives a person of an earlier entry another role"
    return None
