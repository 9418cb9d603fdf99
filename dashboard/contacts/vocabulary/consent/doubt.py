"""Cells below headers that may refuse, or speak against a number: "Removed on: 2024-01-05", "Bounced: x"."""

from __future__ import annotations

import re
from functools import lru_cache

from dashboard.contacts.vocabulary.consent.answers import is_nothing_but, says_yes
from dashboard.contacts.vocabulary.known_words.lexicon import heard, words
from dashboard.contacts.vocabulary.known_words.spelling import normalise
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = ["is_date", "may_refuse_below", "speaks_against_number"]

_DATE = re.compile(r"\s*(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{8}(?:\d{6})?|\d{10}|\d{13})(?:\D.*)?", re.DOTALL)
_YEAR = re.compile(r"(?:\b|\D)(?:19|20)\d\d(?:\D|$)")
_DAY_OR_MONTH = re.compile(r"\b\d{1,2}\b|[^\W\d_]{3,}")
_COUNT = re.compile(r"0*[1-9]\d{0,3}(?:[.,]0+)?")
_LONGEST_DATE = 40
"""Characters; what is longer is a sentence."""


def may_refuse_below(header: str, cell: str) -> bool:
    """Whether a cell below such a header may refuse; a no does not.

    Any words do if the header begins with a refusal, else only a yes or a date.

    Example:
        >>> [may_refuse_below("Refused", cell) for cell in ("x", "by phone", "no", "2024-01-05")]
        [True, True, False, True]
        >>> [may_refuse_below("Parcel refused", cell) for cell in ("yes", "by Ann", "3")]
        [True, False, False]
    """
    if _is_no(cell):
        return False
    return _is_yes(cell) or is_date(cell) or _begins_with_refusal(header)


def speaks_against_number(cell: str) -> bool:
    """Whether a cell below "Wrong number" or "Bounced" says so: a yes, a date, a count, or such words.

    Texts may have bounced, or somehow; that e-mail did says nothing about the number.

    Example:
        >>> [speaks_against_number(cell) for cell in ("yes", "2", "0", "07400 123456", "sms", "email")]
        [True, True, False, False, True, False]
    """
    title = read_title(cell)
    speaks_of_texts = title.says("channel_texts", "header_mobile", "header_phone")
    if _is_no(cell) or (title.says("header_other_channel") and not speaks_of_texts):
        return False
    told = _is_yes(cell) or is_date(cell) or _COUNT.fullmatch(cell.strip()) or _is_kind_of_bounce(cell)
    return bool(told or title.says("title_wrong_number", "title_number_wrong", "channel_texts"))


def is_date(cell: str) -> bool:
    """Whether a cell is a date in whichever spelling, past or not: "5 May 2024", "01/05/24", "1714550400".

    Example:
        >>> [is_date(cell) for cell in ("May 1, 2024", "2024-05-01T10:00Z", "3 parcels")]
        [True, True, False]
    """
    if len(cell) > _LONGEST_DATE:
        return False
    return bool(_DATE.fullmatch(cell) or (_YEAR.search(cell) and _DAY_OR_MONTH.search(_YEAR.sub(" ", cell))))


def _is_no(cell: str) -> bool:
    return normalise(cell) in words("not_opted_out") or is_nothing_but(cell, "no", "not_opted_out")


def _is_kind_of_bounce(cell: str) -> bool:
    return normalise(cell) in words("bounce_kind")


def _is_yes(cell: str) -> bool:
    return says_yes(cell) is True or normalise(cell) in words("refused", "ended")


@lru_cache(maxsize=4_096)
def _begins_with_refusal(header: str) -> bool:
    title = read_title(header)
    return any(not start for start, _end in title.places(title.says("title_refused"))) or any(
        title.words[0].startswith(stem) for stem in heard("title_refused").stems
    )
