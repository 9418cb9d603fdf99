"""Names that a text would greet people by and that may be none: counted before they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.arguments import checks_arguments
from dashboard.campaigns.length.normal import as_text_column
from dashboard.campaigns.text.fields import columns_of
from dashboard.campaigns.text.fillers import MAY_BE_NAMES, are_fillers, holds_names
from dashboard.campaigns.text.other_syntax import usual_field
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.variants import Variant
from dashboard.contacts import ContactList
from dashboard.contacts.joining import BLOCK
from dashboard.contacts.read.note_words import some_of
from dashboard.words import plural

_MAILBOXES = pa.array(
    [
        *("info", "sales", "admin", "administrator", "office", "mail", "email", "e-mail", "contact", "hello"),
        *(
            "support",
            "service",
            "team",
            "help",
            "webmaster",
            "postmaster",
            "noreply",
            "no-reply",
            "enquiries",
        ),
        *("inquiries", "bookings", "reservations", "reception", "accounts", "billing", "orders"),
        *("kontakt", "buero", "büro", "vertrieb", "empfang", "verwaltung", "contacto", "ventas", "contato"),
        *("marketing", "contatto", "vendite", "ufficio", "accueil", "biuro", "verkoop"),
    ],
    pa.large_string(),
)
_OF_ADDRESSES = r"[@._\d]"
"""A name that has one of these may be an address; "anna", as in anna@example.com, is a name."""
_ROWS_READ = 6
"""One more than a sentence names."""

_Row = Callable[[int], str]


@checks_arguments()
def name_hints(contacts: ContactList | pd.DataFrame, template: str | Sequence[Variant]) -> tuple[str, ...]:
    """What to know about the names in a text, before people read them.

    Args:
        contacts: As for `write_messages`.
        template: The text, or several variants.

    Returns:
        A sentence for each column of names that the text has and each of these: fillers such as N/A, which
        count as blank; fillers that may be names, such as Null; e-mail addresses, what such an address begins
        with in the same row, and mailboxes such as info. Each with how many and in which rows.

    Raises:
        TemplateError: The template has a mistake.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["N/A"]})
        >>> name_hints(people, "Hi {{first_name|there}}!")
        ('first_name: 1 filler such as N/A counts as blank (row 1).',)
    """
    if isinstance(contacts, ContactList):
        frame, meaning = contacts.sendable, contacts.how.columns.fields
    else:
        frame, meaning = contacts, None
    texts = [template] if isinstance(template, str) else [variant.template for variant in template]
    used = {column for text in texts for column in _inserted(text, frame, meaning)}
    columns = [name for name in frame.columns if name in used and holds_names(name, meaning)]
    if not columns:
        return ()
    emails, row = _emails(frame, meaning), _row_of(contacts, frame)
    said = (_sentences(str(column), _trimmed(frame[column]), emails, row) for column in columns)
    return tuple(chain.from_iterable(said))


def _inserted(text: str, frame: pd.DataFrame, meaning: Mapping[str, str] | None) -> list[str]:
    template = parse_template(text)
    columns = columns_of(template, frame, meaning)
    return [columns[field] for field in template.fields]


def _sentences(column: str, names: pa.Array, emails: pa.Array | None, row: _Row) -> Iterator[str]:
    found, rows = _rows_where(are_fillers(names), row)
    if found:
        yield plural(
            found,
            "{column}: {count} filler such as N/A counts as blank (row {rows}).",
            "{column}: {count} fillers such as N/A count as blank (row {rows}).",
            column=column,
            rows=rows,
        )
    found, rows = _rows_where(pc.is_in(names, value_set=MAY_BE_NAMES), row)
    if found:
        yield plural(
            found,
            "{column}: {count} cell may be a filler, such as Null or X; it is sent unchanged (row {rows}).",
            "{column}: {count} cells may be fillers, such as Null or X; they are sent unchanged "
            "(row {rows}).",
            column=column,
            rows=rows,
        )
    found, rows = _rows_where(_are_addresses(names, emails), row)
    if found:
        yield plural(
            found,
            "{column}: {count} cell is an e-mail address, its beginning or a mailbox such as info; it is "
            "sent unchanged (row {rows}).",
            "{column}: {count} cells are e-mail addresses, their beginnings or mailboxes such as info; "
            "they are sent unchanged (row {rows}).",
            column=column,
            rows=rows,
        )


def _are_addresses(names: pa.Array, emails: pa.Array | None) -> pa.Array:
    """Which names are an address, a mailbox, or what the row's address begins with and nobody is called."""
    names = pc.utf8_lower(names)
    found = pc.or_(pc.match_substring(names, "@"), pc.is_in(names, value_set=_MAILBOXES))
    if emails is None:
        return found
    before = pc.utf8_lower(pc.replace_substring_regex(emails, r"@.*$", ""))
    is_odd = pc.match_substring_regex(names, _OF_ADDRESSES)
    return pc.or_(found, pc.and_(is_odd, pc.equal(names, before)))


def _emails(frame: pd.DataFrame, meaning: Mapping[str, str] | None) -> pa.Array | None:
    named = [name for name in frame.columns if usual_field(str(name)) == "email"]
    column = (meaning or {}).get("email", named[0] if named else None)
    return None if column is None else _trimmed(frame[column])


def _trimmed(cells: pd.Series) -> pa.Array:
    return pc.fill_null(pc.utf8_trim_whitespace(as_text_column(cells)), "")


def _row_of(contacts: ContactList | pd.DataFrame, frame: pd.DataFrame) -> _Row:
    """Tells what a row is called by its place: its number, after its list's name if there are several."""
    lists = list(contacts.lists) if isinstance(contacts, ContactList) else []

    def row(place: int) -> str:
        number = frame["row"].iloc[place] if "row" in frame else place + 1
        return f"{lists[number // BLOCK]} {number % BLOCK}" if lists else str(number)

    return row


def _rows_where(found: pa.Array, row: _Row) -> tuple[int, str]:
    places = np.flatnonzero(found.to_numpy(zero_copy_only=False))
    return len(places), some_of([row(place) for place in places[:_ROWS_READ]])
