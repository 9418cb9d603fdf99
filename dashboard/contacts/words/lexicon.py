"""How people title their columns, in about twenty languages, and other words common in sheets.

The words themselves are data: header_vocabulary.json and words.json next to this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dashboard.contacts.words.spelling import joined, normalise

__all__ = [
    "Heard",
    "fields_of",
    "heard",
    "is_unspaced",
    "known_headers",
    "lexicon",
    "phrases_of",
    "spellings",
    "words",
]

_UNSPACED = "\u0e00"
"""The first letter of scripts written without blanks, or with few."""

_STEM = "*"
_SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Heard:
    """The words to listen for in a header, each phrase written as one word.

    Attributes:
        phrases: All whole phrases.
        unspaced: Those of scripts without blanks, which are found inside longer words as well.
        stems: Beginnings of words, for languages that change their ends.
    """

    phrases: frozenset[str]
    unspaced: frozenset[str]
    stems: tuple[str, ...]


@cache
def spellings() -> Mapping[str, tuple[str, ...]]:
    """Normalised header spellings by field, the most telling first."""
    return {
        field: tuple(dict.fromkeys(map(normalise, listed)))
        for field, listed in _raw("header_vocabulary.json").items()
    }


@cache
def words(*names: str) -> frozenset[str]:
    """Lists of words.json, normalised: "yes", "no", "totals" ..."""
    return frozenset(normalise(word) for name in names for word in _raw("words.json")[name])


def phrases_of(name: str) -> tuple[str, ...]:
    """A list of words.json as written there, with asterisks that stand for any ending."""
    return tuple(_raw("words.json")[name])


@cache
def heard(name: str) -> Heard:
    """A list of words.json, or a field of the header vocabulary, ready for a search in a header's words."""
    listed = {**_raw("header_vocabulary.json"), **_raw("words.json")}[name]
    phrases = frozenset(joined(phrase) for phrase in listed if not phrase.endswith(_STEM))
    stems = tuple(joined(phrase) for phrase in listed if phrase.endswith(_STEM))
    return Heard(phrases, frozenset(filter(is_unspaced, phrases)), stems)


def is_unspaced(text: str) -> bool:
    """Whether there is a letter of a script without blanks in it."""
    return any(letter >= _UNSPACED for letter in text)


@cache
def lexicon() -> frozenset[str]:
    """Every header word known by itself, used to split "smsoptout"."""
    lists = [*_raw("header_vocabulary.json").values()]
    lists += [listed for name, listed in _raw("words.json").items() if name.startswith("header_")]
    known = {
        joined(word)
        for listed in lists
        for phrase in listed
        if not phrase.endswith(_STEM)
        for word in normalise(phrase).split()
    }
    glue = frozenset(map(joined, _raw("words.json")["header_glue"]))
    return frozenset(word for word in known if len(word) >= _SHORTEST_WORD) | glue


@cache
def _raw(file: str) -> Mapping[str, list[str]]:
    raw = json.loads(files("dashboard.contacts.words").joinpath(file).read_text("utf-8"))
    return {name: listed for name, listed in raw.items() if not name.startswith("_")}


@cache
def _index() -> Mapping[str, tuple[tuple[str, int], ...]]:
    index: dict[str, list[tuple[str, int]]] = {}
    for field, listed in spellings().items():
        for place, word in enumerate(dict.fromkeys(map(joined, listed))):
            index.setdefault(word, []).append((field, place))
    return {word: tuple(found) for word, found in index.items()}


def fields_of(title: str) -> tuple[tuple[str, int], ...]:
    """The fields a header cell spells exactly, each with its place in the list (0 is the clearest)."""
    return _index().get(joined(title), ())


def known_headers(titles: Iterable[str]) -> int:
    """How many cells spell a known header."""
    return sum(1 for title in titles if title and fields_of(title))
