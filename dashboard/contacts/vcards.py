"""Business cards (vCard 2.1, 3.0 and 4.0: RFC 2426, RFC 6350), one contact each.

A card may hold many numbers. They go into one column for each kind, several of a kind into one cell, parted
by semicolons: from there on they are what any sheet has.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pandas as pd
import vobject

from dashboard.contacts.encoding import to_utf8
from dashboard.contacts.limits import Limits
from dashboard.contacts.table import Table
from dashboard.errors import SheetError
from dashboard.words import N_, _, count

__all__ = ["read_vcards"]

_COLUMNS = (
    *("full name", "first name", "last name", "mobile", "phone", "home phone", "work phone", "fax", "pager"),
    *("email", "company", "country"),
)
_KINDS = {  # the first that a number has tells its column
    "fax": "fax",
    "pager": "pager",
    "cell": "mobile",
    "mobile": "mobile",
    "iphone": "mobile",
    "text": "mobile",
    "home": "home phone",
    "work": "work phone",
}
vobject.base.logger.disabled = True  # it would print the lines that it cannot read, numbers and names
_NOT_READ = N_("Business card {number} cannot be read. Export the contacts again as vCard 3.0, or as CSV.")


def read_vcards(data: bytes, *, encoding: str | None, limits: Limits) -> Table:
    """Read business cards; rows are the cards, counted from 1.

    Raises:
        SheetError: A card cannot be read, or there are too many.
    """
    content, encoding, guessed = to_utf8(data, encoding)
    notes = (
        [_("The encoding was guessed: {encoding}. Letters may be wrong.").format(encoding=encoding)]
        if guessed
        else []
    )
    contacts = []
    deadline = time.monotonic() + limits.child_time_s
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    for card in _cards(text):
        contacts.append(_contact(card))
        if time.monotonic() > deadline:
            raise SheetError(
                _(
                    "The first {number} business cards took {seconds} s, the most that is allowed. Split "
                    "the file, or export the contacts as CSV."
                ).format(number=count(len(contacts)), seconds=f"{limits.child_time_s:g}")
            )
        if len(contacts) > limits.csv_rows:
            raise SheetError(
                _(
                    "The file has more than {most} business cards, the most that can be read. Split it."
                ).format(most=count(limits.csv_rows))
            )
    frame = pd.DataFrame(contacts, columns=list(_COLUMNS)).fillna("").astype("str")
    return Table(
        cells=frame.set_axis(range(len(_COLUMNS)), axis=1),
        rows=pd.Series(range(1, len(frame) + 1), dtype="int64"),
        titles=_COLUMNS,
        notes=(*notes, _("Rows are business cards, counted from 1.")),
        encoding=encoding,
    )


def _cards(text: str) -> Iterator[vobject.base.Component]:
    number = 0
    try:
        for card in vobject.readComponents(text, ignoreUnreadable=True, allowQP=True):
            number += 1
            yield card
    except (vobject.base.VObjectError, ValueError, LookupError, AttributeError, IndexError, TypeError):
        raise SheetError(_(_NOT_READ).format(number=count(number + 1))) from None


def _contact(card: vobject.base.Component) -> dict[str, str]:
    """What a card says, by column."""
    values: dict[str, dict[str, None]] = {column: {} for column in _COLUMNS}  # in order, each once
    for line in card.lines():
        for column, text in _read(line):
            if text:
                values[column][text] = None
    return {column: "; ".join(texts) for column, texts in values.items()}


def _read(line: vobject.base.ContentLine) -> Iterator[tuple[str, str]]:
    name, value = line.name.upper(), line.value
    if name == "TEL":
        phone = str(value).strip()
        is_address = phone.lower().startswith("tel:")  # RFC 3966: parameters follow a semicolon
        yield _phone_column(line), phone[4:].partition(";")[0] if is_address else phone
    elif name == "N" and not isinstance(value, str):
        yield "first name", _words(value.given)
        yield "last name", _words(value.family)
    elif name == "FN":
        yield "full name", _words(value)
    elif name == "EMAIL":
        yield "email", _words(value)
    elif name == "ORG":
        yield "company", _words(value)
    elif name == "ADR" and not isinstance(value, str):
        yield "country", _words(value.country)


def _phone_column(line: vobject.base.ContentLine) -> str:
    given = [*line.singletonparams, *line.params.get("TYPE", [])]  # vCard 2.1 names types without "TYPE="
    types = {word.strip().lower() for words in given for word in words.split(",")}
    return next((column for kind, column in _KINDS.items() if kind in types), "phone")


def _words(value: str | list[str]) -> str:
    return " ".join((value if isinstance(value, str) else " ".join(filter(None, value))).split())
