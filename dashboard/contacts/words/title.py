"""What the words of a header cell are, however they were joined."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

from dashboard.contacts.words.lexicon import fields_of, heard, is_unspaced, lexicon
from dashboard.contacts.words.spelling import joined, split_words

__all__ = ["Title", "read_title"]

_AND = re.compile(r"(?<=\w)\s*[&+/,]\s*(?=\w)")
"""Signs that stand for "and": "marketing & cookies" are two things, "marketing cookies" one."""
_DIGITS = "0123456789"
_LONGEST_PHRASE = 8
_SHORTEST_JOINED = 6
_LONGEST_JOINED = 48
_MOST_WORDS = 40
"""How many words of a form's question are read; a phrase that matters comes earlier."""


@dataclass(frozen=True, slots=True)
class Title:
    """A header cell, read.

    Attributes:
        key: Its letters and digits, folded.
        words: Its words, folded, without the numbers.
        phrases: Every run of a few of its words, each written as one: {"sms", "smsopt", "smsoptout", ...}.
    """

    key: str
    words: tuple[str, ...]
    phrases: frozenset[str]

    @property
    def fields(self) -> tuple[tuple[str, int], ...]:
        """The fields that it spells exactly, each with its place in the list; "Phone 2" is "Phone"."""
        return fields_of(self.key) or fields_of(self.key.strip(_DIGITS))

    @property
    def is_numbered(self) -> bool:
        """Whether it spells its field apart from a number."""
        return not fields_of(self.key)

    def says(self, *lists: str) -> frozenset[str]:
        """The phrases of these lists of words.json that it contains, each written as one word.

        If a script has no blanks between words (Thai, Korean, Chinese ...), also inside longer ones.
        """
        return frozenset().union(*(self._says(name) for name in lists))

    def _says(self, name: str) -> frozenset[str]:
        known = heard(name)
        found = self.phrases & known.phrases
        if known.stems:
            found |= {word for word in self.words if word.startswith(known.stems)}
        if known.unspaced and is_unspaced(self.key):
            found |= {phrase for phrase in known.unspaced if phrase in self.key}
        return found

    def only(self, *lists: str) -> bool:
        """Whether every word belongs to a phrase of these lists."""
        return self.without(self.says(*lists)) == ()

    def without(self, phrases: Iterable[str]) -> tuple[str, ...]:
        """The words that belong to none of these phrases."""
        return tuple(word for word, taken in zip(self.words, self._taken(phrases), strict=True) if not taken)

    def places(self, phrases: Iterable[str]) -> list[tuple[int, int]]:
        """Where each of the phrases begins and ends, in words; the end is exclusive."""
        wanted = frozenset(phrases)
        return [
            (start, end)
            for start in range(len(self.words))
            for end in range(start + 1, min(start + _LONGEST_PHRASE, len(self.words)) + 1)
            if "".join(self.words[start:end]) in wanted
        ]

    def _taken(self, phrases: Iterable[str]) -> list[bool]:
        taken = [False] * len(self.words)
        for start, end in self.places(phrases):
            taken[start:end] = [True] * (end - start)
        return taken


@lru_cache(maxsize=8_192)
def read_title(text: str) -> Title:
    """Read a header cell.

    Example:
        >>> read_title("hasOptedOutOfSms2").words
        ('has', 'opted', 'out', 'of', 'sms')
    """
    numbered = _read(text)
    words = tuple(word for word in numbered if not word.isdigit())
    phrases = _runs(numbered) | _runs(words)
    if _AND.search(text):
        phrases |= _runs(_read(_AND.sub(" and ", text)))
    return Title(joined(text), words, phrases)


def _read(text: str) -> list[str]:
    return [word for pieces in split_words(text) for word in _reading(pieces)][:_MOST_WORDS]


def _runs(words: Iterable[str]) -> frozenset[str]:
    listed = list(words)
    return frozenset(
        "".join(listed[start:end])
        for start in range(len(listed))
        for end in range(start + 1, min(start + _LONGEST_PHRASE, len(listed)) + 1)
    )


def _reading(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """The words between two signs: one if it is known as one, else split in the best way.

    "WhatsApp" is one word, "SMSopt" is two although no capital shows where, "McDonald" is left as it is.
    So is "Perdu" in "consentementPerdu": parted into known words, a consent that was lost would be one that
    was given.
    """
    whole = "".join(pieces)
    if len(pieces) > 1 and whole in lexicon():
        return (whole,)
    if all(piece in lexicon() or piece.isdigit() for piece in pieces):
        return pieces
    apart = tuple(word for piece in pieces for word in _parted(piece) or (piece,))
    together = _parted(whole)
    return apart if together is None or _ends(pieces) <= _ends(together) else together


def _ends(words: tuple[str, ...]) -> set[int]:
    """After how many letters each of them ends."""
    return {*accumulate(map(len, words))}


@cache
def _longest_word() -> int:
    return max(map(len, lexicon()))


def _parted(chunk: str) -> tuple[str, ...] | None:
    """The fewest known words that make up a chunk without a gap; None when there are none."""
    if not _SHORTEST_JOINED <= len(chunk) <= _LONGEST_JOINED or chunk in lexicon():
        return None
    best: list[tuple[str, ...] | None] = [(), *[None] * len(chunk)]
    for end in range(1, len(chunk) + 1):
        for start in range(max(0, end - _longest_word()), end):
            head, word = best[start], chunk[start:end]
            if head is not None and (word in lexicon() or word.isdigit()):
                longer = best[end]
                if longer is None or len(head) + 1 < len(longer):
                    best[end] = (*head, word)
    return best[-1]
