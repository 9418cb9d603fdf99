"""Business cards (vCard 2.1, 3.0 and 4.0: RFC 2426, RFC 6350), one contact each.

A card may hold many numbers. They go into one column per kind, several of a kind into one cell, separated by
semicolons: from there on they are like any sheet's. Notes, categories and whatever else is text get a column
each, because a refusal may stand there; pictures and what only programs read stay out. The lines are parsed
in the separate process (isolated/card_lines.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import pandas as pd

from dashboard.contacts.read.card_groups import OF_GROUPS, groups_among
from dashboard.contacts.read.isolated.bounded import read_in_child
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import Table, check_width
from dashboard.contacts.read.text.encoding import to_utf8
from dashboard.contacts.words.own_line import is_own_label
from dashboard.contacts.words.refusal import refusal_in
from dashboard.errors import SheetError
from dashboard.words import N_, _, count, plural

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
_OF_WORDS = {
    "FN": "full name",
    "N.given": "first name",
    "N.family": "last name",
    "EMAIL": "email",
    "ORG": "company",
    "ADR.country": "country",
}
_LABEL = "X-ABLABEL"
_PLAIN = frozenset({"voice", "pref", "main", "msg", "video", "internet", "other", "dom", "intl", "pcs"})
"""Types that leave a number the person's own; one of any other type, such as "assistant", is kept apart."""
_MOST_DIGITS_OF_NAME = 4
_NO_CARD = N_(
    "A group that refuses texts has members that match no card (card {places}). Look whether they "
    "are here under another spelling, or add their numbers under Opt-outs first."
)


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
    read = read_in_child(content, "vcard", limits, what=N_("file of business cards"))
    _check(read.about, limits)
    lines = read.cells.set_axis(["card", "group", "name", "types", "text"], axis=1)
    cards = {int(place): list(card) for place, card in groupby(lines.itertuples(), key=attrgetter("card"))}
    groups = groups_among(cards)
    contacts = {
        place: _contact(card) | groups.said_of(place)
        for place, card in cards.items()
        if place not in groups.cards
    }
    if not contacts:
        raise SheetError(
            _("No business card in the file can be read. Export the contacts again as vCard 3.0, or as CSV.")
        )
    of_groups = [
        (place, "") for place in sorted(groups.cards) if any(line.name == "TEL" for line in cards[place])
    ]
    about = read.about | {"in_part": [*read.about["in_part"], *of_groups]}
    columns = dict.fromkeys([*_COLUMNS, *(name for contact in contacts.values() for name in contact)])
    check_width(len(columns), limits)
    cells = {
        place: [contact.get(name, "") for contact in contacts.values()] for place, name in enumerate(columns)
    }
    return Table(
        cells=pd.DataFrame(cells, dtype="str"),
        rows=pd.Series(list(contacts), dtype="int64"),
        titles=tuple(columns),
        notes=(
            *notes,
            *_unread(about),
            *([_(_NO_CARD).format(places=_named(groups.strangers))] if groups.strangers else ()),
            _("Rows are business cards, counted from 1."),
        ),
        encoding=encoding,
    )


def _check(about: dict[str, Any], limits: Limits) -> None:
    if about["late"]:
        raise SheetError(
            _(
                "The first {number} business cards took {seconds} s, the longest allowed. Split the "
                "file, or export the contacts as CSV."
            ).format(number=count(about["cards"]), seconds=f"{limits.child_time_s:g}")
        )
    if about["cards"] > limits.csv_rows:
        raise SheetError(
            _("The file has more than {most} business cards, the most that can be read. Split it.").format(
                most=count(limits.csv_rows)
            )
        )


def _unread(about: dict[str, Any]) -> Iterator[str]:
    """Which cards a person has to look at, by their places and names."""
    if about["left_out"]:
        yield plural(
            len(about["left_out"]),
            "Left out: {count} business card that cannot be read, or is cut off (card {places}).",
            "Left out: {count} business cards that cannot be read, or are cut off (cards {places}).",
            places=_named(about["left_out"]),
        )
    if about["in_part"]:
        yield plural(
            len(about["in_part"]),
            "Read in part: {count} business card (card {places}); a name or number may be missing.",
            "Read in part: {count} business cards (cards {places}); names or numbers may be missing.",
            places=_named(about["in_part"]),
        )


def _named(cards: Sequence[tuple[int, str]]) -> str:
    """Some cards by place and, unless it may be a number, name: '2 "Ann Smith", 7'."""
    told = [
        f'{place} "{name}"' if name and sum(map(str.isdecimal, name)) <= _MOST_DIGITS_OF_NAME else f"{place}"
        for place, name in cards
    ]
    return some_of(told)


def _contact(lines: Sequence[Any]) -> dict[str, str]:
    """What a card says, by column."""
    values: dict[str, dict[str, None]] = {}  # in order, each once
    labels = {line.group: line.text for line in lines if line.group and line.name == _LABEL}
    for line in lines:
        for column, text in _told(line, labels.get(line.group, "")):
            if text:
                values.setdefault(column, {})[text] = None
    return {column: "; ".join(texts) for column, texts in values.items()}


def _told(line: Any, label: str) -> Iterator[tuple[str, str]]:
    if line.name == "TEL":
        yield _phone_column(line.types, label), _phone(line.text)
        if refusal_in(label):  # "do not text", where others write "Work"
            yield "remark", label
    elif line.name in _OF_WORDS:
        yield _OF_WORDS[line.name], line.text
    elif line.name != _LABEL and line.name not in OF_GROUPS:
        yield _column_of(line.name), line.text


def _phone(number: str) -> str:
    is_address = number.lower().startswith("tel:")  # RFC 3966: parameters follow a semicolon
    return number[4:].partition(";")[0] if is_address else number


def _column_of(name: str) -> str:
    """What the column of a property is called: "note", "sms optout" of X-SMS-OPTOUT."""
    column = name.removeprefix("X-").replace("-", " ").lower()
    return name.lower() if column in _COLUMNS else column


def _phone_column(given: str, label: str) -> str:
    """The column for a number, by its types and by the label its owner typed: "Assistant", "Home fax"."""
    types = {word.strip().lower() for word in given.split(",")}
    known = next((column for kind, column in _KINDS.items() if kind in types), "phone")
    if known in _NEVER:
        return known
    is_plain = all(kind.removeprefix("x-") in _PLAIN or kind in _KINDS or not kind for kind in types)
    return known if is_plain and is_own_label(label) else "labelled phone"
