"""Cells that name ways of contact: "E-mail", "SMS; e-mail", "any"."""

from __future__ import annotations

import re
from functools import cache

from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.phrases import phrases
from dashboard.contacts.words.spelling import bare, normalise
from dashboard.contacts.words.title import read_title

__all__ = ["agrees_to_texts", "may_be_texts", "mentions_texts", "prefers_texts"]

_OTHERS = ("channel_others", "header_other_channel")
_BETWEEN_CHANNELS = re.compile(
    r"[\[\](){}\"'“”„,;|/&+\n]+|\s+(?:and|und|et|y|e|og|och|en|i|и)\s+", re.IGNORECASE
)
_IS_WORDS = re.compile(r"(?:[^\W\d]|[\u0300-\u036f\u0900-\u0d7f\u0e31-\u0e4e\s.-])+")


def agrees_to_texts(cell: str) -> bool | None:
    """Whether a list of channels, as exports write into one column of consent, has texts among them.

    None where the cell is no such list.

    Example:
        >>> agrees_to_texts('["email", "sms"]'), agrees_to_texts("email"), agrees_to_texts("email: no")
        (True, False, None)
    """
    kinds = {_channel(piece) for piece in _BETWEEN_CHANNELS.split(cell) if piece.strip()}
    return None if None in kinds or not kinds else True in kinds


def may_be_texts(cell: str) -> bool:
    """Whether a cell is a way of contact that texts are among, or none that is known: "any", "unknown"."""
    return normalise(cell) in words("preferred_texts", "no_phone") - words("preferred_none")


def mentions_texts(cell: str) -> bool:
    """Whether a cell that is no list names texts among other words, and not after another channel.

    Example:
        >>> [mentions_texts(cell) for cell in ("SMS or e-mail", "E-mail rather than text", "Ann")]
        [True, False, False]
    """
    title = read_title(cell)
    if title.says("heading_without", "not"):
        return False
    spoken = f" {' '.join(title.words)} {bare(cell)} "
    if not any(word in spoken for word in _preferred_texts()):
        return False
    others, texts = (title.places(title.says(*lists)) for lists in (_OTHERS, ("channel_texts",)))
    if not others or (texts and min(texts) < min(others)):
        return True
    return not title.without(title.says("channel_texts", "channel_beside", "header_glue", *_OTHERS))


def prefers_texts(cell: str) -> bool:
    """Whether nothing beside texts may turn it: "SMS or e-mail", not "SMS only in emergencies"."""
    spoken = normalise(cell).split()
    wanted = phrases("texts_wanted").covered(spoken)
    title = read_title(" ".join(word for word, is_told in zip(spoken, wanted, strict=True) if not is_told))
    rest = title.without(title.says("channel_texts", "channel_beside", "header_glue", *_OTHERS))
    return words("harmless", "harmless_people", "preferred_texts").issuperset(rest)


@cache
def _preferred_texts() -> tuple[str, ...]:
    return tuple(f" {bare(word)} " for word in words("preferred_texts"))


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
