"""xl/styles.xml: number formats and fonts of the styles that cells refer to (ECMA-376 part 1, 18.8)."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from xml.parsers import expat

from dashboard.contacts.read.workbook.number_format import BUILT_IN, FOLLOW_SYSTEM, GENERAL
from dashboard.contacts.read.workbook.parts import blocks, parts_by_relation, refuse, small_xml

__all__ = ["STRUCK_TEXT", "Styles", "counts_from_1904", "named", "styles_of"]

_MOST_BYTES = 2**26
_MOST_ELEMENTS = 1_000_000
"""Excel writes at most 65,490 styles; ten elements each are more than any file has."""

STRUCK_TEXT = -1
"""Stands for the style of a cell whose text is struck out, whatever its style."""


class Styles(NamedTuple):
    """The number format of styles that have one, and the styles, shared texts and rules that strike out."""

    codes: Mapping[int, str] = MappingProxyType({})
    struck: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()
    rules: frozenset[int] = frozenset()


def styles_of(archive: zipfile.ZipFile) -> Styles:
    """What styles say of cells.

    Raises:
        SheetError: They declare entities, or there are more than any spreadsheet program writes.
        expat.ExpatError: They are damaged.
        ValueError: They have other numbers than whole ones.
    """
    look = _Look()
    for part in _parts(archive):
        for block in blocks(archive, part, _MOST_BYTES):
            look.parser.Parse(block)
    return named(look.styles, look.formats, look.struck["fonts"])._replace(
        rules=frozenset(look.struck["dxfs"])
    )


def _parts(archive: zipfile.ZipFile) -> list[str]:
    here = archive.namelist()
    return [part for part in parts_by_relation(archive, "workbook.xml", "styles").values() if part in here]


def named(styles: Sequence[tuple[int, int]], formats: Mapping[int, str], struck: Collection[int]) -> Styles:
    """What each style says, of the numbers of its format and font, the formats spelled, and fonts struck out.

    A format that neither the file nor the standard spells is named by its number.
    """
    own = {number: code for number, code in formats.items() if number not in FOLLOW_SYSTEM}
    used = {number for number, _font in styles}
    codes = {number: own.get(number) or BUILT_IN.get(number, f"system format {number}") for number in used}
    return Styles(
        {
            style: codes[number]
            for style, (number, _font) in enumerate(styles)
            if codes[number] not in GENERAL
        },
        frozenset(style for style, (_number, font) in enumerate(styles) if font in struck),
    )


def counts_from_1904(archive: zipfile.ZipFile) -> bool:
    """Whether the workbook counts days from 1904, as Excel on a Macintosh did."""
    about = small_xml(archive, "xl/workbook.xml").find("{*}workbookPr")
    return about is not None and about.get("date1904") in {"1", "true"}


class _Look:
    """Follows the elements and keeps the numbers of each style's format and font, and what these are."""

    def __init__(self) -> None:
        self.styles: list[tuple[int, int]] = []
        self.formats: dict[int, str] = {}
        self.struck: dict[str, set[int]] = {"fonts": set(), "dxfs": set()}
        self._elements, self._place, self._inside = 0, -1, ""
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler, self.parser.StartDoctypeDeclHandler = self._start, refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > _MOST_ELEMENTS:
            refuse()
        kind = name.rpartition(" ")[2]
        if kind in {"numFmts", "fonts", "cellXfs", "cellStyleXfs", "dxfs"}:
            self._inside, self._place = kind, -1
        elif kind == "numFmt" and self._inside == "numFmts":
            self.formats[int(attributes.get("numFmtId", -1))] = attributes.get("formatCode", "")
        elif kind == "xf" and self._inside == "cellXfs":
            self.styles.append((int(attributes.get("numFmtId", 0)), int(attributes.get("fontId", 0))))
        elif self._inside in self.struck:
            self._place += kind == self._inside.removesuffix("s")
            if kind == "strike" and attributes.get("val") not in {"0", "false"}:
                self.struck[self._inside].add(self._place)
