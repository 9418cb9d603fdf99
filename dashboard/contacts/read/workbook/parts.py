"""The parts of a zipped workbook, and where its main part says that each of them is.

What is damaged, or larger than any spreadsheet program writes it, raises SheetError within `opened`.
"""

from __future__ import annotations

import copy
import io
import posixpath
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from dashboard.contacts.read.isolated.bounded import DAMAGED, PROTECTED
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = [
    "blocks",
    "column_letters",
    "column_number",
    "inside",
    "known_parts",
    "names_in",
    "opened",
    "parts_by_relation",
    "place_of",
    "refuse",
    "small_part",
    "small_xml",
    "unpacked",
]

_SMALL_PART_BYTES, _BLOCK_BYTES = 2**20, 2**18
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError)
"""What zipfile raises of a damaged archive."""


@contextmanager
def opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    """A zipped workbook.

    Raises:
        SheetError: It is damaged or protected, as whatever is read of it may show.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except (*_BROKEN, LookupError, ValueError, ElementTree.ParseError, expat.ExpatError):
        refuse()
    except RuntimeError:  # zipfile's word for an encrypted member
        raise SheetError(_(PROTECTED)) from None


def refuse(*_doctype: object) -> NoReturn:
    """Say that a workbook is damaged, as one is whose XML has a document type: it may expand endlessly."""
    raise SheetError(_(DAMAGED).format(what=_("workbook"))) from None


def unpacked(archive: zipfile.ZipFile, part: str) -> IO[bytes]:
    """A part to its real end: zipfile stops where the directory says it ends, other readers go on."""
    whole = copy.copy(archive.getinfo(part))
    whole.file_size = sys.maxsize
    return archive.open(whole)


def blocks(archive: zipfile.ZipFile, part: str, most_bytes: int) -> Iterator[bytes]:
    """A part piece by piece, of at most so many bytes."""
    read_bytes = 0
    with unpacked(archive, part) as stream:
        while block := stream.read(_BLOCK_BYTES):
            read_bytes += len(block)
            if read_bytes > most_bytes:
                refuse()
            yield block


def parts_by_relation(archive: zipfile.ZipFile, book: str, kind: str = "") -> dict[str | None, str]:
    """The parts that a workbook's main part, such as "workbook.xml", refers to, by their relations' ids.

    Of one kind, such as "styles", if that is given.
    """
    relations = small_xml(archive, f"xl/_rels/{book}.rels").iterfind("{*}Relationship")
    here = names_in(archive)
    targets = {
        one.get("Id"): inside(one.get("Target", ""))
        for one in relations
        if one.get("Type", "").endswith(kind and f"/{kind}")
    }
    return {name: here.get(target.lower(), target) for name, target in targets.items()}


def known_parts(archive: zipfile.ZipFile, kind: str) -> list[str]:
    """The parts of one kind that a workbook refers to and has."""
    here = archive.namelist()
    return [part for part in parts_by_relation(archive, "workbook.xml", kind).values() if part in here]


def names_in(archive: zipfile.ZipFile) -> dict[str, str]:
    """The name of each part by its lower case: relations may write another, and readers do not mind."""
    return {name.lower(): name for name in archive.namelist()}


def column_number(letters: bytes) -> int:
    """The place of a column, counted from 1: 28 of "AB"."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def column_letters(number: int) -> str:
    """A column's name: "AB" of 28."""
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def place_of(cell: str) -> tuple[int, int] | None:
    """Row and column, counted from 1, of a cell such as "B7"; None if that is no cell's name."""
    place = _CELL.fullmatch(cell)
    return (int(place[2]), column_number(place[1].encode())) if place else None


def inside(target: str, folder: str = "xl") -> str:
    """A target, relative to a folder or to the root, as the archive names it."""
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def small_xml(
    archive: zipfile.ZipFile, part: str, most_bytes: int = _SMALL_PART_BYTES, most_tags: int = sys.maxsize
) -> ElementTree.Element:
    """Parse a short part, which has at most so many tags and declares no entities that could expand."""
    content = small_part(archive, part, most_bytes)
    if b"<!DOCTYPE" in content.replace(b"\x00", b"") or content.count(b"<") > most_tags:  # UTF-16 has NULs
        refuse()
    return ElementTree.fromstring(content)  # noqa: S314  no document type, so no entities


def small_part(archive: zipfile.ZipFile, part: str, most_bytes: int = _SMALL_PART_BYTES) -> bytes:
    """A short part."""
    return b"".join(blocks(archive, part, most_bytes))
