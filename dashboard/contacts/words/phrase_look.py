"""Which texts of a column may contain one of some phrases: a quick filter before each candidate is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.words.spelling import BARE_LETTERS

__all__ = ["PhraseLook"]

_MARKS = r"\p{Mn}+"
_SIGNS = r"[ -/:-@\[-`{-~\t\r\n]*"
_SIGNS_OF_ALL = r"[ -/:-@\[-`{-~\t\r\n\x{a0}-\x{bf}\x{2000}-\x{206f}\x{3000}-\x{303f}]*"
_LETTERS = {**BARE_LETTERS, "\u0131": "i", "\u03c2": "\u03c3", "ß": "ss"}
"""How `bare` writes letters that lower case leaves as they are."""
_FEW, _SHORT = 32, 2_000
"""If there are so few texts and bytes, all are named: RE2 takes longer to build its pattern."""
_LONGEST = 24_000
"""Characters of a pattern; RE2 managed 30,000 and did not manage 34,000."""

_Trie = dict[str, Any]
Mask = npt.NDArray[np.bool_]


class PhraseLook:
    """Looks for phrases in whole columns, ignoring case, accents and the signs between words.

    It may name texts that contain none, but it misses none that contain one. The phrases form one pattern
    that branches word by word, or a few: half a million cells take 50 ms this way, and fifty times as long
    with a list of phrases.

    Args:
        phrases: The phrases, as `bare` spells them.
        around: Patterns (RE2) of what stands before and after them, if not anything; one pair is enough.
    """

    def __init__(self, phrases: Iterable[str], *around: tuple[str, str]) -> None:
        listed = sorted({_unmarked(phrase) for phrase in phrases} - {""})
        listed = listed if around else _fewest(listed)
        in_ascii = _patterns(list(filter(str.isascii, listed)), around, _SIGNS)
        self._in_ascii = [f"(?i){pattern}" for pattern in in_ascii]
        self._in_any = _patterns(listed, around, _SIGNS_OF_ALL)

    def may_hold(self, texts: pa.ChunkedArray) -> Mask:
        """Which of the texts may contain one of the phrases."""
        if len(texts) <= _FEW and (pc.sum(pc.binary_length(texts)).as_py() or 0) <= _SHORT:
            return np.ones(len(texts), np.bool_)
        texts = pa.chunked_array([texts.combine_chunks()])  # else RE2 builds its pattern anew for each chunk
        found = _matched(texts, self._in_ascii)
        others = pc.invert(pc.string_is_ascii(texts))
        if not pc.any(others).as_py():
            return found
        folded = pc.utf8_lower(pc.utf8_normalize(texts.filter(others), "NFKD"))
        plain = pc.replace_substring_regex(folded, _MARKS, "")
        for letter, plain_one in _LETTERS.items():
            plain = pc.replace_substring(plain, letter, plain_one)
        found[others.to_numpy()] |= _matched(plain, self._in_any)
        return found

    def may_hold_in(self, columns: Sequence[pa.ChunkedArray]) -> list[Mask]:
        """The same for several columns; RE2 builds the pattern anew at each look, which takes 4 ms."""
        chunks = [chunk for column in columns for chunk in column.chunks]
        found = self.may_hold(pa.chunked_array(chunks, pa.large_string()))
        return np.split(found, np.cumsum([len(column) for column in columns], dtype=np.intp)[:-1])


def _matched(texts: pa.ChunkedArray, patterns: list[str]) -> Mask:
    found = np.zeros(len(texts), np.bool_)
    for pattern in patterns:
        found |= pc.match_substring_regex(texts, pattern).to_numpy()
    return found


def _patterns(phrases: list[str], around: Sequence[tuple[str, str]], signs: str) -> list[str]:
    """The phrases as patterns that RE2 has an automaton for: without one, a text takes 9 µs and not 0.1."""
    whole = _within(around, _branches(_trie(phrases), signs))
    size = max(-(-len(phrases) // -(-len(whole) // _LONGEST)), 1)
    starts = range(0, len(phrases), size)
    parts = [phrases[start : start + size] for start in starts]
    return [_within(around, _branches(_trie(part), signs)) for part in parts]


def _within(around: Iterable[tuple[str, str]], branches: str) -> str:
    return "|".join(before + branches + after for before, after in around) or branches


def _unmarked(phrase: str) -> str:
    plain = unicodedata.normalize("NFKD", phrase.casefold())
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")


def _fewest(phrases: list[str]) -> list[str]:
    """The phrases that hold no other: a text with "do not text" has "text" in it as well.

    Of 3,989 that may be in headings 1,977 are left.
    """
    known = set(phrases)
    return [phrase for phrase in phrases if known.isdisjoint(_parts(phrase))]


def _parts(text: str) -> Iterator[str]:
    """Everything in a text, except for the whole."""
    for length in range(1, len(text)):
        for start in range(len(text) - length + 1):
            yield text[start : start + length]


def _trie(phrases: Iterable[str]) -> _Trie:
    root: _Trie = {}
    for phrase in phrases:
        branch = root
        for word in phrase.split():
            branch = branch.setdefault(word, {})
        branch[""] = {}
    return root


def _branches(trie: _Trie, signs: str) -> str:
    """The words that may come next; none where a phrase ends, because longer ones begin with it."""
    if "" in trie:
        return ""
    ways = [
        re.escape(word) + (signs + rest if (rest := _branches(then, signs)) else "")
        for word, then in sorted(trie.items())
    ]
    return f"(?:{'|'.join(ways)})"
