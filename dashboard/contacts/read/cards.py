"""Business cards (vCard 2.1, 3.0 and 4.0: RFC 2426, RFC 6350), one contact each.

A card may hold many numbers. They go into one column per kind, several of a kind into one cell, separated by
semicolons: from there on they are like any sheet's. Notes, categories and whatever else is text get a column
each, because a refusal may stand there; pictures and what only programs read stay out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

import pandas as pd
import vobject

from dashboard.contacts.read.cell_bounds import check_width
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import Table
from dashboard.contacts.read.text.encoding import to_utf8
from dashboard.contacts.vocabulary.consent.refusal import refusal_in
from dashboard.contacts.vocabulary.known_words.own_line import is_own_label
from dashboard.errors import SheetError
from dashboard.words import _, count, plural

__all__ = ["read_vcards"]

_COLUMNS = (
    *("full name", "first name", "last name", "mobile", "phone", "home phone", "work phone", "fax", "pager"),
    *("labelled phone", "email", "company", "country"),
)
_KINDS = {  # the first type that a number has decides its column
    "fax": "fax",
    "pager": "pager",
    "cell": "mobile",
    "mobile": "mobile",
    "iphone": "mobile",
    "text": "mobile",
    "home": "home phone",
    "work": "work phone",
}
_NEVER = ("fax", "pager")
_OF_WORDS = {"FN": "full name", "EMAIL": "email", "ORG": "company"}
vobject.base.logger.disabled = True  # it would print the lines it cannot read, with numbers and names
_NAME = re.compile(r"(?:[\w-]+\.)?([A-Za-z0-9_-]+)\s*[;:]")
_PARTS = frozenset({"FN", "N", "TEL", "EMAIL", "ORG", "ADR", "VERSION", "X-ABLABEL"})
_FOR_PROGRAMS = frozenset(
    {
        *("PHOTO", "LOGO", "SOUND", "KEY", "AGENT", "PRODID", "REV", "UID", "KIND", "CLASS", "PROFILE"),
        *("SOURCE", "CLIENTPIDMAP", "MAILER", "GEO", "TZ", "XML", "MEMBER", "CALURI", "CALADRURI", "FBURL"),
        *("", "SORT-STRING", "X-ABADR", "X-ABUID", "X-ABSHOWAS", "X-ABCROPRECTANGLE"),
    }
)
_BINARY = re.compile(r"[^:]*;\s*(?:ENCODING\s*=\s*)?(?:B|BASE64)\s*[;:]|[^:]*:data:", re.IGNORECASE)
_PLAIN = frozenset({"voice", "pref", "main", "msg", "video", "internet", "other", "dom", "intl", "pcs"})
"""Types that leave a number the person's own; one of any other type, such as "assistant", is kept apart."""
_BEGIN = re.compile(r"\s*BEGIN\s*:\s*VCARD\s*$", re.IGNORECASE)
_END = re.compile(r"\s*END\s*:\s*VCARD\s*$", re.IGNORECASE)
_AGENT = re.compile(r"(?:[\w-]+\.)?AGENT\b", re.IGNORECASE)
_BROKEN = (vobject.base.VObjectError, ValueError, LookupError, AttributeError, TypeError)
_NAME_OF_VERSION = re.compile(r"(?:[\w-]+\.)?VERSION\s*[;:]", re.IGNORECASE)
_Lines = list[tuple[str, int]]
_Value = str | list["_Value"]


@dataclass
class _Read:
    """The contacts so far, the place of each, and the places of cards with unreadable parts."""

    contacts: list[dict[str, str]] = field(default_factory=list)
    columns: dict[str, None] = field(default_factory=lambda: dict.fromkeys(_COLUMNS))
    places: list[int] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)
    in_part: list[int] = field(default_factory=list)


def read_vcards(data: bytes, *, encoding: str | None, limits: Limits) -> Table:
    """Read business cards; rows are the cards, counted from 1.

    Raises:
        SheetError: No card can be read, or there are too many.
    """
    content, encoding, guessed = to_utf8(data, encoding)
    notes = (
        [_("The encoding was guessed: {encoding}. Letters may be wrong.").format(encoding=encoding)]
        if guessed
        else []
    )
    deadline = time.monotonic() + limits.child_time_s
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    read = _Read()
    for place, lines in enumerate(_cards(text), 1):
        _take(read, place, lines)
        _check(place, deadline, limits)
        check_width(len(read.columns), limits)
    if not read.contacts:
        raise SheetError(
            _("No business card in the file can be read. Export the contacts again as vCard 3.0, or as CSV.")
        )
    cells = {
        place: [contact.get(name, "") for contact in read.contacts] for place, name in enumerate(read.columns)
    }
    return Table(
        cells=pd.DataFrame(cells, dtype="str"),
        rows=pd.Series(read.places, dtype="int64"),
        titles=tuple(read.columns),
        notes=(*notes, *_unread(read), _("Rows are business cards, counted from 1.")),
        encoding=encoding,
    )


def _check(cards: int, deadline: float, limits: Limits) -> None:
    if time.monotonic() > deadline:
        raise SheetError(
            _(
                "The first {number} business cards took {seconds} s, the longest allowed. Split the "
                "file, or export the contacts as CSV."
            ).format(number=count(cards), seconds=f"{limits.child_time_s:g}")
        )
    if cards > limits.csv_rows:
        raise SheetError(
            _("The file has more than {most} business cards, the most that can be read. Split it.").format(
                most=count(limits.csv_rows)
            )
        )


