"""Headers below which a yes or a date is a question: "Refused", "Removed on", "Wrong number".

They may be about something else than texts, a parcel or stitches, so nobody is left out for good: a person
has to look. Where a header says more about texts or consent, consent_title.py reads it first.
"""

from __future__ import annotations

from enum import Enum

from dashboard.contacts.vocabulary.known_words.title import Title

__all__ = ["Doubt", "doubt_by_title", "is_hotel_measure", "names_something"]

_PHONES = ("header_phone", "header_mobile", "header_number_noun", "header_number")
_BESIDE_PHONES = ("header_not_in_use", "header_glue", "header_when", "header_owner", "title_beside")
_BESIDE_LEFT = (
    *("title_left", "title_refused", "title_beside"),
    *("header_when", "header_yes_or_no", "header_owner", "header_glue"),
)
_SHORTEST_NOUN = 4
"""Letters; "no" and "nr" mean too much else: "Past no-shows"."""


class Doubt(Enum):
    """What a yes below a header makes doubtful."""

    PERSON = "whether the person may be texted"
    NUMBER = "whether the number is theirs"
    OTHER_CHANNEL = "neither: it is about e-mail, post ..."
    NOTHING = "nothing"


def doubt_by_title(title: Title) -> Doubt:
    """What a header that says nothing of consent to texts may still say against texting.

    Example:
        >>> titles = map(read_title, ("Removed on", "Invalid number", "Order refused"))
        >>> [doubt_by_title(title).name for title in titles]
        ['PERSON', 'NUMBER', 'NOTHING']
    """
    doubt = Doubt.NUMBER if _is_of_number(title) else Doubt.PERSON if _may_refuse(title) else Doubt.NOTHING
    is_elsewhere = title.says("header_other_channel") and not title.says("header_texts", *_PHONES[:2])
    return Doubt.OTHER_CHANNEL if is_elsewhere and doubt is not Doubt.NOTHING else doubt


def is_hotel_measure(title: Title) -> bool:
    """Whether a header may mean the sign on a hotel room's door rather than a refusal: "Room DND"."""
    return bool(title.says("hotel_measure") and title.says("hotel_beside"))


def names_something(title: Title) -> bool:
    """Whether words besides those of leaving and refusing say what was refused: "Removed stitches"."""
    return bool(title.says("title_refused", "title_left")) and not title.only(*_BESIDE_LEFT)


def _is_of_number(title: Title) -> bool:
    if title.says("title_wrong_number", "title_number_wrong"):
        return True
    nouns = {noun for noun in title.says(*_PHONES) if len(noun) >= _SHORTEST_NOUN or not noun.isascii()}
    return bool(nouns and title.says("header_not_in_use")) and title.only(*_PHONES, *_BESIDE_PHONES)


def _may_refuse(title: Title) -> bool:
    if title.says("header_thing", "header_link", "header_no_refusal"):
        return False
    refusing = title.says("title_refused")
    if refusing:
        return not _is_negated(title, refusing)
    return bool(title.says("title_left")) and title.only(*_BESIDE_LEFT)


def _is_negated(title: Title, refusing: frozenset[str]) -> bool:
    """Whether "not" stands right before it: "Not refused", but not "Did not consent"."""
    before = {title.words[start - 1] for start, _ in title.places(refusing) if start}
    return bool(before & title.says("header_not"))
