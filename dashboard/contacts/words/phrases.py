"""Finds phrases of words.json among the words of a text, however they are put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dashboard.contacts.words.lexicon import is_unspaced, phrases_of
from dashboard.contacts.words.spelling import bare

__all__ = ["Phrases", "in_full", "phrases", "spelled_in_short"]

_STEM = "*"
_LONGEST_PHRASE = 6
_MOST_BETWEEN = 4
_SHORTEST_JOINED = 5
_TAG_STARTS = frozenset({"do", "don", "dont", "opt", "opted", "no", "stop", "never"})
"""Beginnings of phrases that programs write as one word: "kara liste" is found in "karaliste"."""
_ENDING = 2
"""How many Chinese, Japanese or Korean letters next to a phrase do not change it: "已退订", "수신거부함"."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Some phrases in the forms searched for."""

    spaced: frozenset[str]
    firsts: frozenset[str]
    written_as_one: frozenset[str]
    stems: tuple[str, ...]
    unspaced: tuple[str, ...]

    def covered(self, tokens: list[str]) -> list[bool]:
        """Which of the words belong to a phrase."""
        covered = [self._is_one(token) for token in tokens]
        for start, first in enumerate(tokens):
            if first not in self.firsts and not first.startswith(self.stems):
                continue
            for end in range(start + 1, min(start + _LONGEST_PHRASE, len(tokens)) + 1):
                run = " ".join(tokens[start:end])
                if run in self.spaced or run.startswith(self.stems):
                    covered[start:end] = [True] * (end - start)
                    break
        return covered

    def end_at(self, tokens: list[str], start: int) -> int:
        """Where the longest phrase that begins at a word ends; the same place if there is none."""
        if start >= len(tokens) or tokens[start] not in self.firsts:
            return start
        ends = range(min(start + _LONGEST_PHRASE, len(tokens)), start, -1)
        return next((end for end in ends if " ".join(tokens[start:end]) in self.spaced), start)

    def are_inside(self, tokens: list[str]) -> bool:
        """Whether there is a phrase inside words of scripts without blanks."""
        together = "".join(filter(is_unspaced, tokens))
        return bool(together) and any(word in together for word in self.unspaced)

    def _is_one(self, token: str) -> bool:
        """Whether one word is a phrase: "donottext", or in scripts without blanks, little more than one."""
        if token in self.written_as_one:
            return True
        return (
            not token.isascii()
            and is_unspaced(token)
            and any(word in token and len(token) - len(word) <= _ENDING for word in self.unspaced)
        )


@cache
def phrases(name: str) -> Phrases:
    """The phrases of a list of words.json."""
    listed = phrases_of(name)
    whole = frozenset(bare(phrase) for phrase in listed if not phrase.endswith(_STEM))
    full = frozenset(" ".join(in_full(phrase.split())) for phrase in whole if phrase)
    stems = tuple(bare(phrase) for phrase in listed if phrase.endswith(_STEM))
    as_tags = {
        phrase.replace(" ", "") for phrase in (whole | full) - {""} if phrase.split()[0] in _TAG_STARTS
    }
    return Phrases(
        spaced=full,
        firsts=frozenset(phrase.split()[0] for phrase in {*full, *stems}),
        written_as_one=frozenset(word for word in as_tags if len(word) >= _SHORTEST_JOINED),
        stems=stems,
        unspaced=tuple(filter(is_unspaced, {phrase.replace(" ", "") for phrase in full})),
    )


def in_full(tokens: list[str]) -> list[str]:
    """The words with what is short for two written as two: "dont" and "don t" become "do not"."""
    full: list[str] = []
    known = _contractions()
    for place, word in enumerate(tokens):
        if word == "t" and place and f"{tokens[place - 1]}t" in known:
            full[-1:] = known[f"{tokens[place - 1]}t"]
        else:
            full += known.get(word, (word,))
    return full


def spelled_in_short(phrase: str) -> Iterator[str]:
    """A phrase, and every way to write it with words that are short for two."""
    yield phrase
    for short, whole in _contractions().items():
        if (long := " ".join(whole)) in phrase:
            yield phrase.replace(long, short)
            if short.endswith("nt"):
                yield phrase.replace(long, f"{short[:-1]} t")


@cache
def _contractions() -> dict[str, tuple[str, ...]]:
    listed = (entry.split() for entry in phrases_of("contractions"))
    return {short: tuple(whole) for short, *whole in listed}
