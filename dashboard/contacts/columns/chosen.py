"""What a person may choose about a sheet's columns, as it is kept with a draft and with a saved list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dashboard.contacts.columns.guess import ColumnMap

__all__ = ["CHOSEN", "with_chosen"]

CHOSEN = ("phones", "country", "consents", "opt_outs", "first_name", "last_name", "answers")
_ANY = ("consents", "opt_outs")


def with_chosen(guessed: ColumnMap, chosen: Mapping[str, Any]) -> ColumnMap:
    """The guess, with a person's choices in its place.

    Args:
        guessed: What `guess_columns` made of the sheet.
        chosen: By the names in `CHOSEN`; what is left out stays as guessed, and so do consents or opt-outs
            that are None. Answers about a column that has a role count for nothing.
    """
    if "phones" in chosen:
        guessed = guessed.with_phones(tuple(chosen["phones"]))
    own = {name: chosen[name] for name in CHOSEN[1:-1] if name in chosen}
    roles = replace(guessed, **{name: own[name] for name in own if own[name] is not None or name not in _ANY})
    answers = chosen.get("answers") or {}
    return roles.answered(
        {column: answers[column] for column in answers if column not in (*roles.phones, *roles.telling)}
    )
