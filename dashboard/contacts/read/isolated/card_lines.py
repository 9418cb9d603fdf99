"""The lines of business cards that matter for texting, in the separate process (child.py loads this file).

Only what is needed is parsed: pictures and what only programs read are left out before they are put together,
however large or broken they are. A line that cannot be read spoils neither its card nor the others.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

import vobject

_NAME = re.compile(r"(?:[\w-]+\.)?([A-Za-z0-9_-]+)\s*[;:]")
_PARTS = frozenset({"FN", "N", "TEL", "EMAIL", "ORG", "ADR", "VERSION", "X-ABLABEL"})
_FOR_PROGRAMS = frozenset(
    {
        *("PHOTO", "LOGO", "SOUND", "KEY", "AGENT", "PRODID", "REV", "CLASS", "PROFILE"),
        *("SOURCE", "CLIENTPIDMAP", "MAILER", "GEO", "TZ", "XML", "CALURI", "CALADRURI", "FBURL"),
        *("SORT-STRING", "X-ABADR", "X-ABSHOWAS", "X-ABCROPRECTANGLE"),
    }
)
_BINARY = re.compile(r"[^:]*;\s*(?:ENCODING\s*=\s*)?(?:B|BASE64)\s*[;:]|[^:]*:data:", re.IGNORECASE)
_BEGIN = re.compile(r"\s*BEGIN\s*:\s*VCARD\s*$", re.IGNORECASE)
_END = re.compile(r"\s*END\s*:\s*VCARD\s*$", re.IGNORECASE)
_AGENT = re.compile(r"(?:[\w-]+\.)?AGENT\b", re.IGNORECASE)
_VERSION = re.compile(r"(?:[\w-]+\.)?VERSION\s*[;:]", re.IGNORECASE)
_BROKEN = (vobject.base.VObjectError, ValueError, LookupError, AttributeError, TypeError, RecursionError)
_LISTS = frozenset({"N", "ADR", "ORG", "CATEGORIES"})
_BARE_COMMA = re.compile(r"(?<!\\)((?:\\\\)*),")
_NAMED_BY = ("FN", "N", "ORG", "EMAIL")
_MOST_OF_NAME = 60
Columns = dict[str, list[int] | list[str]]

vobject.base.logger.disabled = True  # it would print the lines it cannot read, with numbers and names


class Line(NamedTuple):
    """A piece of a card: its name, as in TEL or N.given, its types, and one text."""

    group: str
    name: str
    types: str
    text: str


_BLANK = Line("", "FN", "", "")
"""All that a card without any text says."""


class Card(NamedTuple):
    """A card's lines as texts, and whether its end is there."""

    lines: list[str]
    ends: bool


def read_cards(text: str, most: int, until: float) -> tuple[Columns, dict[str, object]]:
    """The lines of all cards, as columns, and which cards could not be read.

    Args:
        text: The file, with line breaks of one sign.
        most: One card more than this is read, no further.
        until: When to stop, in seconds since 1970.

    Returns:
        The columns card (counted from 1), group, name, types and text; and about all cards `cards`, how many
        there are, `left_out` and `in_part`, the places and names of those that could not be read, and
        `late`, whether time was up.
    """
    columns: Columns = {name: [] for name in ("card", *Line._fields)}
    unread: dict[str, list[tuple[int, str]]] = {"left_out": [], "in_part": []}
    place = 0
    for place, card in enumerate(itertools.islice(_cards(text), most + 1), 1):
        found, whole = _parsed(card.lines)
        if not (card.ends and card.lines and (found or whole)):
            unread["left_out"].append((place, _whose(found, card.lines)))
            continue
        if not whole:
            unread["in_part"].append((place, _whose(found, card.lines)))
        for line in found or [_BLANK]:
            for name, value in zip(columns, (place, *line), strict=True):
                columns[name].append(value)  # type: ignore[arg-type]
        if time.time() > until:
            return {name: [] for name in columns}, {"cards": place, **unread, "late": True}
    return columns, {"cards": place, **unread, "late": False}


def _cards(text: str) -> Iterator[Card]:
    """The cards with the lines that are needed."""
    lines: list[str] | None = None
    follows_text = False
    for line in _outer_lines(text):
        if _BEGIN.match(line):
            if lines is not None:
                yield Card(lines, ends=False)
            lines, follows_text = [], False
        elif lines is not None and _END.match(line):
            yield Card(lines, ends=True)
            lines = None
        elif lines is not None and _name(line):
            follows_text = _name(line) not in _FOR_PROGRAMS and not _BINARY.match(line[:1_000])
            lines += [line] * follows_text
        elif lines is not None and follows_text:  # the rest of a note whose line break was not escaped
            lines.append(f"NOTE:{line}")
    if lines is not None:
        yield Card(lines, ends=False)


