"""From a text file's bytes to UTF-8, and how certain that is."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

import chardet

from dashboard.contacts.words.lexicon import known_headers
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["Decoded", "to_utf8"]

_SAMPLE_BYTES = 65_536
_CHECKED_BYTES = 2**16
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What spreadsheet programs of the last thirty years write when they do not write Unicode.
_CANDIDATES = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949", "koi8_r", "mac_roman", "cp850"),
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_GOOD_LETTERS_PER_BROKEN = 10
_MISTAKEN = {"ascii": "cp1252", "iso8859-1": "cp1252", "utf-8": "cp1252", "mac-latin2": "mac_roman"}
"""What chardet says for other files: Central European ones from old Macs are the rarest."""
_ODD = re.compile(
    r"[^\W\d_A-Z][A-Z\u00c0-\u00d6\u00d8-\u00de\u0102\u0104\u0106\u010c\u010e\u0110\u0118\u011a\u011e\u0141"
    r"\u0143\u0147\u0150\u0158\u015a\u015e\u0160\u0164\u016e\u0170\u0179\u017b\u017d\u0391-\u03a9\u0410-\u042f]"
    r"|[A-Za-z\u00c0-\u024f][\u0370-\u1ffe]|[\u0370-\u1ffe][A-Za-z\u00c0-\u024f]"
    r"|[^\W\d_][\x80-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2500-\u259f]+[^\W\d_]"
)
"""A capital after a small letter, letters of two scripts side by side, a sign or a line between letters."""


class Decoded(NamedTuple):
    """A file's content in UTF-8, the encoding it was read with, and whether that was guessed."""

    content: bytes
    encoding: str
    guessed: bool


def to_utf8(data: bytes, encoding: str | None = None) -> Decoded:
    """Read bytes as text: as told, else by byte order mark, UTF-16's NULs, UTF-8, else by a guess.

    Raises:
        SheetError: The encoding given does not exist or does not fit.
    """
    if encoding is not None:
        return Decoded(_as_told(data, encoding), encoding, guessed=False)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Decoded(_convert(data, name), name, guessed=False)
    wide = _wide_without_mark(data[:4096])
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
    """Whether it is UTF-8, checked in pieces: a whole file's text would take up to four times its size."""
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
    shown = repr(encoding[:40])
    try:
        return _convert(data, encoding, "strict")
    except UnicodeError:
        raise SheetError(
            _(
                "The file is not written in {encoding}. Choose another encoding, or leave it to be guessed."
            ).format(encoding=shown)
        ) from None
    except (LookupError, ValueError):  # a NUL in its name
        raise SheetError(
            _("There is no encoding called {encoding}. Try utf-8, cp1252 or utf-16.").format(encoding=shown)
        ) from None


def _wide_without_mark(start: bytes) -> str | None:
    """UTF-16 puts a NUL in every second byte of Latin letters and digits, on one side; UTF-32 two in four."""
    pairs = len(start) // 2
    if not pairs:
        return None
    left, right = start[: 2 * pairs : 2].count(0), start[1 : 2 * pairs : 2].count(0)
    if len(start) % 4 == 0 and not any(start[2::4] + start[3::4]):
        return "utf-32-le"
    if len(start) % 4 == 0 and not any(start[0::4] + start[1::4]):
        return "utf-32-be"
    if right > 0.2 * pairs and left < 0.1 * right:
        return "utf-16-le"
    if left > 0.2 * pairs and right < 0.1 * left:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    """The encoding with most known words in the header, then fewest odd words; chardet's guess wins ties."""
    sample = data[:_SAMPLE_BYTES]
    if _is_nearly_utf8(data):
        return "utf-8"
    detected = chardet.detect(sample)["encoding"]
    names = list(dict.fromkeys([_usable(detected), *_CANDIDATES]))
    best = max(names, key=lambda name: _plausibility(sample, name))
    text = sample.decode(best, "replace")
    alike = (name for name in _CANDIDATES if sample.decode(name, "replace") == text)
    return next(alike, best)  # of encodings that read the same letters, the one people know


def _is_nearly_utf8(data: bytes) -> bool:
    """Whether only a few bytes are broken in a text with many more valid UTF-8 letters beyond ASCII."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return _GOOD_LETTERS_PER_BROKEN * broken < len(_BEYOND_ASCII.findall(text)) - broken


def _usable(detected: str | None) -> str:
    try:
        name = codecs.lookup(detected or "cp1252").name
    except LookupError:
        return "cp1252"
    return _MISTAKEN.get(name, name)


def _plausibility(sample: bytes, encoding: str) -> tuple[int, int]:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeError:
        return -1, 0
    known = max((known_headers(_cells(line)) for line in text.splitlines()[:10]), default=0)
    return known, -len(_ODD.findall(text))


def _cells(line: str) -> list[str]:
    delimiter = max(",;\t|", key=line.count)
    return [cell.strip(' "') for cell in line.split(delimiter)]
