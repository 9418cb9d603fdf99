"""What a heading says about the people below it: "Do not text:", "Bajas de clientes", "Please text:".

Names of files and worksheets are read here as well: they head all people in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import cache, lru_cache

from dashboard.contacts.vocabulary.consent.refusal import Refusal, refusal_in, refusal_phrases
from dashboard.contacts.vocabulary.known_words.lexicon import phrases_of, spellings, words
from dashboard.contacts.vocabulary.known_words.own_line import names_own_line
from dashboard.contacts.vocabulary.known_words.phrase_look import PhraseLook
from dashboard.contacts.vocabulary.known_words.spelling import bare, normalise
from dashboard.contacts.vocabulary.known_words.title import Title, read_title

__all__ = [
    "COLONS",
    "Heading",
    "headings_look",
    "holds_number",
    "is_remark",
    "name_mentions_refusal",
    "read_heading",
]

_DATE = re.compile(r"\d{1,4}[-/.]\d\d?[-/.]\d{1,4}|\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"(?:\d\D*){7}|@")
_LEGEND = re.compile(r"[^=\s]\s*=\s*[^=\s]")
_NO_WORD = re.compile(r"[\W\d_]+")
COLONS = (":", "\uff1a")
_FEWEST_LETTERS = 3
_LISTS_OF = frozenset({"removed", "excluded", "deleted"})
"""They begin names of lists of people, as "Removed opt-outs"; behind, they say that those are gone."""
_PHONES = ("header_phone", "header_mobile", "header_number", "header_number_noun")
_NEGATIONS = frozenset({"stop", "not", "no", "never", "non", "ne", "nicht", "kein", "keine", "nie", "не"})
_LISTED = (
    *("header_opt_out", "header_opt_in", "refused", "ended", "refusal_heading"),
    *("header_owner", "header_texts"),
)


class Heading(IntEnum):
    """What a line does to the rows below it."""

    NOTHING = 0
    REFUSES = 1
    MENTIONS = 2
    """It mentions refusing, among other words."""
    ENDS = 3
    UNKNOWN = 4
    """Perhaps a heading of something else, perhaps somebody's name: below it a person has to look."""


@lru_cache(maxsize=4_096)
def read_heading(text: str) -> Heading:
    """What a line says about the rows below it.

    Example:
        >>> [read_heading(text).name for text in ("Opt-outs (12):", "Customers", "Hull branch:", "Mobile")]
        ['REFUSES', 'UNKNOWN', 'UNKNOWN', 'NOTHING']
    """
    plain = _DATE.sub(" ", text)
    letters = sum(map(str.isalpha, plain))
    if _NUMBER.search(plain) or not letters:
        return Heading.NOTHING
    title, ends = read_title(plain), plain.rstrip().endswith(COLONS)
    heard = max(refusal_in(plain), refusal_in(plain.replace(":", " ")))
    if heard is Refusal.SAID or _names_refusers(title, plain) or (heard and ends):
        return Heading.MENTIONS if _LEGEND.search(plain) or _is_turned(title, plain) else Heading.REFUSES
    if heard or (ends and not _NEGATIONS.isdisjoint(title.words)):
        return Heading.MENTIONS
    if letters < _FEWEST_LETTERS or normalise(plain) in words("no_phone") | words("totals"):
        return Heading.NOTHING
    if title.says("header_opt_in") and _turning(title):  # "Without consent"
        return Heading.MENTIONS
    return _of_others(title)


def name_mentions_refusal(name: str) -> bool:
    """Whether a file or worksheet, by its name, lists people who refuse.

    Example:
        >>> [name_mentions_refusal(name) for name in ("unsubscribed_members_export_4f2a", "DNC", "May list")]
        [True, True, False]
    """
    title = read_title(name)
    if words("file_name").issuperset(title.words):  # "contacts cleaned" is in order now
        return False
    if not _mentions_refusal(name, title):
        return False
    rest = " ".join(_without_turns(title.words))  # "not opted out", "DNC removed", "contacts minus optouts"
    return rest == " ".join(title.words) or not _mentions_refusal(rest, read_title(rest))


def _without_turns(spoken: Sequence[str]) -> list[str]:
    """Words without those that turn a refusal beside them; "removed" does so after it, not before it."""
    turns = words("name_turned", "heading_without")
    return [
        word for place, word in enumerate(spoken) if word not in turns or (not place and word in _LISTS_OF)
    ]


def _mentions_refusal(name: str, title: Title) -> bool:
    plain = _NO_WORD.sub(" ", name)
    if refusal_in(plain) or refusal_in(name) or title.says("header_opt_out", "refusal_name"):
        return True
    return "consent_out" in {field for field, _ in title.fields} or _heads_refusers(title, "file_name")


def holds_number(text: str) -> bool:
    """Whether a cell holds a number that may be a phone, or an address, and not only a date."""
    return bool(_NUMBER.search(_DATE.sub(" ", text)))


def is_remark(text: str, *, of_people: bool = True) -> bool:
    """Whether a cell next to a heading changes nothing: a count, a date, "as of May", perhaps "customers"."""
    said = normalise(_DATE.sub(" ", text)).split()
    known = _harmless() if of_people else words("harmless")
    return all(not any(map(str.isalpha, word)) or word in known for word in said)


@cache
def headings_look() -> PhraseLook:
    """Looks for texts that `read_heading` may know as more than UNKNOWN or NOTHING."""
    listed = [phrase for name in _LISTED for phrase in phrases_of(name)]
    listed += [phrase for field in ("consent_in", "consent_out") for phrase in spellings()[field]]
    return PhraseLook({*refusal_phrases(), *filter(None, (bare(text.rstrip("*")) for text in listed))})


def _names_refusers(title: Title, text: str) -> bool:
    """Whether a text that is not a refusal itself names people who refuse: "Opt outs", "Not subscribed"."""
    spelled = {field for field, _ in title.fields}
    if (
        title.says("header_opt_out")
        or "consent_out" in spelled
        or normalise(text) in words("refused", "ended")
    ):
        return True
    return _heads_refusers(title)


def _heads_refusers(title: Title, *beside: str) -> bool:
    """Whether it names refusers and nothing besides: "Bajas de clientes"."""
    rest = title.without(title.says("refusal_heading", "refusal_heading_beside", *beside))
    return bool(title.says("refusal_heading")) and _harmless().issuperset(rest)


def _is_turned(title: Title, text: str) -> bool:
    """Whether it names people other than the refusers: "All customers without opt-outs"."""
    turning = _turning(title)
    if not turning:
        return False
    rest = " ".join(word for word in title.words if word not in turning)
    return bool(refusal_in(rest)) or _names_refusers(read_title(rest), rest)  # not "without consent"


def _turning(title: Title) -> frozenset[str]:
    return words("heading_without").intersection(title.words)


def _of_others(title: Title) -> Heading:
    """What a line without a refusal is: only "Please text:" ends one, "Phone" is the title of its column."""
    if "consent_in" in {field for field, _ in title.fields} or title.only("header_opt_in"):
        return Heading.ENDS
    if title.fields or title.says(*_PHONES):
        return Heading.NOTHING
    return Heading.ENDS if title.says("header_texts") and names_own_line(title) else Heading.UNKNOWN


@cache
def _harmless() -> frozenset[str]:
    return words("harmless") | words("harmless_people")
