"""Groups among business cards (RFC 6350, 6.1.4 and 6.6.5, and Apple's form of them): who is in which.

A group is a card of its own and no contact. Its members are named by the UIDs of their cards, or by phone or
e-mail, and may be groups themselves; they may stand before or after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from dashboard.contacts.vocabulary.consent.headings import Heading, name_mentions_refusal, read_heading

__all__ = ["OF_GROUPS", "Groups", "groups_among"]

_KINDS = ("KIND", "X-ADDRESSBOOKSERVER-KIND")
_MEMBERS = ("MEMBER", "X-ADDRESSBOOKSERVER-MEMBER")
_UIDS = ("UID", "X-ABUID")
OF_GROUPS = frozenset({*_KINDS, *_MEMBERS, *_UIDS})
"""Properties that say nothing of a contact but which groups it is in."""
_PHONE = re.compile(r"(?:tel|sms):(?://)?([^;?]+)")
_TELLING_DIGITS = 9
"""So many last digits are those of a number with and without its country code."""


@dataclass(frozen=True)
class Groups:
    """Which cards are groups, and who is in them.

    Attributes:
        cards: The places of groups.
        names: The names of the groups that each contact is in, by the contact's place.
        refused: Who is in a group that refuses, or in one within it, by the column that says so.
        strangers: Place and name of the groups that refuse for somebody who has no card.
    """

    cards: frozenset[int]
    names: Mapping[int, Sequence[str]]
    refused: Mapping[str, Set[int]]
    strangers: Sequence[tuple[int, str]]

    def said_of(self, card: int) -> dict[str, str]:
        """What its groups add to a contact's columns."""
        names = "; ".join(filter(None, self.names.get(card, ())))
        answers = {column: "yes" for column, cards in self.refused.items() if card in cards}
        return answers | ({"groups": names} if names else {})


def groups_among(cards: Mapping[int, Sequence[Any]]) -> Groups:
    """The groups among cards, which are given as lines by place."""
    known: dict[str, list[int]] = {}
    for place, lines in cards.items():
        for key in _keys(lines):
            known.setdefault(key, []).append(place)
    groups = {place: _name(lines) for place, lines in cards.items() if _is_group(lines)}
    members = {
        place: [
            known.get(key, ()) for key in {_key(line.text) for line in cards[place] if line.name in _MEMBERS}
        ]
        for place in groups
    }
    names: dict[int, list[str]] = {}
    for place, name in groups.items():
        for member in {member for found in members[place] for member in found}:
            names.setdefault(member, []).append(name)
    refused = {
        column: _reached([place for place, name in groups.items() if _answer(name) == column], members)
        for column in ("opt-out", "refused")
    }
    lacking = [place for place in sorted(set().union(*refused.values())) if () in members.get(place, [])]
    return Groups(frozenset(groups), names, refused, [(place, groups[place]) for place in lacking])


def _reached(starts: Iterable[int], members: Mapping[int, Sequence[Sequence[int]]]) -> set[int]:
    """The places of groups, of all who are in them, and in groups within them."""
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        for found in members.get(waiting.pop(), ()):
            new = {place for place in found if place not in reached}
            reached |= new
            waiting += new
    return reached


def _answer(group: str) -> str:
    """The column in which being in a group is a "yes": of refusals, one that leaves it to a person, or none.

    Its name is read as the heading of a list, and as a file's.
    """
    heading = read_heading(group)
    if heading is Heading.REFUSES:
        return "opt-out"
    return "refused" if heading is Heading.MENTIONS or name_mentions_refusal(group) else ""


def _name(lines: Sequence[Any]) -> str:
    for names in (("FN",), ("N.given", "N.family"), ("ORG",)):
        said = " ".join(line.text for line in lines if line.name in names)
        if said:
            return said
    return ""


def _is_group(lines: Iterable[Any]) -> bool:
    return any(line.name in _KINDS and line.text.strip().lower() == "group" for line in lines)


def _keys(lines: Iterable[Any]) -> Iterator[str]:
    """What a group may call a card."""
    for line in lines:
        if line.name in _UIDS:
            yield _key(line.text)
        elif line.name == "EMAIL":
            yield _key(f"mailto:{line.text}")
        elif line.name == "TEL":
            yield _key(f"tel:{line.text.lower().removeprefix('tel:')}")


def _key(member: str) -> str:
    """One spelling for a UID, with or without its scheme, a phone or an e-mail address."""
    text = member.strip().lower()
    phone = _PHONE.match(text)
    digits = "".join(filter(str.isdecimal, phone.group(1))) if phone else ""
    if digits:
        return f"tel:{digits[-_TELLING_DIGITS:]}"
    if text.startswith("mailto:"):
        return unquote(text.partition("?")[0])
    return text.removeprefix("urn:uuid:").removesuffix(":abperson")
