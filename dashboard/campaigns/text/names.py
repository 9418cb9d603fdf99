"""Names that a text would greet people by and that may be none: counted before they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.arguments import checks_arguments
from dashboard.campaigns.length.normal import as_text_column
from dashboard.campaigns.text.fields import columns_of
from dashboard.campaigns.text.fillers import MAY_BE_NAMES, are_fillers, holds_names, plain_cells
from dashboard.campaigns.text.other_syntax import usual_field
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.text.recipients import recipients_of
from dashboard.campaigns.text.template import MergeField, field_key
from dashboard.campaigns.variants import Variant
from dashboard.contacts import ContactList
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.row_numbers import BLOCK
from dashboard.words import _, plural

_WORDS = pa.array(
    [
        *MAY_BE_NAMES,
        *("customer", "valued customer", "dear customer", "client", "user", "subscriber", "kunde", "kundin"),
        *("cliente", "klant", "klient", "name", "first name", "last name", "full name"),
        *("firstname", "lastname", "fullname"),
        # mailboxes
        *("info", "sales", "admin", "administrator", "office", "mail", "email", "e-mail", "contact", "hello"),
        *("support", "service", "team", "help", "webmaster", "postmaster", "noreply", "no-reply"),
        *("enquiries", "inquiries", "bookings", "reservations", "reception", "accounts", "billing", "orders"),
        *("kontakt", "buero", "büro", "vertrieb", "empfang", "verwaltung", "contacto", "ventas", "contato"),
        *("marketing", "contatto", "vendite", "ufficio", "accueil", "biuro", "verkoop"),
    ],
    pa.large_string(),
)
_NUMBER_OR_ADDRESS = r"^\+?\p{Nd}[\p{Nd}\s().\-/]*$|@"
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
        A sentence for each column of names that the text has and each of these, with how many and in which
        rows: fillers such as N/A, which count as blank; and what may be no name, such as Null, Customer, the
        column's own title, a number, an e-mail address or what the row's address begins with.

    Raises:
        TemplateError: The template has a mistake.
        CampaignError: As for `write_messages`, of a frame.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["N/A"]})
        >>> name_hints(people, "Hi {{first_name|there}}!")
        ('first_name: 1 filler such as N/A counts as blank (row 1).',)
    """
    frame, meaning = recipients_of(contacts)
    texts = [template] if isinstance(template, str) else [variant.template for variant in template]
    used = _inserted(texts, frame, meaning)
    columns = [name for name in frame.columns if name in used and holds_names(name, meaning)]
    if not columns:
        return ()
    emails, row = _emails(frame, meaning), _row_of(contacts, frame)
    said = (_sentences(column, used[column], _trimmed(frame[column]), emails, row) for column in columns)
    return tuple(chain.from_iterable(said))


def _inserted(
    texts: Sequence[str], frame: pd.DataFrame, meaning: Mapping[str, str] | None
) -> dict[str, str | None]:
    """The columns that texts insert, each with a field of it that has no fallback, if there is one."""
    found: dict[str, str | None] = {}
    for template in map(parse_template, texts):
        columns = columns_of(template, frame, meaning)
        for piece in template.pieces:
            if isinstance(piece, MergeField):
                lacking = piece.name if piece.fallback is None else None
                found[columns[piece.name]] = found.get(columns[piece.name]) or lacking
    return found


def _sentences(
    column: str, lacking: str | None, names: pa.Array, emails: pa.Array | pa.Scalar, row: _Row
) -> Iterator[str]:
    fillers = are_fillers(names)
    found, rows = _rows_where(fillers, row)
    if found:
        said = plural(
            found,
            "{column}: {count} filler such as N/A counts as blank (row {rows}).",
            "{column}: {count} fillers such as N/A count as blank (row {rows}).",
            column=column,
            rows=rows,
        )
        advice = _("Write a fallback, as in {{{{ {field} | there }}}}.").format(field=lacking)
        yield f"{said} {advice}" if lacking else said
    found, rows = _rows_where(pc.and_not(_are_doubtful(column, names, emails), fillers), row)
    if found:
        yield plural(
            found,
            "{column}: {count} cell may not be a name but a word such as Null or Customer, a number, or all "
            "or part of an e-mail address (row {rows}). Correct it in the sheet, or it is sent as it stands.",
            "{column}: {count} cells may not be names but words such as Null or Customer, numbers, or all or "
            "part of an e-mail address (row {rows}). Correct them in the sheet, or they are sent as they "
            "stand.",
            column=column,
            rows=rows,
        )


def _are_doubtful(column: str, names: pa.Array, emails: pa.Array | pa.Scalar) -> pa.Array:
    """Which may be no names: such words, numbers, addresses, and what the row's address begins with."""
    lower = pc.utf8_lower(plain_cells(names))
    plain = pc.replace_substring(pc.utf8_trim(lower, "()[]{}<> "), "_", " ")
    before = pc.utf8_lower(pc.replace_substring_regex(emails, r"@.*$", ""))
    signs = (
        pc.is_in(plain, value_set=_WORDS),
        pc.equal(pc.replace_substring(plain, " ", ""), field_key(column)),
        pc.match_substring_regex(plain, _NUMBER_OR_ADDRESS),
        pc.and_(pc.match_substring_regex(names, _OF_ADDRESSES), pc.equal(lower, before)),
    )
    return reduce(pc.or_, signs)


def _emails(frame: pd.DataFrame, meaning: Mapping[str, str] | None) -> pa.Array | pa.Scalar:
    named = [name for name in frame.columns if usual_field(name) == "email"]
    column = (meaning or {}).get("email", named[0] if named else None)
    return pa.scalar("", pa.large_string()) if column is None else _trimmed(frame[column])


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
