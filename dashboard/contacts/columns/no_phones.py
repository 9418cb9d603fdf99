"""What to tell a person when columns cannot be used: none is certainly a phone, or one does not exist."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.errors import ColumnError
from dashboard.words import _, plural, quoted

__all__ = ["check_columns", "why_no_phones"]


def check_columns(columns: ColumnMap, names: Iterable[str]) -> None:
    """Refuse columns that are not among the names of a sheet's, or that have no phone.

    Raises:
        ColumnError: They are not, or there is none.
    """
    known = set(names)
    asked = [question.column for question in columns.questions]
    named = dict.fromkeys([*columns.columns, *asked, *columns.answers])
    missing = [column for column in named if column not in known]
    if missing:
        quoted = ", ".join(f'"{column}"' for column in missing)
        raise ColumnError(
            _("The sheet has no column {name}. Choose one of those it has.").format(name=quoted)
        )
    if not columns.phones:
        raise ColumnError(why_no_phones(columns))


def why_no_phones(columns: ColumnMap) -> str:
    """Why no phone column was chosen, with those that a person may choose, and what to do.

    Example:
        >>> why_no_phones(ColumnMap(offered=("Coach mobile",)))[:68]
        'No column is surely the person’s own phone. “Coach mobile” looks lik'
    """
    if not columns.offered:
        return _("No column looks like phone numbers. Choose the column that holds them.")
    return plural(
        len(columns.offered),
        "No column is certain to be the person’s own phone. {columns} looks like phone numbers, but may be "
        "somebody else’s. Choose it if it is the number to text.",
        "No column is certain to be the person’s own phone. {columns} look like phone numbers, but may be "
        "somebody else’s. Choose those that are the numbers to text.",
        columns=", ".join(map(quoted, columns.offered)),
    )
