"""Which column each field of a template means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property

import pandas as pd

from dashboard.campaigns.text.other_syntax import is_way_out, other_field, usual_field
from dashboard.campaigns.text.short_names import by_short_name
from dashboard.campaigns.text.template import Literal, Template, field_key, shown
from dashboard.contacts import guess_columns
from dashboard.errors import TemplateError
from dashboard.words import _

_CODE = re.compile(r"""['"()\[\]]|__|\.\w""")
_OWNER = re.compile(r"^\$?\{?(?:\w+[.:])+")
_ROWS_TO_GUESS_FROM = 100
_NAMES_SHOWN = 8
_OF_EVERY_LIST = ("row", "phone", "country", "line_type")
"""Columns that nobody's sheet has by these names: they are named after those that its owner knows."""


def match_fields(
    template: Template,
    columns: Iterable[str],
    aliases: Callable[[], Mapping[str, str]] = dict,
) -> dict[str, str]:
    """Find the column of each field, and of each section.

    Args:
        template: The template, read.
        columns: Names of the sheet's columns.
        aliases: Returns names that mean a column called something else, such as `{"first_name": "Vorname"}`;
            called only if a name is not a column.

    Returns:
        Column name by field name as written.

    Raises:
        TemplateError: A field is not a column (the nearest one is named), or fits two.
    """
    known = _Columns(columns, aliases)
    for piece in template.pieces:
        _refuse_other_syntax(piece.text if isinstance(piece, Literal) else piece.fallback or "", known)
    names = dict.fromkeys([*template.fields, *template.conditions])
    return {name: _column_of(name, known) for name in names}


def columns_of(
    template: Template, contacts: pd.DataFrame, meaning: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The column of each field among the contacts'; {{ first_name }} finds a column "Vorname" too.

    Args:
        template: The template, read.
        contacts: The contacts.
        meaning: What each column holds, as somebody confirmed it; guessed if left out.

    Raises:
        TemplateError: A field is not a column, or fits two.
    """

    def aliases() -> Mapping[str, str]:
        first = contacts.head(_ROWS_TO_GUESS_FROM).reset_index(drop=True)
        return guess_columns(first).fields if meaning is None else meaning

    return match_fields(template, contacts.columns, aliases)


class _Columns:
    """The columns by the significant part of their names, by what they mean, and by their names cut short."""

    def __init__(self, names: Iterable[str], aliases: Callable[[], Mapping[str, str]]) -> None:
        self.names = list(names)
        self._aliases = aliases
        self._by_key: dict[str, list[str]] = {}
        for name in self.names:
            self._by_key.setdefault(field_key(name), []).append(name)

    @cached_property
    def _by_alias(self) -> dict[str, list[str]]:
        return {field_key(alias): [name] for alias, name in self._aliases().items()}

    @cached_property
    def _by_short_name(self) -> dict[str, list[str]]:
        return by_short_name(self.names)

    def called(self, name: str) -> list[str]:
        """Columns a name may mean: the one with exactly this name, else all without important differences."""
        if name in self.names:
            return [name]
        key = field_key(name)
        return self._by_key.get(key) or self._by_alias.get(key) or self._by_short_name.get(key, [])

    def nearest(self, name: str, likeness: float = 0.6) -> str | None:
        """The column of this name or meaning, else the one that looks most like it, if any.

        For `contact.city` only `city` counts, for `insert first_name "default=you"` any of its words, and for
        a full name the first.
        """
        known = self._by_short_name | self._by_alias | self._by_key
        name = _OWNER.sub("", name)
        words = [name, *re.findall(r"\w+", name)]
        keys = [field_key(each) for word in words for each in (word, usual_field(word) or word)]
        if usual_field(name) == "full_name":
            keys.append("firstname")
        found = [key for key in keys if key in known] or get_close_matches(keys[0], known, 1, likeness)
        return known[found[0]][0] if found else None


def _column_of(field: str, known: _Columns) -> str:
    found = known.called(field)
    if len(found) > 1:
        raise TemplateError(
            _("{field} fits more than one column: {columns}. Write it exactly like the column.").format(
                field=shown(field), columns=_listed(found)
            )
        )
    if not found:
        raise TemplateError(_unknown(field, known))
    return found[0]


def _unknown(field: str, known: _Columns) -> str:
    if is_way_out(_OWNER.sub("", field)):
        return _("There is no column {field}. {columns}").format(field=shown(field), columns=_in_words())
    own_first = sorted(known.names, key=lambda name: name in _OF_EVERY_LIST)
    columns = _("The columns are {columns}.").format(columns=_listed(own_first))
    nearest = known.nearest(field)
    if nearest:
        return _("There is no column {field}. Did you mean {{{{ {nearest} }}}}? {columns}").format(
            field=shown(field), nearest=nearest, columns=columns
        )
    if _CODE.search(field):
        return _(
            "{field} is not a field: a template holds column names, not code. Write, for example, {{{{ "
            "first_name | there }}}}. {columns}"
        ).format(field=shown(field), columns=columns)
    return _("There is no column {field}. {columns}").format(field=shown(field), columns=columns)


def _refuse_other_syntax(text: str, known: _Columns) -> None:
    found = other_field(text, lambda name: bool(known.called(name)))
    if found is not None:
        written, name = found
        raise TemplateError(
            _(
                "{written} is written for another tool and would be sent as it stands. {instead} If you mean "
                "it literally, leave out the signs around it."
            ).format(written=shown(written), instead=_instead(name, known))
        )


def _instead(name: str, known: _Columns) -> str:
    if is_way_out(name):
        return _in_words()
    field = known.nearest(name, likeness=1)
    if field is None and not known.nearest(name):
        field = usual_field(name or "first name")
    if field is None:
        return _unknown(name, known)
    return _("Write {{{{ {field} }}}}, or with a fallback {{{{ {field} | there }}}}.").format(field=field)


def _in_words() -> str:
    return _("Say in words how to opt out, such as: Reply STOP to opt out.")


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return _("{shown} and {more} more").format(shown=shown, more=more) if more > 0 else shown
