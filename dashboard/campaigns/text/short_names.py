"""Names of columns without what forms and programs put around them: "First name" of "Contact: First name *".

Only what certainly names nobody else is taken off. "Partner: First name" and "Company / City" stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dashboard.campaigns.text.template import field_key
from dashboard.contacts.read.column_names import without_count
from dashboard.contacts.words.own_line import names_stranger
from dashboard.contacts.words.title import Title, read_title

__all__ = ["by_short_name"]

_ASIDE = re.compile(
    r"\s*[(\[](?:required|mandatory|optional|if any|pflichtfeld|freiwillig|obligatoire|facultatif|requis"
    r"|obligatorio|requerido|opcional|obrigatório|obbligatorio|facoltativo|verplicht|optioneel|wymagane)[)\]]"
    r"|\s*[*†]+|\s*:\s*$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\s*(/|[:|>».]|\s[-–—]\s)\s*")
_AND = "/"
"""Both parts may stand in the cell: "Name / Company"."""
_NOBODY = frozenset(
    {"attributes", "customfields", "details", "fields", "mergefields", "profile", "properties"}
)
"""How programs call the place where they keep whatever their users know of a contact."""
_ANYBODY = frozenset({"user", "users"})
"""Perhaps those of the program that wrote the file."""


def by_short_name(columns: Iterable[str]) -> dict[str, list[str]]:
    """The columns by what their names come down to, as a `field_key`; most come down to nothing else.

    Example:
        >>> by_short_name(["First name *", "Contact: City", "Partner: City"])
        {'firstname': ['First name *'], 'city': ['Contact: City']}
    """
    found: dict[str, list[str]] = {}
    for column in columns:
        for key in _keys(column):
            found.setdefault(key, []).append(column)
    return found


def _keys(column: str) -> dict[str, None]:
    """What a name comes down to: its last part, and the field that this is a word for."""
    whole = _ASIDE.sub("", without_count(column))
    *before, last = _SIGN.split(whole)
    title = read_title(last)
    owners = zip(map(read_title, before[::2]), before[1::2], strict=True)
    if not last or whole == last == column or not all(_adds_nothing(*owner, title) for owner in owners):
        return {}
    fields = _fields(title)
    return dict.fromkeys(map(field_key, [last, *(fields if len(fields) == 1 else ())]))


def _adds_nothing(owner: Title, sign: str, title: Title) -> bool:
    """Whether what stands before a part leaves it the person's own, and all that is in the cell."""
    if names_stranger(owner):
        return False
    if _fields(owner) & _fields(title) or (owner.words and {*owner.words} <= {*title.words}):
        return True
    is_nobody = owner.key in _NOBODY or (owner.only("header_owner") and owner.key not in _ANYBODY)
    return is_nobody and sign != _AND


def _fields(title: Title) -> set[str]:
    return {name for name, _place in title.fields}