def _unread(read: _Read) -> Iterator[str]:
    """What a person has to know about damaged cards: their places, not their contents."""
    if read.left_out:
        yield plural(
            len(read.left_out),
            "Left out: {count} business card that cannot be read, or is cut off (card {places}).",
            "Left out: {count} business cards that cannot be read, or are cut off (cards {places}).",
            places=some_of(read.left_out),
        )
    if read.in_part:
        yield plural(
            len(read.in_part),
            "Read in part: {count} business card (card {places}); a name or number may be missing.",
            "Read in part: {count} business cards (cards {places}); names or numbers may be missing.",
            places=some_of(read.in_part),
        )


def _cards(text: str) -> Iterator[_Lines | None]:
    """The lines needed from each card; None for a card that is cut off."""
    lines: _Lines | None = None
    for line, number in _outer_lines(text):
        if _BEGIN.match(line):
            if lines is not None:
                yield None
            lines = []
        elif lines is not None and _END.match(line):
            yield lines
            lines = None
        elif lines is not None and _is_wanted(line):
            lines.append((line, number))
    if lines is not None:
        yield None


def _outer_lines(text: str) -> Iterator[tuple[str, int]]:
    """All lines except those of a card inside a card, which is another person's, such as a secretary's."""
    inside, before = False, ""
    for line, number in vobject.base.getLogicalLines(StringIO(text), allowQP=True):
        if _BEGIN.match(line) and _AGENT.match(before):
            inside = True
        if not inside:
            yield line, number
        elif _END.match(line):
            inside = False
        before = line


def _is_wanted(line: str) -> bool:
    """Whether a line is needed: a damaged photo does not matter here."""
    return _name(line) not in _FOR_PROGRAMS and not _BINARY.match(line)


def _name(line: str) -> str:
    name = _NAME.match(line)
    return "" if name is None else name.group(1).upper()


def _take(read: _Read, place: int, lines: _Lines | None) -> None:
    found, whole = ([], False) if lines is None else _parsed(lines)
    if not found:
        read.left_out.append(place)
        return
    if not whole:
        read.in_part.append(place)
    contact = _contact(found)
    read.contacts.append(contact)
    read.columns.update(dict.fromkeys(contact))
    read.places.append(place)


def _parsed(lines: _Lines) -> tuple[list[vobject.base.ContentLine], bool]:
    """The lines that can be read, and whether those are all of them."""
    version = next((text.partition(":")[2].strip() for text, _ in lines if _NAME_OF_VERSION.match(text)), "")
    card = vobject.base.getBehavior("VCARD", version) or vobject.base.getBehavior("VCARD")
    found, whole = [], True
    for text, number in lines:
        try:
            line = vobject.base.textLineToContentLine(text, number)
            line.parentBehavior = card
            line.autoBehavior()
            found.append(line.transformToNative())
        except _BROKEN:
            name = _name(text)
            if name in _PARTS:
                whole = False
            else:  # a note in letters that nobody knows: what can be read of it may refuse
                found.append(vobject.base.ContentLine(name, [], text.partition(":")[2]))
    return found, whole


def _contact(lines: list[vobject.base.ContentLine]) -> dict[str, str]:
    """What a card says, by column."""
    values: dict[str, dict[str, None]] = {}  # in order, each once
    labels = {line.group: str(line.value) for line in lines if line.group and line.name == "X-ABLABEL"}
    for line in lines:
        for column, text in _told(line, labels.get(line.group, "")):
            if text:
                values.setdefault(column, {})[text] = None
    return {column: "; ".join(texts) for column, texts in values.items()}


def _told(line: vobject.base.ContentLine, label: str) -> Iterator[tuple[str, str]]:
    name, value = line.name.upper(), line.value
    if name == "TEL":
        yield _phone_column(line, label), _phone(str(value).strip())
        if refusal_in(label):  # "do not text", where others write "Work"
            yield "remark", label
    elif name == "N" and not isinstance(value, str):
        yield "first name", _words(value.given)
        yield "last name", _words(value.family)
    elif name in _OF_WORDS:
        yield _OF_WORDS[name], _words(value)
    elif name == "ADR" and not isinstance(value, str):
        yield "country", _words(value.country)
    elif name not in _PARTS:
        yield _column_of(name), "; ".join(_texts(value))


def _phone(number: str) -> str:
    is_address = number.lower().startswith("tel:")  # RFC 3966: parameters follow a semicolon
    return number[4:].partition(";")[0] if is_address else number


def _column_of(name: str) -> str:
    """What the column of a property is called: "note", "sms optout" of X-SMS-OPTOUT."""
    column = name.removeprefix("X-").replace("-", " ").lower()
    return name.lower() if column in _COLUMNS else column


def _texts(value: _Value) -> Iterator[str]:
    """Every text of a value, with its line breaks."""
    if isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif str(value).strip():
        yield str(value).strip()


def _phone_column(line: vobject.base.ContentLine, label: str) -> str:
    """The column for a number, by its types and by the label its owner typed: "Assistant", "Home fax"."""
    given = [*line.singletonparams, *line.params.get("TYPE", [])]  # vCard 2.1 names types without "TYPE="
    types = {word.strip().lower() for words in given for word in words.split(",")}
    known = next((column for kind, column in _KINDS.items() if kind in types), "phone")
    if known in _NEVER:
        return known
    is_plain = all(kind.removeprefix("x-") in _PLAIN or kind in _KINDS or not kind for kind in types)
    return known if is_plain and is_own_label(label) else "labelled phone"


def _words(value: _Value) -> str:
    """A value as one text; if it has several parts, as "Smith, Jones" has in a card, with blanks between."""
    if isinstance(value, str):
        return " ".join(value.split())
    return " ".join(filter(None, map(_words, value)))
