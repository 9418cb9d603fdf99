"""Headers as people and programs write them: snake, camel, Pascal, joined, with signs, in capitals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import pandas as pd

from dashboard.contacts.words.spelling import normalise

CELLS = {
    "mobile": ["07400 123456", "07400 223457", "07400 323458"],
    "landline": ["020 7946 0991", "020 7946 0992", "020 7946 0993"],
    "name": ["Ann", "Bob", "Eve"],
    "country": ["GB", "FR", "GB"],
    "answer": ["yes", "no", "yes"],
    "id": ["100231", "100232", "100233"],
    "date": ["2026-01-05", "2026-01-06", "2026-01-07"],
    "barcode": ["5012345678900", "5012345678917", "5012345678924"],
    "postcode": ["01310-100", "01310-200", "01310-300"],
    "amount": ["12.50", "13.00", "2.00"],
    "blank": ["", "", ""],
}


def under(case: dict[str, str]) -> pd.DataFrame:
    """A case of header_rows.csv with three rows of cells of its kinds."""
    named = zip(case["columns"].split("|"), case["cells"].split("|"), strict=True)
    return pd.DataFrame({name: CELLS[kind] for name, kind in named})


def is_cased(text: str) -> bool:
    return all(letter.lower() != letter.upper() for letter in text if letter.isalpha())


def forms(spelling: str) -> Iterator[str]:
    """A spelling as programs and people write it; where there are no capitals only with other signs."""
    words = normalise(spelling).split()
    yield from ("_".join(words), "-".join(words), " ".join(words), f"{' - '.join(words)}?", ".".join(words))
    if is_cased(spelling):
        capital = [word.capitalize() for word in words]
        yield from ("".join(words), "".join(capital), words[0] + "".join(capital[1:]))
        yield from (" ".join(words).upper(), "_".join(words).upper(), "".join(words).upper())


def programmed(header: str) -> Iterator[str]:
    """A header as a program may name it, its words parted in another way."""
    parts = [part for pieces in _words(header) for part in pieces]
    yield from ("_".join(parts), "-".join(parts), ".".join(parts), " ".join(parts).upper(), header.upper())
    if is_cased(header):
        capital = [part[:1].upper() + part[1:] for part in parts]
        yield from ("".join(capital), parts[0] + "".join(capital[1:]))


def _words(header: str) -> list[list[str]]:
    header = re.sub(r"(?<=\w)\s*[&+/]\s*(?=\w)", " and ", header)
    kept = "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in header)
    return [_parts(word) for word in kept.split()]


def _parts(word: str) -> list[str]:
    """Part a word at its capitals, by itself: what is tested here has its own way of doing that."""
    at = [place for place, (a, b) in enumerate(pairwise(word), 1) if a.islower() and b.isupper()]
    return [word[start:end].lower() for start, end in pairwise([0, *at, len(word)])]
