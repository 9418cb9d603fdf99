"""What cells say in other kinds of column: any status, how people like to be reached, channels."""

from __future__ import annotations

import re

from dashboard.contacts.vocabulary.consent.answers import is_nothing_but, says_yes
from dashboard.contacts.vocabulary.known_words.lexicon import words
from dashboard.contacts.vocabulary.known_words.spelling import bare, normalise
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = ["agrees_to_texts", "prefers_another_way", "speaks_of_consent", "status_says", "wants_no_contact"]

_OTHERS = ("channel_others", "header_other_channel")
_BETWEEN_CHANNELS = re.compile(
    r"[\[\](){}\"'“”„,;|/&+\n]+|\s+(?:and|und|et|y|e|og|och|en|i|и)\s+", re.IGNORECASE
)
_IS_WORDS = re.compile(r"(?:[^\W\d]|[\u0300-\u036f\u0900-\u0d7f\u0e31-\u0e4e\s.-])+")
_FIRST_WORD = re.compile(r"\w+")


def status_says(cell: str) -> bool | None:
    """Whether a status lets a person be texted: no if it refuses, None if the answer is doubtful.

    "Customer", "VIP" and "Lead" are not answers at all, and neither is an empty cell. A membership may have
    lapsed, or an order be cancelled, without a word about texts.

    Example:
        >>> status_says("Customer"), status_says("unsubscribed"), status_says("opt-in pending")
        (True, False, None)
    """
    if is_nothing_but(cell, "lapsed", beside="harmless_people"):
        return None
    answer = says_yes(cell)
    if answer is not None:
        return answer
    is_answer = speaks_of_consent(cell) or normalise(cell) in words("answer_like")
    return None if is_answer or _begins_with_answer(cell) else True


def speaks_of_consent(cell: str) -> bool:
    """Whether a status cell is about agreeing or refusing, whichever it is."""
    title = read_title(cell)
    spelled = {"consent_in", "consent_out"} & {field for field, _ in title.fields}
    return bool(spelled or title.says("header_opt_in", "header_opt_out"))


def prefers_another_way(cell: str) -> bool:
    """Whether a cell that names ways of contact leaves texts out.

    Example:
        >>> cells = ("E-mail", "SMS or e-mail", "E-mail rather than text", "")
        >>> [prefers_another_way(cell) for cell in cells]
        [True, False, True, False]
    """
    if normalise(cell) in words("preferred_none"):
        return True
    if normalise(cell) in words("preferred_texts", "no_phone") - {"no"} or is_nothing_but(cell, "yes"):
        return False
    title = read_title(cell)
    spoken = f" {' '.join(title.words)} {bare(cell)} "
    if not any(f" {bare(word)} " in spoken for word in words("preferred_texts")):
        return True
    others, texts = (title.places(title.says(*lists)) for lists in (_OTHERS, ("channel_texts",)))
    if not others or (texts and min(texts) < min(others)) or agrees_to_texts(cell) is not None:
        return False
    return bool(title.without(title.says("channel_texts", "channel_beside", "header_glue", *_OTHERS)))


def wants_no_contact(cell: str) -> bool:
    """Whether a cell that should name ways of contact says no instead; "none" may be no answer at all.

    Example:
        >>> wants_no_contact("No thanks"), wants_no_contact("None"), wants_no_contact("E-mail")
        (True, False, False)
    """
    is_no_answer = normalise(cell) in words("preferred_none", "not_opted_out")
    return not is_no_answer and is_nothing_but(cell, "no", "refused")


def agrees_to_texts(cell: str) -> bool | None:
    """Whether a list of channels, as exports write into one column of consent, has texts among them.

    None where the cell is no such list.

    Example:
        >>> agrees_to_texts('["email", "sms"]'), agrees_to_texts("email"), agrees_to_texts("email: no")
        (True, False, None)
    """
    kinds = {_channel(piece) for piece in _BETWEEN_CHANNELS.split(cell) if piece.strip()}
    return None if None in kinds or not kinds else True in kinds


def _channel(name: str) -> bool | None:
    """Whether a channel is one of texts, None where it is none: "SMS marketing", "Push", "Ann"."""
    if not _IS_WORDS.fullmatch(name):
        return None  # "SMS?", "SMS ✗", "SMS: 0"
    title = read_title(name)
    for kind, lists in ((True, ("channel_texts",)), (False, _OTHERS)):
        named = title.says(*lists)
        if named and not title.without(named | title.says("channel_beside")):
            return kind
    return None


def _begins_with_answer(cell: str) -> bool:
    first = _FIRST_WORD.match(normalise(cell))
    return first is not None and first.group() in words("bare_answer")
