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

from dashboard.contacts.words.countries import country_of
from dashboard.contacts.words.headings import Heading, name_mentions_refusal, read_heading
from dashboard.contacts.words.refusal import Refusal, refusal_in

__all__ = ["OF_GROUPS", "Groups", "groups_among"]

_KINDS = ("KIND", "X-ADDRESSBOOKSERVER-KIND")
_MEMBERS = ("MEMBER", "X-ADDRESSBOOKSERVER-MEMBER")
_UIDS = ("UID", "X-ABUID")
OF_GROUPS = frozenset({*_KINDS, *_MEMBERS, *_UIDS})
"""Properties that say nothing of a contact but which groups it is in."""
_PHONE = re.compile(r"(?:tel|sms):(?://)?\s*([^;?]*\d[^;?]*)")
_BETWEEN = re.compile(r"[,;\s]+")
_BEFORE_NEXT = re.compile(r"[,;\s]+(?=(?:urn|mailto|tel|sms):)", re.IGNORECASE)
_PHONES_BETWEEN = re.compile(r"[,;/]")
_CODE_DIGITS = range(1, 4)


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
        for key in {key for line in lines for uri in _uris(line) for key in _keys(uri)} - {""}:
            known.setdefault(key, []).append(place)
    groups = {place: _name(lines) for place, lines in cards.items() if _is_group(lines)}
    members = {
        place: [
            found for line in cards[place] if line.name in _MEMBERS for found in _members(line.text, known)
        ]
        for place in groups
    }
    names: dict[int, list[str]] = {}
    for place, name in groups.items():
        for member in {member for found in members[place] for member in found}:
            names.setdefault(member, []).append(name)
    refused = {
        column: _reached(
            [place for place in groups if _answer(groups[place], cards[place]) == column], members
        )
        for column in ("opt-out", "refused")
    }
    lacking = [place for place in sorted(set().union(*refused.values())) if [] in members.get(place, [])]
    return Groups(frozenset(groups), names, refused, [(place, groups[place]) for place in lacking])


def _reached(starts: Iterable[int], members: Mapping[int, Sequence[list[int]]]) -> set[int]:
    """The places of groups, of all who are in them, and in groups within them."""
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        for found in members.get(waiting.pop(), ()):
            new = {place for place in found if place not in reached}
            reached |= new
            waiting += new
    return reached


def _answer(group: str, lines: Sequence[Any]) -> str:
    """The column in which being in a group is a "yes": of refusals, one that leaves it to a person, or none.

    Its name is read as the heading of a list, and as a file's; all else it says as a contact's cells are.
    """
    heading = read_heading(group)
    others = (line for line in lines if line.name not in OF_GROUPS and line.text not in group)
    said = max((refusal_in(_spoken(line)) for line in others), default=Refusal.NONE)
    if heading is Heading.REFUSES or said is Refusal.SAID:
        return "opt-out"
    return "refused" if said or heading is Heading.MENTIONS or name_mentions_refusal(group) else ""


def _spoken(line: Any) -> str:
    """What a line says: "sms optout 1" of X-SMS-OPTOUT:1."""
    name = line.name.removeprefix("X-")
    return str(line.text) if name == line.name else f"{name.replace('-', ' ').lower()} {line.text}"


def _name(lines: Sequence[Any]) -> str:
    for names in (("FN",), ("N.given", "N.family"), ("ORG",)):
        said = " ".join(line.text for line in lines if line.name in names)
        if said:
            return said
    return ""


def _is_group(lines: Iterable[Any]) -> bool:
    """Whether a card says so, or has members, whatever else it says it is."""
    return any(
        line.name in _MEMBERS or (line.name in _KINDS and line.text.strip().lower() == "group")
        for line in lines
    )


def _members(text: str, known: Mapping[str, Sequence[int]]) -> Iterator[list[int]]:
    """The cards of each member in a line, which may name several; none of one who has no card."""
    for member in _BEFORE_NEXT.split(text):
        found = _found(member, known)
        yield from [found] if found else (_found(part, known) for part in _BETWEEN.split(member))


def _found(member: str, known: Mapping[str, Sequence[int]]) -> list[int]:
    return [place for key in _keys(member, is_member=True) for place in known.get(key, ())]


def _uris(line: Any) -> list[str]:
    """What a group may call the card of a line, which may hold several phones."""
    if line.name in _UIDS:
        return [str(line.text)]
    if line.name == "TEL":
        return [f"tel:{one.strip().lower().removeprefix('tel:')}" for one in _PHONES_BETWEEN.split(line.text)]
    return [f"mailto:{line.text}"] if line.name == "EMAIL" else []


def _keys(uri: str, *, is_member: bool = False) -> list[str]:
    """What a card and a member have in common: a UID, with or without its scheme, a phone or an e-mail."""
    text = uri.strip().lower()
    phone = _PHONE.match(text)
    if phone:
        return _keys_of_phone(phone.group(1), is_member=is_member)
    if text.startswith("mailto:"):
        return [unquote(text.partition("?")[0])]
    return [text.removeprefix("urn:uuid:").removesuffix(":abperson")]


def _keys_of_phone(number: str, *, is_member: bool) -> list[str]:
    """Alike for two numbers typed with their countries, two without, or one with and one without."""
    digits = "".join(filter(str.isdecimal, number.replace("(0)", "")))
    is_international = number.startswith("+") or digits.startswith("00")
    digits = digits.lstrip("0")
    if not is_international:
        return [f"national:{digits}", *[f"national of:{digits}"] * is_member]
    ends = (end for end in _CODE_DIGITS if country_of(digits[:end]))
    forms = [digits, *(digits[end:].lstrip("0") for end in ends)]
    return [f"tel:{digits}", *(f"{'national' if is_member else 'national of'}:{form}" for form in forms)]
