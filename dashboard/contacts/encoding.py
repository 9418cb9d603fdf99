"""Bytes of a text file to UTF-8, and how sure that is."""

from __future__ import annotations

import codecs
from typing import NamedTuple

import chardet

from dashboard.contacts.vocabulary import known_headers
from dashboard.errors import SheetError

__all__ = ["Decoded", "to_utf8"]

_SAMPLE_BYTES = 65_536
_CHECKED_BYTES = 2**20
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What spreadsheet programs of the last thirty years write when they do not write Unicode.
_CANDIDATES = (
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
    "mac_roman",
    "cp850",
)


class Decoded(NamedTuple):
    """A file's content in UTF-8, the encoding it was read with, and whether that was guessed."""

    content: bytes
    encoding: str
    guessed: bool


def to_utf8(data: bytes, encoding: str | None = None) -> Decoded:
    """Read bytes as text: as told, else by byte order mark, NULs of UTF-16, UTF-8, else by a guess.

    Raises:
        SheetError: The encoding given does not exist or does not fit.
    """
    if encoding is not None:
        return Decoded(_as_told(data, encoding), encoding, guessed=False)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Decoded(_convert(data, name), name, guessed=False)
    wide = _utf16_without_mark(data[:4096])
    if wide:
        return Decoded(_convert(data, wide), wide, guessed=True)
    if _is_utf8(data):
        return Decoded(data, "utf-8", guessed=False)
    name = _guess(data)
    return Decoded(_convert(data, name), name, guessed=True)


def _convert(data: bytes, encoding: str, errors: str = "replace") -> bytes:
    if encoding == "utf-8-sig" and _is_utf8(data):
        return data.removeprefix(codecs.BOM_UTF8)
    return data.decode(encoding, errors).removeprefix("\ufeff").encode("utf-8", "replace")


def _is_utf8(data: bytes) -> bool:
    """Whether it is, a piece at a time: the text of a whole file would take up to four times its size."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for start in range(0, len(view), _CHECKED_BYTES):
            decoder.decode(view[start : start + _CHECKED_BYTES])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _as_told(data: bytes, encoding: str) -> bytes:
    try:
        return _convert(data, encoding, "strict")
    except LookupError:
        raise SheetError(f"There is no encoding {encoding[:40]!r}. Try utf-8, cp1252 or utf-16.") from None
    except UnicodeError:
        raise SheetError(
            f"The file is not written in {encoding}. Choose another encoding, or leave it to be guessed."
        ) from None


def _utf16_without_mark(start: bytes) -> str | None:
    """UTF-16 puts a NUL in every second byte of Latin letters and digits, always on the same side."""
    pairs = len(start) // 2
    if not pairs:
        return None
    left, right = start[: 2 * pairs : 2].count(0), start[1 : 2 * pairs : 2].count(0)
    if right > 0.2 * pairs and left < 0.1 * right:
        return "utf-16-le"
    if left > 0.2 * pairs and right < 0.1 * left:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    """The encoding in which most header cells are words we know; chardet's guess wins a tie."""
    sample = data[:_SAMPLE_BYTES]
    detected = chardet.detect(sample)["encoding"]
    names = list(dict.fromkeys([_usable(detected), *_CANDIDATES]))
    return max(names, key=lambda name: _header_words(sample, name))


def _usable(detected: str | None) -> str:
    try:
        name = codecs.lookup(detected or "cp1252").name
    except LookupError:
        return "cp1252"
    return "cp1252" if name in {"ascii", "iso8859-1", "utf-8"} else name


def _header_words(sample: bytes, encoding: str) -> int:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeError:
        return -1
    lines = text.splitlines()[:10]
    return max((known_headers(_cells(line)) for line in lines), default=0)


def _cells(line: str) -> list[str]:
    delimiter = max(",;\t|", key=line.count)
    return [cell.strip(' "') for cell in line.split(delimiter)]
