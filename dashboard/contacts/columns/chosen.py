"""What a person may choose about a sheet's columns, as it is kept with a draft and with a saved list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.rules import Role

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
    said = chosen.get("roles", {})
    columns = replace(guessed, **own).answered(said)
    given = {*columns.phones, *(column for column, role in said.items() if role != Role.NOTHING)}
    answers = chosen.get("answers") or {}
    return columns.answered({column: answers[column] for column in answers if column not in given})
