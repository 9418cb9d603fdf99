"""Whether words name a phone of the row's own person, and nobody else's.

A list of the people whose phones appear in sheets (nannies, coaches, neighbours ...) is never complete. So a
line is the person's own only if every word is known to say no more than that: words for phones and their
kinds, numbers, small words, and what the people on a list are called, "customer" or "patient".
"""

from __future__ import annotations

from functools import cache

from dashboard.contacts.words.lexicon import fields_of, heard, is_unspaced
from dashboard.contacts.words.title import Title, read_title

__all__ = [
    "is_nameless",
    "is_own_label",
    "names_in_charge",
    "names_own_line",
    "names_stranger",
    "names_workplace",
    "own_fields",
]

_LINES = ("header_mobile", "header_phone", "header_home_or_work", "header_texts", "phone_neutral")
_NUMBERS = ("header_number", "header_number_noun", "header_ambiguous_phone")
_SPELLED = ("mobile", "phone", "phone_home_or_work")
_OWN = (*_LINES, *_NUMBERS, *_SPELLED, "header_owner")
_SELF = (*_LINES, *_SPELLED, "header_number_noun", "header_owner", "phone_self")
_NO_PERSON = frozenset({"user", "users"})
"""In "User name" it may be anybody's, of the program's own users for one."""
_STRANGERS = ("header_other_person", "header_parent", "phone_stranger")


def names_own_line(title: Title) -> bool:
    """Whether every word of a header may describe the row's own person's phone.

    "Contact 2" and "alternate contact" are somebody else; "Mobile 2" and "alternate mobile" are not.

    Example:
        >>> [names_own_line(read_title(text)) for text in ("Customer's mobile", "Nanny mobile", "Contact 2")]
        [True, False, False]
    """
    return _is_made_of(title, _OWN) and not title.says("phone_stranger") and not _is_another_owner(title)


def is_own_label(text: str) -> bool:
    """Whether a label next to a number, such as "Mobile", "Work" or "Self", leaves it the person's own phone.

    Example:
        >>> is_own_label("_$!<Mobile>!$_"), is_own_label("Work fax"), is_own_label("Mum")
        (True, False, False)
    """
    title = read_title(text)
    return not title.words or (_is_made_of(title, _SELF) and not title.says("phone_stranger"))


def names_stranger(title: Title) -> bool:
    """Whether a header names somebody other than the row's own person: "Next of kin", "Mother"."""
    return bool(title.says(*_STRANGERS)) or _is_another_owner(title)


def names_workplace(title: Title) -> bool:
    """Whether a header names where somebody works or learns, and no other person: "Company name"."""
    places = title.says("header_workplace")
    return bool(places) and title.says(*_STRANGERS) <= places and not _is_another_owner(title)


def names_in_charge(title: Title) -> bool:
    """Whether a header names only who looks after a contact, or whom to ask for: "Account owner"."""
    people = title.says("header_in_charge")
    others = title.says(*_STRANGERS) - people
    return bool(people) and not any(other not in "".join(people) for other in others)


def own_fields(title: Title) -> tuple[tuple[str, int], ...]:
    """The fields that a header spells apart from the word for the row's own person, as `Title.fields` does.

    Example:
        >>> own_fields(read_title("Donor's first name")), own_fields(read_title("Guest 2 first name"))
        ((('first_name', 0),), ())
    """
    owners = title.says("header_owner") - _NO_PERSON
    if not owners or names_stranger(title):
        return ()
    return fields_of("".join(word for word in title.without(owners) if word != "s"))


def is_nameless(title: Title) -> bool:
    """Whether a header says nothing at all: none, "Column 3", "F2"."""
    return title.only("header_nameless")


def _is_another_owner(title: Title) -> bool:
    """Whether another person than the row's is meant: "Guest 2", "2nd contact", "contacto alternativo"."""
    owners = title.says("header_owner")
    if not owners:
        return False
    of_owners, of_others = title.places(owners), title.places(title.says("phone_another"))
    before = {end for _, end in of_others} & {start for start, _ in of_owners}
    behind = {start for start, end in of_others if end == len(title.words)} & {end for _, end in of_owners}
    return bool(before or behind) or any(
        phrase.startswith(owner) and phrase[len(owner) :].isdecimal() and int(phrase[len(owner) :]) > 1
        for phrase in title.phrases
        for owner in owners
    )


def _is_made_of(title: Title, lists: tuple[str, ...]) -> bool:
    rest = title.without(title.says(*lists))
    return all(is_unspaced(word) and _is_run_of(word, lists) for word in rest)


def _is_run_of(word: str, lists: tuple[str, ...]) -> bool:
    """Whether a word in a script without blanks consists entirely of known words."""
    reached = {0}
    for end in range(1, len(word) + 1):
        if any(word[start:end] in _unspaced(lists) for start in reached):
            reached.add(end)
    return len(word) in reached


@cache
def _unspaced(lists: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(heard(name).unspaced for name in lists))
