"""Which column each field of a template means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from dashboard.campaigns.normal import normal_text
from dashboard.campaigns.other_syntax import column_in_other_syntax
from dashboard.campaigns.template import Literal, Template
from dashboard.errors import TemplateError

_BLOCK = re.compile(r"[#/^>!&]")
_CODE = re.compile(r"""['"()\[\]]|__|\.\w""")
_NAMES_SHOWN = 8
_CHARACTERS_SHOWN = 40


def field_key(name: str) -> str:
    """A column's name without what does not matter: case, spaces and underscores.

    Example:
        >>> field_key("First_Name") == field_key("first name")
        True
    """
    return re.sub(r"[\s_]+", "", normal_text(name)).casefold()


def match_fields(
    template: Template, columns: Iterable[str], aliases: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Find the column of each field.

    Args:
        template: The template, read.
        columns: Names of the sheet's columns.
        aliases: Names that mean a column although it is called otherwise, such as
            `{"first_name": "Vorname"}`. A column of the same name wins over an alias.

    Returns:
        Column name by field name as written.

    Raises:
        TemplateError: A field is no column (the nearest one is named), or fits two.
    """
    names = list(columns)
    known = _by_key(names, aliases or {})
    for piece in template.pieces:
        if isinstance(piece, Literal):
            _refuse_column_in_other_syntax(piece, known)
    return {field: _column_of(field, names, known) for field in template.fields}


def _by_key(names: list[str], aliases: Mapping[str, str]) -> dict[str, list[str]]:
    known: dict[str, list[str]] = {}
    for name in names:
        known.setdefault(field_key(name), []).append(name)
    for alias, name in aliases.items():
        known.setdefault(field_key(alias), [name])
    return known


def _column_of(field: str, names: list[str], known: dict[str, list[str]]) -> str:
    if field in names:
        return field
    found = known.get(field_key(field), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise TemplateError(
            f"{_shown(field)} fits more than one column: {_listed(found)}. Write it exactly as the column."
        )
    raise TemplateError(_unknown(field, names, known))


def _unknown(field: str, names: list[str], known: dict[str, list[str]]) -> str:
    nearest = get_close_matches(field_key(field), known, n=1)
    if nearest and not _BLOCK.match(field):
        return (
            f"There is no column {_shown(field)}. Did you mean {{{{ {known[nearest[0]][0]} }}}}? "
            f"The columns are {_listed(names)}."
        )
    if _BLOCK.match(field) or _CODE.search(field):
        return (
            f"{_shown(field)} is not a field: a template holds names of columns and no code. "
            f"Write for example {{{{ first_name | there }}}}. The columns are {_listed(names)}."
        )
    return f"There is no column {_shown(field)}. The columns are {_listed(names)}."


def _refuse_column_in_other_syntax(literal: Literal, known: dict[str, list[str]]) -> None:
    name = column_in_other_syntax(literal.text, lambda name: field_key(name) in known)
    if name is not None:
        column = known[field_key(name)][0]
        raise TemplateError(
            f"{_shown(name)} is a column, but the template holds it in another tool's brackets and would be "
            f"sent as it stands. Write {{{{ {column} }}}}."
        )


def _shown(name: str) -> str:
    return repr(name if len(name) <= _CHARACTERS_SHOWN else name[:_CHARACTERS_SHOWN] + "…")


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
