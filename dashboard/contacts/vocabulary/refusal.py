"""A refusal in the words of any cell: "do not text", "VIP; DNC", "Ann asked to be unsubscribed".

People who can write a note do not fill in an opt-out column. So the cells of every column, whatever it is
called, are searched for phrases that hardly mean anything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache

from dashboard.contacts.vocabulary.lexicon import is_unspaced, phrases_of, words
from dashboard.contacts.vocabulary.spelling import bare

__all__ = ["Refusal", "refusal_in", "refusal_phrases"]

_STEM = "*"
_LISTS = ("refusal", "refusal_alone", "refusal_doubted")
_PIECE = re.compile(r"[,;|\n\r\t/•·()\[\]{}<>、。!?؟،…]+|\s[-–—]+\s|\.\s")
"""What separates a cell's tags or sentences."""
_CASE_CHANGE = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-Z])")
_SIGNS = re.compile(r"[~\"“”„«»&+=@%^$—–\\]+")
_INVITATION = frozenset({"stop", "to", "2", "opt", "out", "end", "cancel", "quit", "unsubscribe"})
"""How "reply STOP to opt out" and the like continue."""
_LONGEST_PHRASE = 6
_SHORTEST_JOINED = 5
_TAG_STARTS = frozenset({"do", "don", "opt", "opted", "no", "stop", "never"})
"""Beginnings of phrases that programs write as one word: "kara liste" is found in "karaliste"."""
_ENDING = 2
"""How many Chinese, Japanese or Korean letters next to a phrase do not change it: "已退订", "수신거부함"."""


class Refusal(IntEnum):
    """What a text says about texting the person."""

    NONE = 0
    HELD = 1
    """It contains a refusal among other words that may change its meaning: a person has to look."""
    SAID = 2
    """It is a refusal, perhaps with a date or a "please", or one of its tags is."""


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases in the forms searched for: with blanks, as one word, by their start, inside longer words."""

    spaced: frozenset[str]
    written_as_one: frozenset[str]
    stems: tuple[str, ...]
    unspaced: tuple[str, ...]

    def is_one(self, token: str) -> bool:
        """Whether one word is a phrase: "donottext", or in scripts without blanks, little more than one."""
        if token in self.written_as_one:
            return True
        return is_unspaced(token) and any(
            word in token and len(token) - len(word) <= _ENDING for word in self.unspaced
        )

    def are_inside(self, tokens: list[str]) -> bool:
        """Whether there is a phrase inside words of scripts without blanks."""
        together = "".join(filter(is_unspaced, tokens))
        return bool(together) and any(word in together for word in self.unspaced)


@lru_cache(maxsize=65_536)
def refusal_in(text: str) -> Refusal:
    """Whether a text refuses.

    Example:
        >>> refusal_in("VIP; do not text"), refusal_in("Ann may want to opt out"), refusal_in("Bus stop")
        (<Refusal.SAID: 2>, <Refusal.HELD: 1>, <Refusal.NONE: 0>)
    """
    text = unicodedata.normalize("NFKC", text)
    if bare(text) in words("not_opted_out"):
        return Refusal.NONE
    pieces = [_spoken(piece) for piece in _PIECE.split(text)]
    heard = max(map(_of_piece, [_spoken(text), *pieces]))
    is_doubted = any(" ".join(piece) in words("no") for piece in pieces)  # "Opt-out (no)"
    return min(heard, Refusal.HELD) if is_doubted else heard


def refusal_phrases() -> Iterator[str]:
    """Every phrase that `refusal_in` looks for, as `bare` spells it, without the marks for any ending."""
    for name in _LISTS:
        yield from (bare(phrase) for phrase in phrases_of(name))


def _spoken(text: str) -> list[str]:
    """The words of a text, folded, without an invitation to answer STOP like those that messages end with."""
    tokens = bare(_SIGNS.sub(" ", _PIECE.sub(" ", _CASE_CHANGE.sub(" ", text)))).split()
    return list(_without_invitations(tokens))


def _without_invitations(tokens: list[str]) -> Iterator[str]:
    """Leave out "reply STOP to opt out" and the like: they say how to refuse, not that somebody did."""
    is_invited = False
    for place, token in enumerate(tokens):
        invites = token in words("refusal_invited") and tokens[place + 1 : place + 2] == ["stop"]
        is_invited = invites or (is_invited and token in _INVITATION)
        if not is_invited:
            yield token


def _of_piece(tokens: list[str]) -> Refusal:
    said = _covered(tokens, _phrases("refusal"))
    rest = [token for token, taken in zip(tokens, said, strict=True) if not taken]
    if any(said) and all(map(_is_harmless, rest)):
        return Refusal.SAID
    if " ".join(token for token in tokens if not token.isdecimal()) in words("refusal_alone"):
        return Refusal.SAID
    return Refusal.HELD if any(said) or _is_doubted(tokens) else Refusal.NONE


def _is_doubted(tokens: list[str]) -> bool:
    doubted = _phrases("refusal_doubted")
    return any(_covered(tokens, doubted)) or any(
        phrases.are_inside(tokens) for phrases in (doubted, _phrases("refusal"))
    )


def _is_harmless(word: str) -> bool:
    return word in words("harmless") | words("harmless_people") or (word.isdecimal() and word != "0")


def _covered(tokens: list[str], phrases: _Phrases) -> list[bool]:
    """Which of the words belong to a phrase."""
    covered = [phrases.is_one(token) for token in tokens]
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST_PHRASE, len(tokens)) + 1):
            run = " ".join(tokens[start:end])
            if run in phrases.spaced or run.startswith(phrases.stems):
                covered[start:end] = [True] * (end - start)
                break
    return covered


@cache
def _phrases(name: str) -> _Phrases:
    listed = phrases_of(name)
    whole = frozenset(bare(phrase) for phrase in listed if not phrase.endswith(_STEM))
    joined = frozenset(phrase.replace(" ", "") for phrase in whole)
    as_tags = {phrase.replace(" ", "") for phrase in whole if phrase.split()[0] in _TAG_STARTS}
    return _Phrases(
        spaced=whole,
        written_as_one=frozenset(word for word in as_tags if len(word) >= _SHORTEST_JOINED),
        stems=tuple(bare(phrase) for phrase in listed if phrase.endswith(_STEM)),
        unspaced=tuple(filter(is_unspaced, joined)),
    )
