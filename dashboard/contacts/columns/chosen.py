"""What a person may choose about a sheet's columns, as it is kept with a draft and with a saved list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.rules import FIELDS, Role

__all__ = ["CHOSEN", "other_roles", "with_chosen"]

CHOSEN = ("phones", "country", "first_name", "last_name", "answers")


def other_roles(columns: ColumnMap, guessed: ColumnMap) -> dict[str, Role]:
    """What was said of whole columns, by column: the roles that are not as guessed.

    Of the others nothing is kept: where a column was empty, the cells of the next sheet may refuse.
    """
    now, before = columns.roles, guessed.roles
    return {
        column: now.get(column, Role.NOTHING)
        for column in {**before, **now}
        if now.get(column) != before.get(column)
    }


def with_chosen(guessed: ColumnMap, chosen: Mapping[str, Any]) -> ColumnMap:
    """The guess, with a person's choices in its place.

    Args:
        guessed: What `guess_columns` made of the sheet.
        chosen: By the names in `CHOSEN`, and `roles` as `other_roles` gives them; what is left out stays as
            guessed. Answers about a column to which somebody gave a role count for nothing.
    """
    if "phones" in chosen:
        guessed = guessed.with_phones(tuple(chosen["phones"]))
    own = {name: chosen[name] for name in CHOSEN[1:-1] if name in chosen}
    said = chosen.get("roles") or _as_roles(guessed, chosen)
    columns = replace(guessed, **own).answered(said)
    given = {*columns.phones, *(column for column, role in said.items() if role != Role.NOTHING)}
    answers = chosen.get("answers") or {}
    return columns.answered({column: answers[column] for column in answers if column not in given})


def _as_roles(guessed: ColumnMap, chosen: Mapping[str, Any]) -> dict[str, Role]:
    """The roles as an older program kept them: all columns that agree, and all that refuse.

    What it took for both, as "Opt in / opt out", is as it is guessed now.
    """
    kept = {role: chosen.get(FIELDS[role]) for role in (Role.CONSENT, Role.REFUSAL)}
    whole = {role: columns for role, columns in kept.items() if columns is not None}
    roles = {
        column: Role.NOTHING
        for column, role in guessed.roles.items()
        if column not in whole.get(role, (column,))
    }
    roles |= {column: role for role, columns in whole.items() for column in columns}
    both = {*(kept[Role.CONSENT] or ())} & {*(kept[Role.REFUSAL] or ())}
    return {column: role for column, role in roles.items() if column not in both}
