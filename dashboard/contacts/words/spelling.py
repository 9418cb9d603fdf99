"""One spelling for words that people write in many ways: header cells, country names, yes and no."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate, pairwise

__all__ = ["BARE_LETTERS", "bare", "joined", "normalise", "split_words"]

_PUNCTUATION = re.compile(r"[\s_\-./:()*#'’\"]+")
_LETTER_WITH_ACCENT = re.compile(r"([a-z\u03b1-\u03c9])[\u0300-\u036f]+")
_WORD_CHARACTERS = 64
BARE_LETTERS = {"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe"}
"""Letters that have no accent to lose, and how people without the right keyboard write them."""
_BARE = str.maketrans(BARE_LETTERS)


def normalise(text: str) -> str:
    """Fold case, width, punctuation and accents: "Téléphone_No." becomes "telephone no".

    Only Latin and Greek lose their accents; in other scripts they make different letters.

    Example:
        >>> normalise(" First_Name ")
        'first name'
    """
    return _remembered(text) if len(text) <= _WORD_CHARACTERS else _fold(text)


def split_words(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a header, folded, in groups separated by signs.

    Words are also split at case changes and between letters and digits.

    Example:
        >>> split_words("SmsOptOut - Phone2")
        (('sms', 'opt', 'out'), ('phone', '2'))
    """
    return tuple(
        tuple(filter(None, map(bare, _pieces(chunk))))
        for chunk in _chunks(unicodedata.normalize("NFKC", text))
    )


def bare(text: str) -> str:
    """Normalised, and without letters that keyboards may lack: "Nie wysyłać" becomes "nie wysylac"."""
    return normalise(text).translate(_BARE)


@lru_cache(maxsize=65_536)
def joined(text: str) -> str:
    """Only the letters and digits, folded: the same however the words are separated.

    Example:
        >>> joined("SmsOptOut") == joined("sms_opt_out") == joined("SMS OPT-OUT") == joined("smsoptout")
        True
    """
    return "".join(map(bare, _chunks(unicodedata.normalize("NFKC", text))))


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u0131", "i")  # Turkish, dotless
    bare = unicodedata.normalize("NFC", _LETTER_WITH_ACCENT.sub(r"\1", unicodedata.normalize("NFD", folded)))
    return _PUNCTUATION.sub(" ", bare).strip()


_remembered = lru_cache(maxsize=65_536)(_fold)


def _chunks(text: str) -> list[str]:
    """What is between signs; marks that are part of a letter in Hindi or Thai are not signs."""
    if text.isascii():
        return re.findall(r"[a-zA-Z0-9]+", text)
    kept = (letter if unicodedata.category(letter)[0] in "LNM" else " " for letter in text)
    return "".join(kept).split()


def _pieces(chunk: str) -> list[str]:
    """Split "SMSOptOut2" before O, O and 2; the last of several capitals belongs to what follows."""
    kinds = list(accumulate(map(_kind, chunk), _carried))
    ends = [
        place
        for place, (before, after) in enumerate(pairwise(chunk), 1)
        if kinds[place - 1] != kinds[place]
        or (before.islower() and after.isupper())
        or (before.isupper() and after.isupper() and chunk[place + 1 : place + 2].islower())
    ]
    return [chunk[start:end] for start, end in pairwise([0, *ends, len(chunk)])]


def _carried(before: str, after: str) -> str:
    return after or before


def _kind(letter: str) -> str:
    """Digits, letters of scripts with capitals, and of those without, are kept apart; "" joins its letter."""
    if letter.isdigit():
        return "digit"
    if letter.lower() != letter.upper():
        return "cased"
    return "" if unicodedata.category(letter)[0] == "M" else "uncased"
