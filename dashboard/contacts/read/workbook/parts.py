"""The parts of a zipped workbook, and where its main part says that each of them is."""

from __future__ import annotations

import copy
import posixpath
import re
import sys
import zipfile
import zlib
from typing import IO
from xml.etree import ElementTree

from dashboard.contacts.read.isolated.bounded import DAMAGED
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = [
    "BROKEN",
    "column_number",
    "inside",
    "names_in",
    "parts_by_relation",
    "place_of",
    "small_part",
    "small_xml",
    "unpacked",
]

_SMALL_PART_BYTES = 2**20
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError)
"""What zipfile raises of a damaged archive."""


def unpacked(archive: zipfile.ZipFile, part: str) -> IO[bytes]:
    """A part to its real end: zipfile stops where the directory says it ends, other readers go on."""
    whole = copy.copy(archive.getinfo(part))
    whole.file_size = sys.maxsize
    return archive.open(whole)


def parts_by_relation(archive: zipfile.ZipFile, book: str) -> dict[str | None, str]:
    """The parts that a workbook's main part, such as "workbook.xml", refers to, by their relations' ids.

    Raises:
        SheetError: The relations are missing, or not what a spreadsheet program writes.
    """
    relations = small_xml(archive, f"xl/_rels/{book}.rels").iterfind("{*}Relationship")
    here, targets = names_in(archive), {one.get("Id"): inside(one.get("Target", "")) for one in relations}
    return {name: here.get(target.lower(), target) for name, target in targets.items()}


def names_in(archive: zipfile.ZipFile) -> dict[str, str]:
    """The name of each part by its lower case: relations may write another, and readers do not mind."""
    return {name.lower(): name for name in archive.namelist()}


def column_number(letters: bytes) -> int:
    """The place of a column, counted from 1: 28 of "AB"."""
    number = 0
    for letter in filter(bytes.isalpha, (letters[place : place + 1] for place in range(len(letters)))):
        number = number * 26 + ord(letter.upper()) - 64
    return number


def place_of(cell: str) -> tuple[int, int] | None:
    """Row and column, counted from 1, of a cell such as "B7"; None if that is no cell's name."""
    place = _CELL.fullmatch(cell)
    return (int(place[2]), column_number(place[1].encode())) if place else None


def inside(target: str, folder: str = "xl") -> str:
    """A target, relative to a folder or to the root, as the archive names it."""
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def small_xml(archive: zipfile.ZipFile, part: str) -> ElementTree.Element:
    """Parse a short part that declares no entities, so that none can expand.

    Raises:
        SheetError: It is missing, not short, or declares some.
        ElementTree.ParseError: It is damaged.
    """
    content = small_part(archive, part)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise SheetError(_(DAMAGED).format(what=_("workbook")))
    return ElementTree.fromstring(content)  # noqa: S314  no document type, so no entities


def small_part(archive: zipfile.ZipFile, part: str) -> bytes:
    """A short part.

    Raises:
        SheetError: It is missing or not short.
    """
    try:
        with unpacked(archive, part) as stream:
            content = stream.read(_SMALL_PART_BYTES + 1)
    except KeyError:
        raise SheetError(_(DAMAGED).format(what=_("workbook"))) from None
    if len(content) > _SMALL_PART_BYTES:
        raise SheetError(_(DAMAGED).format(what=_("workbook")))
    return content
