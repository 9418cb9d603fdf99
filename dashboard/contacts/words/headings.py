"""What a line says about the people below it: "Do not text:", "Opt-outs", "Please text:".

It is read as a remark in a cell is. What is no refusal by itself, but may name people who refused ("Removed",
"Ex-members"), leaves them to a person. Names of files and worksheets are read here as well: they head all
people in them.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache, lru_cache

from dashboard.contacts.words.lexicon import phrases_of, spellings, words
from dashboard.contacts.words.own_line import names_own_line
from dashboard.contacts.words.phrase_look import PhraseLook
from dashboard.contacts.words.refusal import Refusal, refusal_in, refusal_phrases
from dashboard.contacts.words.spelling import bare, normalise
from dashboard.contacts.words.title import Title, read_title

__all__ = [
    "COLONS",
    "Heading",
    "headings_look",
    "holds_number",
    "is_remark",
    "name_mentions_refusal",
    "names_refusers",
    "read_heading",
]

_DATE = re.compile(r"\d{1,4}[-/.]\d\d?[-/.]\d{1,4}|\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"(?:\d\D*){7}|@")
_PAIRS = re.compile(r"(?<![\d./-])0\d([./-])\d\d(?:\1\d\d){3}(?![./-]?\d)")
"""A number of France, "06.12.34.56.78", of which the first pairs look like a date."""
_LEGEND = re.compile(r"[^=\s]\s*=\s*[^=\s]")
_NO_WORD = re.compile(r"[\W\d_]+")
_IN_ORDER = re.compile("cleaned", re.IGNORECASE)
COLONS = (":", "\uff1a")
_FEWEST_LETTERS = 3
_BESIDE_PHONES = ("header_owner", "header_glue", "phone_neutral")
_PHONES = ("header_phone", "header_mobile", "header_number", "header_number_noun")
_ALARMS = ("ended", "title_refused", "title_left", "refusal_heading")
_BESIDE = (
    *("refusal_heading_beside", "header_owner", "header_number_noun"),
    *("header_phone", "header_glue", "title_beside"),
)
"""Whom or what a line names beside an alarm: "Former customers", "Blocked numbers"."""
_LISTS_OF = frozenset({"removed", "excluded", "deleted"})
"""They begin names of lists of people, as "Removed opt-outs"; behind, they say that those are gone."""
_BOUNCED = "cleanedmembers"
"""How an export of Mailchimp is named that lists whose addresses bounced, or who complained."""
_LISTED = ("refused", "header_opt_out", "header_opt_in", "header_owner", "header_texts", *_ALARMS)
_NOT_LISTED = frozenset({"mps", "fps", "nix", "dod"})
"""Alarms only in a line by itself: half of them are in every "Thompson" or "Nixon"."""


class Heading(IntEnum):
    """What a line does to the rows below it."""

    NOTHING = 0
    REFUSES = 1
    MENTIONS = 2
    """It may refuse, or mentions it among other words."""
    ENDS = 3
    UNKNOWN = 4
    """Perhaps a heading of something else, perhaps somebody's name: below it a person has to look."""


@lru_cache(maxsize=4_096)
def read_heading(text: str) -> Heading:
    """What a line says about the rows below it.

    Example:
        >>> [read_heading(text).name for text in ("Opt-outs (12):", "Ex-members", "Hull branch:", "Mobile")]
        ['REFUSES', 'MENTIONS', 'UNKNOWN', 'NOTHING']
    """
    plain = _DATE.sub(" ", text)
    letters = sum(map(str.isalpha, plain))
    if holds_number(text) or not letters:
        return Heading.NOTHING
    heard = max(refusal_in(plain), refusal_in(plain.replace(":", " ")))
    title, ends = read_title(plain), plain.rstrip().endswith(COLONS)
    announced = heard and ends and not title.says("heading_without")
    if (heard is Refusal.SAID or announced or _names(title, "header_opt_out")) and not _LEGEND.search(plain):
        return Heading.REFUSES
    if heard or _opts_out(title) or names_refusers(title) or _is_negated(title, ends=ends):
        return Heading.MENTIONS
    if letters < _FEWEST_LETTERS or normalise(plain) in words("no_phone") | words("totals"):
        return Heading.NOTHING
    return _of_others(title)


