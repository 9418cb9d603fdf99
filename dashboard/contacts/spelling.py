"""One spelling for words that people write in many ways: header cells, country names, yes and no."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["normalise"]

_PUNCTUATION = re.compile(r"[\s_\-./:()*#'’\"]+")
_LETTER_WITH_ACCENT = re.compile(r"([a-z\u03b1-\u03c9])[\u0300-\u036f]+")
_WORD_CHARACTERS = 64


def normalise(text: str) -> str:
    """Fold case, width, punctuation and accents: "Téléphone_No." becomes "telephone no".

    Only Latin and Greek lose their accents; in other scripts they make different letters.

    Example:
        >>> normalise(" First_Name ")
        'first name'
    """
    return _remembered(text) if len(text) <= _WORD_CHARACTERS else _fold(text)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u0131", "i")  # Turkish, dotless
    bare = unicodedata.normalize("NFC", _LETTER_WITH_ACCENT.sub(r"\1", unicodedata.normalize("NFD", folded)))
    return _PUNCTUATION.sub(" ", bare).strip()


_remembered = lru_cache(maxsize=65_536)(_fold)