def _outer_lines(text: str) -> Iterator[str]:
    """All lines except those of a card inside a card, which is another person's, such as a secretary's."""
    inside, before = False, ""
    for line in _unfolded(text):
        if _BEGIN.match(line) and _AGENT.match(before):
            inside = True
        if not inside:
            yield line
        elif _END.match(line):
            inside = False
        before = line[:_MOST_OF_NAME]


def _unfolded(text: str) -> Iterator[str]:
    """Lines with those after them that continue them: behind a blank, or in vCard 2.1 after a last "=".

    A picture of many lines is put together once, not once for each of its lines as by vobject.
    """
    parts: list[str] = []
    is_soft = False
    for line in text.split("\n"):
        if not line.strip():
            if parts:
                yield "".join(parts)
            parts, is_soft = [], False
            continue
        if is_soft:
            parts += ["\n", line]
        elif parts and line[0] in " \t":
            parts.append(line[1:])
        else:
            if parts:
                yield "".join(parts)
            parts = [line]
        is_soft = line.endswith("=") and "quoted-printable" in parts[0].lower()
    if parts:
        yield "".join(parts)


def _name(line: str) -> str:
    name = _NAME.match(line)
    return "" if name is None else name.group(1).upper()


def _parsed(lines: list[str]) -> tuple[list[Line], bool]:
    """The lines that can be read, and whether those are all of them."""
    version = next((text.partition(":")[2].strip() for text in lines if _VERSION.match(text)), "")
    card = vobject.base.getBehavior("VCARD", version) or vobject.base.getBehavior("VCARD")
    found, whole = [], True
    for text in lines:
        try:
            line = vobject.base.textLineToContentLine(text)
            if line.name not in _LISTS:  # or vobject leaves out what stands behind a comma
                line.value = _BARE_COMMA.sub(r"\1\\,", line.value)
            line.parentBehavior = card
            line.autoBehavior()
            found += list(_pieces(line.transformToNative()))
        except _BROKEN:
            name = _name(text)
            if name in _PARTS:
                whole = False
            else:  # a note in letters that nobody knows: what can be read of it may refuse
                found.append(Line("", name, "", text.partition(":")[2].strip()))
    return [line for line in found if line.text], whole


def _pieces(line: vobject.base.ContentLine) -> Iterator[Line]:
    """What a line says, in one piece or more."""
    name, value, group = line.name.upper(), line.value, line.group or ""
    if name == "TEL":
        given = [*line.singletonparams, *line.params.get("TYPE", [])]  # vCard 2.1 names types without "TYPE="
        yield Line(group, name, ",".join(given), str(value).strip())
    elif name == "N" and not isinstance(value, str):
        yield Line(group, "N.given", "", _words(value.given))
        yield Line(group, "N.family", "", _words(value.family))
    elif name == "ADR" and not isinstance(value, str):
        yield Line(group, "ADR.country", "", _words(value.country))
    elif name in {"FN", "EMAIL", "ORG"}:
        yield Line(group, name, "", _words(value))
    elif name == "X-ABLABEL":
        yield Line(group, name, "", str(value))
    elif name not in _PARTS:
        yield Line(group, name, "", "; ".join(_texts(value)))


def _texts(value: object) -> Iterator[str]:
    """Every text of a value, with its line breaks."""
    if isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif str(value).strip():
        yield str(value).strip()


def _words(value: object) -> str:
    """A value as one text; if it has several parts, as "Smith, Jones" has in a card, with blanks between."""
    if isinstance(value, list):
        return " ".join(filter(None, map(_words, value)))
    return " ".join(str(value).split())


def _whose(found: list[Line], lines: list[str]) -> str:
    """Whose card it is, "" where that cannot be told: what the card says, else what stands there unread."""
    for name in _NAMED_BY:
        said = " ".join(line.text for line in found if line.name.partition(".")[0] == name)
        typed = next((text.partition(":")[2] for text in lines if _name(text) == name), "")
        words = " ".join((said or typed.replace(";", " ")).split())
        if words:
            return words[:_MOST_OF_NAME]
    return ""
