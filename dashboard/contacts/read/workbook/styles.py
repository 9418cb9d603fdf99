"""xl/styles.xml: number formats and fonts of the styles that cells refer to (ECMA-376 part 1, 18.8)."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from xml.etree.ElementTree import Element

from dashboard.contacts.read.workbook.number_format import BUILT_IN, FOLLOW_SYSTEM, GENERAL
from dashboard.contacts.read.workbook.parts import known_parts, small_xml

__all__ = ["STRUCK_TEXT", "Styles", "counts_from_1904", "named", "styles_of"]

_MOST_BYTES = 2**26
_MOST_TAGS = 1_000_000
"""Excel writes at most 65,490 styles; fifteen tags each are more than any file has."""

STRUCK_TEXT = -1
"""Stands for the style of a cell whose text is struck out, whatever its style."""


class Styles(NamedTuple):
    """The number format of styles that have one, and the styles, shared texts and rules that strike out."""

    codes: Mapping[int, str] = MappingProxyType({})
    struck: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()
    rules: frozenset[int] = frozenset()


def styles_of(archive: zipfile.ZipFile) -> Styles:
    """What styles say of cells."""
    parts = known_parts(archive, "styles")
    root = small_xml(archive, parts[0], _MOST_BYTES, _MOST_TAGS) if parts else Element("styleSheet")
    styles = [
        (int(style.get("numFmtId", 0)), int(style.get("fontId", 0)))
        for style in root.iterfind("{*}cellXfs/{*}xf")
    ]
    formats = {
        int(one.get("numFmtId", -1)): one.get("formatCode", "")
        for one in root.iterfind("{*}numFmts/{*}numFmt")
    }
    struck = _struck(root.iterfind("{*}fonts/{*}font"))
    return named(styles, formats, struck)._replace(rules=_struck(root.iterfind("{*}dxfs/{*}dxf")))


def _struck(elements: Iterable[Element]) -> frozenset[int]:
    """The places of those that strike out."""
    return frozenset(
        place
        for place, element in enumerate(elements)
        if any(strike.get("val") not in {"0", "false"} for strike in element.iterfind(".//{*}strike"))
    )


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
