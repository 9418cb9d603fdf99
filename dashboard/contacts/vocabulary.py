"""How people head their columns, in about twenty languages, and other words that sheets are full of.

The words themselves are data: header_vocabulary.json and words.json beside this file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from dashboard.contacts.spelling import normalise

__all__ = ["fields_of", "known_headers", "mentions", "spellings", "words"]

_UNSPACED = "\u0e00"
"""The first letter of scripts that are written without blanks, or with few."""


@cache
def spellings() -> Mapping[str, tuple[str, ...]]:
    """Normalised header spellings by field, the most telling first."""
    return _word_lists("header_vocabulary.json")


def words(name: str) -> frozenset[str]:
    """A list of words.json, normalised: "yes", "no", "totals" ..."""
    return _word_sets()[name]


def mentions(title: str, name: str) -> bool:
    """Whether a normalised title holds a word of a list, as a word of its own.

    Where a script has no blanks between words (Thai, Korean, Chinese ...), inside a longer one as well.
    """
    parts = frozenset(title.split())
    return any(word in parts or (word >= _UNSPACED and word in title) for word in words(name))


@cache
def _word_sets() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(listed) for name, listed in _word_lists("words.json").items()}


def _word_lists(file: str) -> Mapping[str, tuple[str, ...]]:
    raw = json.loads(files("dashboard.contacts").joinpath(file).read_text("utf-8"))
    return {
        name: tuple(dict.fromkeys(map(normalise, listed)))
        for name, listed in raw.items()
        if not name.startswith("_")
    }


@cache
def _index() -> Mapping[str, tuple[tuple[str, int], ...]]:
    index: dict[str, list[tuple[str, int]]] = {}
    for field, listed in spellings().items():
        for place, word in enumerate(listed):
            index.setdefault(word, []).append((field, place))
    return {word: tuple(found) for word, found in index.items()}


def fields_of(title: str) -> tuple[tuple[str, int], ...]:
    """The fields that a header cell spells exactly, each with its place in the list (0 is most telling)."""
    return _index().get(normalise(title), ())


def known_headers(titles: list[str]) -> int:
    """How many cells spell a header that is known."""
    return sum(1 for title in titles if title and fields_of(title))
