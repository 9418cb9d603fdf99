"""Texts that are struck out letter by letter, shared or in cells (ECMA-376 part 1, 18.4 and 18.3.1.53)."""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from dashboard.contacts.read.workbook.parts import blocks, known_parts, place_of, refuse

__all__ = ["Letters", "struck_cells", "struck_texts"]

_OVERLAP_BYTES = 6
_STRIKE = re.compile(b"strike")
_TEXTS = {"si", "is"}
_FEWEST_OF_PHONE = 4


class Letters:
    """A text's letters; it counts as struck out if all are, or so many digits: an old number beside a new."""

    def __init__(self) -> None:
        self._struck, self._others, self._digits = False, False, 0

    def add(self, letters: str, *, is_struck: bool) -> None:
        """Go on with these."""
        if is_struck:
            self._digits += sum(map(str.isdigit, letters))
            self._struck |= bool(letters.strip())
        else:
            self._others |= bool(letters.strip())

    @property
    def are_struck(self) -> bool:
        """Whether the text counts as struck out."""
        return self._digits >= _FEWEST_OF_PHONE or (self._struck and not self._others)


def struck_texts(archive: zipfile.ZipFile, most_bytes: int) -> frozenset[int]:
    """The numbers of the shared texts that count as struck out; most files have none."""
    for part in known_parts(archive, "sharedStrings"):
        if _mentions_any(blocks(archive, part, most_bytes)):
            return frozenset(number for number, _cell in _struck(blocks(archive, part, most_bytes)))
    return frozenset()


def struck_cells(archive: zipfile.ZipFile, part: str) -> list[tuple[int, int]]:
    """Row and column of a worksheet's cells whose own text counts as struck out, 0 if they do not say it."""
    return [place_of(cell) or (0, 0) for _text, cell in _struck(blocks(archive, part, sys.maxsize))]


def _struck(found: Iterator[bytes]) -> list[tuple[int, str]]:
    look = _Look()
    for block in found:
        look.parser.Parse(block)
    return look.struck


def _mentions_any(found: Iterator[bytes]) -> bool:
    tail = b""
    for block in found:
        if _STRIKE.search(tail + block):
            return True
        tail = block[-_OVERLAP_BYTES:]
    return False


class _Look:
    """Follows the elements, and keeps number and cell of the texts that are struck out."""

    def __init__(self) -> None:
        self.struck: list[tuple[int, str]] = []
        self._text, self._cell, self._is_struck, self._letters = -1, "", False, Letters()
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.StartDoctypeDeclHandler = refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if kind == "c":
            self._cell = attributes.get("r", "")
        elif kind in _TEXTS:
            self._text += 1
            self._is_struck, self._letters = False, Letters()
        elif kind == "r":
            self._is_struck = False
        elif kind == "strike":
            self._is_struck = attributes.get("val") not in {"0", "false"}
        elif kind == "t":
            self.parser.CharacterDataHandler = self._note

    def _end(self, name: str) -> None:
        kind = name.rpartition(" ")[2]
        if kind == "t":
            self.parser.CharacterDataHandler = None
        elif kind in _TEXTS and self._letters.are_struck:
            self.struck.append((self._text, self._cell))

    def _note(self, letters: str) -> None:
        self._letters.add(letters, is_struck=self._is_struck)
