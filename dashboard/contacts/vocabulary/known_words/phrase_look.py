"""Which texts of a column may contain one of some phrases: a quick filter before each candidate is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.vocabulary.known_words.spelling import BARE_LETTERS

__all__ = ["PhraseLook"]

_MARKS = r"\p{Mn}+"
_SIGNS = r"[ -/:-@\[-`{-~\t\r\n]*"
_SIGNS_OF_ALL = r"[ -/:-@\[-`{-~\t\r\n\x{a0}-\x{bf}\x{2000}-\x{206f}\x{3000}-\x{303f}]*"
_LETTERS = {**BARE_LETTERS, "\u0131": "i", "\u03c2": "\u03c3", "ß": "ss"}
"""How `bare` writes letters that lower case leaves as they are."""
_FEW, _SHORT = 32, 2_000
"""So few texts, of so few bytes in all, are all named: RE2 builds its pattern anew, which takes longer."""

_Trie = dict[str, Any]


class PhraseLook:
    """Looks for phrases in whole columns, ignoring case, accents and the signs between words.

    It may name texts that contain none, but it misses none that contain one. The phrases form one pattern
    that branches word by word: half a million cells take 50 ms this way, and fifty times as long with a list
    of phrases.

    Args:
        phrases: The phrases, as `bare` spells them.
        around: Patterns (RE2) of what stands before and after them, if not anything; one pair is enough.
    """

    def __init__(self, phrases: Iterable[str], *around: tuple[str, str]) -> None:
        listed = sorted({_unmarked(phrase) for phrase in phrases} - {""})
        self._in_ascii = "(?i)" + _within(around, _branches(_trie(filter(str.isascii, listed)), _SIGNS))
        self._in_any = _within(around, _branches(_trie(listed), _SIGNS_OF_ALL))

    def may_hold(self, texts: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
        """Which of the texts may contain one of the phrases."""
        if len(texts) <= _FEW and (pc.sum(pc.binary_length(texts)).as_py() or 0) <= _SHORT:
            return np.ones(len(texts), np.bool_)
        texts = pa.chunked_array([texts.combine_chunks()])  # else RE2 builds its pattern anew for each chunk
        found: npt.NDArray[np.bool_] = pc.match_substring_regex(texts, self._in_ascii).to_numpy()
        others = pc.invert(pc.string_is_ascii(texts))
        if not pc.any(others).as_py():
            return found
        folded = pc.utf8_lower(pc.utf8_normalize(texts.filter(others), "NFKD"))
        plain = pc.replace_substring_regex(folded, _MARKS, "")
        for letter, plain_one in _LETTERS.items():
            plain = pc.replace_substring(plain, letter, plain_one)
        found = found.copy()
        found[others.to_numpy()] |= pc.match_substring_regex(plain, self._in_any).to_numpy()
        return found


def _within(around: Iterable[tuple[str, str]], branches: str) -> str:
    return "|".join(before + branches + after for before, after in around) or branches


def _unmarked(phrase: str) -> str:
    plain = unicodedata.normalize("NFKD", phrase.casefold())
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")


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
