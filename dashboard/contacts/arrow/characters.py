"""What the characters of a column's cells are, told by their bytes; a regular expression takes far longer.

Texts are UTF-8, in which no character beyond ASCII has a byte that is one of ASCII's.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["are_of_figures", "begin_visibly", "have_digits", "have_none_of"]

Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
_FIGURES = (ord(" "), ord("9"))
"""Blanks, ASCII's signs up to the slash, and digits."""


def are_of_figures(texts: pa.ChunkedArray) -> Mask:
    """Which texts are made of digits, blanks and signs of ! " # $ % & ' ( ) * + , - . / at most."""
    pieces = [_none_in(~_among(data, *_FIGURES), offsets) for data, offsets in _buffers(texts)]
    return np.concatenate([np.empty(0, np.bool_), *pieces])


def begin_visibly(texts: pa.ChunkedArray) -> Mask:
    """Which texts begin with an ASCII character that is no blank; it may miss what is beyond ASCII."""
    pieces = []
    for data, offsets in _buffers(texts):
        first = np.append(data, np.uint8(0))[offsets[:-1]]
        pieces.append(_among(first, ord("!"), ord("~")) & (np.diff(offsets) > 0))
    return np.concatenate([np.empty(0, np.bool_), *pieces])


def have_digits(texts: pa.ChunkedArray, fewest: int) -> Mask:
    """Which texts have at least so many of the digits 0 to 9; it may miss texts of over 255 digits."""
    pieces = [np.empty(0, np.bool_)]
    for data, offsets in _buffers(texts):
        is_digit = np.append(_among(data, ord("0"), ord("9")), np.False_)
        counts = np.add.reduceat(is_digit.view(np.uint8), offsets[:-1], dtype=np.uint8)
        pieces.append((counts >= fewest) & (np.diff(offsets) >= fewest))
    return np.concatenate(pieces)


def have_none_of(texts: pa.ChunkedArray, first: str, last: str) -> Mask:
    """Which texts have no ASCII character from the first to the last."""
    pieces = [_none_in(_among(data, ord(first), ord(last)), offsets) for data, offsets in _buffers(texts)]
    return np.concatenate([np.empty(0, np.bool_), *pieces])


def _buffers(texts: pa.ChunkedArray) -> Iterator[tuple[Bytes, Offsets]]:
    """Each chunk's bytes, and where its texts begin among them, and end."""
    for chunk in texts.cast(pa.large_string()).chunks:
        _validity, places, characters = chunk.buffers()
        if len(chunk):
            offsets = np.frombuffer(places, np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
            data = np.frombuffer(characters or b"", np.uint8)[offsets[0] : offsets[-1]]
            yield data, offsets - offsets[0]


def _among(data: Bytes, first: int, last: int) -> Mask:
    found: Mask = data - np.uint8(first) <= last - first  # below the first it wraps around
    return found


def _none_in(marked: Mask, offsets: Offsets) -> Mask:
    """Which texts have no marked byte."""
    if not marked.any():
        return np.ones(len(offsets) - 1, np.bool_)
    found = np.logical_or.reduceat(np.append(marked, np.False_), offsets[:-1])
    none: Mask = ~found | (offsets[1:] == offsets[:-1])  # of an empty text it tells the next byte
    return none
