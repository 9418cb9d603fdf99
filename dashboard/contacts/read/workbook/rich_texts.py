"""xl/sharedStrings.xml: texts that are struck out letter by letter (ECMA-376 part 1, 18.4)."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from dashboard.contacts.read.isolated.bounded import DAMAGED
from dashboard.contacts.read.workbook.parts import parts_by_relation, unpacked
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["struck_texts"]

_CHUNK_BYTES = 2**18
_OVERLAP_BYTES = 6
_STRIKE = re.compile(b"strike")


def struck_texts(archive: zipfile.ZipFile, most_bytes: int) -> frozenset[int]:
    """The numbers of the shared texts that are struck out from beginning to end; most files have none.

    Raises:
        SheetError: It unpacks to more bytes than these, or declares entities.
        expat.ExpatError: It is damaged.
    """
    here = archive.namelist()
    for part in parts_by_relation(archive, "workbook.xml").values():
        is_shared = posixpath.basename(part).lower() == "sharedstrings.xml" and part in here
        if is_shared and _mentions_any(_blocks(archive, part, most_bytes)):
            look = _Look()
            for block in _blocks(archive, part, most_bytes):
                look.parser.Parse(block)
            return frozenset(look.struck)
    return frozenset()


def _blocks(archive: zipfile.ZipFile, part: str, most_bytes: int) -> Iterator[bytes]:
    read_bytes = 0
    with unpacked(archive, part) as stream:
        while block := stream.read(_CHUNK_BYTES):
            read_bytes += len(block)
            if read_bytes > most_bytes:
                _refuse()
            yield block


def _mentions_any(blocks: Iterator[bytes]) -> bool:
    tail = b""
    for block in blocks:
        if _STRIKE.search(tail + block):
            return True
        tail = block[-_OVERLAP_BYTES:]
    return False


def _refuse(*_doctype: object) -> None:
    raise SheetError(_(DAMAGED).format(what=_("workbook")))


class _Look:
    """Follows the elements, and keeps the texts all of whose letters are in a run that is struck out."""

    def __init__(self) -> None:
        self.struck: set[int] = set()
        self._text, self._is_struck, self._letters, self._others = -1, False, False, False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.StartDoctypeDeclHandler = _refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if kind == "si":
            self._text += 1
            self._is_struck = self._letters = self._others = False
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
        elif kind == "si" and self._letters and not self._others:
            self.struck.add(self._text)

    def _note(self, letters: str) -> None:
        if letters.strip():
            self._letters |= self._is_struck
            self._others |= not self._is_struck