def name_mentions_refusal(name: str) -> bool:
    """Whether a file or worksheet, by its name, lists people who refuse.

    Example:
        >>> [name_mentions_refusal(name) for name in ("unsubscribed_members_export_4f2a", "DNC", "May list")]
        [True, True, False]
    """
    title = read_title(name)
    turns = words("name_turned", "heading_without")  # "not opted out", "DNC removed", "minus optouts"
    rest = [word for word in title.words if word not in turns]
    turning = [word for at, word in enumerate(title.words) if word in turns and (at or word not in _LISTS_OF)]
    is_turned = turning and _name_mentions(" ".join(rest))
    return _BOUNCED in title.phrases or (_name_mentions(name) and not is_turned)


def _name_mentions(name: str) -> bool:
    name = _IN_ORDER.sub(" ", name)
    title = read_title(name)
    is_heard = refusal_in(_NO_WORD.sub(" ", name)) or refusal_in(name)
    return bool(is_heard) or _opts_out(title) or names_refusers(title)


def holds_number(text: str) -> bool:
    """Whether a cell holds a number that may be a phone, or an address, and not only a date."""
    return bool(_NUMBER.search(_DATE.sub(" ", text)) or _PAIRS.search(text))


def is_remark(text: str, *, of_people: bool = True) -> bool:
    """Whether a cell next to a heading changes nothing: a count, a date, "as of May", perhaps "customers"."""
    said = normalise(_DATE.sub(" ", text)).split()
    known = words("harmless", "totals", *["harmless_people"] * of_people)
    return all(not any(map(str.isalpha, word)) or word in known for word in said)


@cache
def headings_look() -> PhraseLook:
    """Looks for texts that `read_heading` may know as more than UNKNOWN or NOTHING."""
    listed = [phrase for name in _LISTED for phrase in phrases_of(name) if phrase not in _NOT_LISTED]
    listed += [phrase for field in ("consent_in", "consent_out") for phrase in spellings()[field]]
    return PhraseLook({*refusal_phrases(), *filter(None, (bare(text.rstrip("*")) for text in listed))})


def names_refusers(title: Title, *also: str) -> bool:
    """Whether a title names people who may have refused, and nothing besides: "Removed customers".

    Args:
        title: As read.
        also: Lists of words.json that name them as well.
    """
    return _names(title, *_ALARMS, *also)


def _names(title: Title, *lists: str) -> bool:
    found = title.says(*lists)
    rest = title.without(found | title.says(*_BESIDE))
    return bool(found) and words("harmless", "harmless_people").issuperset(rest)


def _opts_out(title: Title) -> bool:
    return bool(title.says("header_opt_out")) or "consent_out" in {field for field, _ in title.fields}


def _is_negated(title: Title, *, ends: bool) -> bool:
    """Whether a line turns consent, or whatever it announces, into its opposite: "Not in Hull:"."""
    of_consent = title.says("header_opt_in") and title.says(
        "title_refused", "title_left", "header_not", "heading_without"
    )
    return bool(of_consent or (ends and title.says("not", "refused")))


def _of_others(title: Title) -> Heading:
    """What a line without a refusal is: only "Please text:" ends one, "Phone" is the title of its column."""
    if "consent_in" in {field for field, _ in title.fields} or title.only("header_opt_in"):
        return Heading.ENDS
    if title.fields or (title.says(*_PHONES) and title.only(*_PHONES, *_BESIDE_PHONES)):
        return Heading.NOTHING
    return Heading.ENDS if title.says("header_texts") and names_own_line(title) else Heading.UNKNOWN
