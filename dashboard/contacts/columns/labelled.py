"""Answers that stand in a cell beside what they answer: "SMS: no", "opt-in=false", "May we text? No".

Such a cell is a small sheet: what is before the sign is read as a header, what is after it as its cell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

import pandas as pd

from dashboard.contacts.columns.roles import Cells, role_of
from dashboard.contacts.columns.rules import Role
from dashboard.contacts.words.answers import Answer, answer, says_yes
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.phrase_look import PhraseLook
from dashboard.contacts.words.refusal import Refusal
from dashboard.contacts.words.spelling import bare, normalise
from dashboard.contacts.words.title import Title, read_title

__all__ = ["label_look", "refused_by_label"]

_PIECE = re.compile(r"[,;|\n\r\t•·<>、。؛،]+|:{3}|\.\s|\s/\s")
_SIGN = re.compile(r"\s*[:=?؟(\[]+\s*|\s+[-–—]+>?\s+")
_AFTER_SIGN = (r"(?:[:=?(\[\x{61f}]|\s[-\x{2013}\x{2014}]+>?)\s*", r"(?:[^\pL\pN]|$)")
_AT_END = (r"[\s_-]", r"[^\pL\pN]*(?:$|[,;|<>\r\n\t/])")
_NOES = ("no", "switched_off", "refused", "ended")
_ENDS = " )].!\"'"
_NOTHING = frozenset({"0", "none"})
"""Of consent they are a no; of texts or messages they may be a count, as "left" may be a message."""
_AGREEING = ("header_opt_in", "header_opt_in_weak", "consent_in")
_ONLY_NOES = pd.Series(["no"])
_KNOWN = (*_AGREEING, "header_texts", "header_messages", "header_other_channel", "header_glue")
_BESIDE = ("header_yes_or_no", "header_status", "harmless", "harmless_people", "no")


@lru_cache(maxsize=65_536)
def refused_by_label(text: str) -> Refusal:
    """Whether a text answers a question about texts with a no.

    Example:
        >>> refused_by_label("SMS: nein"), refused_by_label("VIP, opt-in=false"), refused_by_label("Nuts: no")
        (<Refusal.SAID: 2>, <Refusal.SAID: 2>, <Refusal.NONE: 0>)
    """
    pieces = _PIECE.split(unicodedata.normalize("NFKC", text))
    return max((_refuses(*pair) for piece in pieces for pair in _pairs(piece)), default=Refusal.NONE)


@cache
def label_look() -> PhraseLook:
    """Finds the texts of a column that may answer anything with a no."""
    return PhraseLook(words(*_NOES), _AFTER_SIGN, _AT_END)


def _pairs(piece: str) -> Iterator[tuple[str, str]]:
    """What may be a question and its answer: parts with a sign between them, and a last word that is a no."""
    yield from pairwise(_SIGN.split(" ".join(piece.split())))  # of many blanks it would try each
    label, _, answer = bare(piece.strip(_ENDS)).rpartition(" ")
    if label and answer in words("no", "switched_off") and read_title(label).says("channel_texts"):
        yield label, answer


def _refuses(label: str, said: str) -> Refusal:
    said = said.strip(_ENDS)
    if not label.strip() or says_yes(said) is not False:
        return Refusal.NONE
    title = read_title(label)
    found = _asked(title)
    if said in _NOTHING and not title.says("channel_texts", *_AGREEING):
        return Refusal.NONE
    is_plain = answer(said) in {Answer.NO, Answer.OFF} or normalise(said) in words("refused")
    is_no = said not in _NOTHING and is_plain
    return found if is_no or title.says(*_AGREEING) else min(found, Refusal.HELD)


@lru_cache(maxsize=8_192)
def _asked(title: Title) -> Refusal:
    """What a no means below this header: a refusal if it asks for consent, and nothing else."""
    if title.says("header_opt_out") or "consent_out" in {field for field, _ in title.fields}:
        return Refusal.NONE
    role = role_of(Cells(title, _ONLY_NOES))
    agrees = role is Role.CONSENT or (role is Role.REFUSAL and title.says("header_status"))
    if not agrees and role is not Role.QUESTION:
        return Refusal.NONE
    is_known = title.only(*_KNOWN, *_BESIDE) and title.says("channel_texts", "header_messages", *_AGREEING)
    return Refusal.SAID if is_known and agrees else Refusal.HELD
