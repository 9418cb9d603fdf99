"""`join_contacts`: several lists as one: a person in two of them is texted once, and a no counts in all.

A row keeps the number that its own spreadsheet shows, and its list's place before it: row 12 of the second
list is 10,000,012. The columns "list" and "row in list" say the same in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.categories import concatenated
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.questions import Question
from dashboard.contacts.contact_list import Cleaning, ContactList, Keep, check_not_chosen
from dashboard.contacts.pipeline import Heard, all_opt_outs, conclude
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.sheet import Sheet
from dashboard.contacts.row_numbers import BLOCK
from dashboard.contacts.words.spelling import joined
from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["LIST", "ROW_IN_LIST", "join_contacts"]

LIST, ROW_IN_LIST = "list", "row in list"
"""The columns that say where a row comes from; a sheet that has such columns keeps them, and these get #2."""


@checks_arguments()
def join_contacts(lists: Mapping[str, ContactList], *, keep: Keep = "first") -> ContactList:
    """Several cleaned lists as one, in which refusals and duplicates hold across all of them.

    Columns that mean the same (the first names, say), or are spelled alike, become one, under the name that
    the first list gives it. Rows that were approved have to be approved again.

    Args:
        lists: The lists by name, in order.
        keep: Which of several rows with the same number to keep, as for `clean_contacts`.

    Returns:
        One list. Its `fields` end with the columns "list" and "row in list".

    Raises:
        OptionError: There is no list, or one is joined of others itself, or people of one were chosen.

    Example:
        >>> fair = clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB")
        >>> shop = clean_contacts(pd.DataFrame({"Handy": ["+44 7400 123456"]}), country="GB")
        >>> join_contacts({"Fair": fair, "Shop": shop})
        <ContactList: 1 ok, 1 duplicate>
    """
    if not lists or any(one.lists for one in lists.values()):
        raise OptionError(_("Join one or more lists as clean_contacts returned them."))
    parts = list(lists.values())
    check_not_chosen(parts)
    if any((one.judged["row"] >= BLOCK).any() for one in parts):
        raise OptionError(_("A list to be joined may have up to 9,999,999 rows. Split the larger one."))
    heard = [_numbered(one, place * BLOCK) for place, one in enumerate(parts)]
    opt_outs = all_opt_outs([one.how for one in parts])
    rows, alone, told = conclude(heard, opt_outs, keep)
    names = _names(parts)
    cells = _fields(lists, names, rows["row"])
    return ContactList(
        rows=rows,
        fields=cells,
        sheet=Sheet(name=", ".join(lists), frame=cells, rows=rows["row"]),
        how=Cleaning(
            country=parts[0].how.country,
            columns=_columns([one.how.columns for one in parts], names),
            line_types=frozenset().union(*(one.how.line_types for one in parts)),
            keep=keep,
            opt_outs=opt_outs,
        ),
        judged=concatenated([one.judged for one in heard]).reset_index(drop=True),
        alone=alone,
        said=_together(heard),
        told=told,
        unreached=sum(one.unreached for one in parts),
        of_all=tuple(f"{name}: {note}" for name, one in lists.items() for note in one.of_all),
        lists=dict(lists),
    )


def _numbered(one: ContactList, first: int) -> Heard:
    """A list with row numbers that no other list has."""
    judged, said = one.judged, one.heard
    told_in = said["source_row"]
    return Heard(
        judged.assign(row=judged["row"] + first),
        said.assign(source_row=told_in.where(told_in == 0, told_in + first)),
        one.fields.reset_index(drop=True),
        one.how,
    )


def _together(lists: Sequence[Heard]) -> pd.DataFrame:
    """What all lists say, by the positions that their rows have below each other."""
    parts, first = [], 0
    for one in lists:
        place = one.evidence["place"]
        parts.append(one.evidence.assign(place=place.where(place < 0, place + first)))
        first += len(one.judged)
    return concatenated(parts).reset_index(drop=True)


def _names(parts: Sequence[ContactList]) -> list[dict[str, str]]:
    """For each list, what its columns are called in all of them together."""
    spelled: dict[str, str] = {}
    meant: dict[str, str] = {}
    names = []
    for one in parts:
        own, columns = [str(name) for name in one.fields.columns], one.how.columns
        means = {**_places(columns), **columns.fields}
        by_name = {column: meant[field] for field, column in means.items() if field in meant}
        here: dict[str, str] = {}
        for name in own:  # spelled alike comes first: two of its columns cannot both become one
            wanted = spelled.get(joined(name) or name)
            here[name] = wanted if wanted and wanted not in here.values() else ""
        for name in own:
            wanted = by_name.get(name, name)
            here[name] = here[name] or _free(wanted, name, here)
        for name in own:
            spelled.setdefault(joined(name) or name, here[name])
        for field, column in means.items():
            meant.setdefault(field, here[column])
        names.append(here)
    return names


def _free(wanted: str, name: str, taken: Mapping[str, str]) -> str:
    """The first of these names that no other column of the list has."""
    used = set(taken.values())
    return next(one for one in (wanted, name, *(f"{name}#{n}" for n in range(2, 999))) if one not in used)


def _places(columns: ColumnMap) -> dict[str, str]:
    """The phone columns by their place in the order."""
    return {f"phone {place}": column for place, column in enumerate(columns.phones)}


def _fields(lists: Mapping[str, ContactList], names: list[dict[str, str]], rows: pd.Series) -> pd.DataFrame:
    """The cells of all lists; a column that a list lacks is blank there."""
    tables = [one.fields.rename(columns=own) for one, own in zip(lists.values(), names, strict=True)]
    cells = pd.concat(tables, ignore_index=True).fillna("").astype("str")
    origin = pd.Series(list(lists), dtype="str").iloc[rows.to_numpy() // BLOCK].reset_index(drop=True)
    cells = cells.assign(**{"": origin, " ": (rows % BLOCK).astype("str")})
    return cells.set_axis(unique_names([*map(str, cells.columns[:-2]), LIST, ROW_IN_LIST]), axis=1)


def _columns(maps: Sequence[ColumnMap], names: Sequence[Mapping[str, str]]) -> ColumnMap:
    """Which columns of the joined list hold what: what they hold in any of the lists."""
    merged: dict[str, Any] = {}
    for columns, own in zip(maps, names, strict=True):
        for each in fields(ColumnMap):
            value = getattr(columns, each.name)
            if each.name == "questions":
                continue
            if isinstance(value, tuple):
                both = [*merged.get(each.name, ()), *(own[name] for name in value)]
                merged[each.name] = tuple(dict.fromkeys(both))
            elif isinstance(value, str):
                merged.setdefault(each.name, own[value])
    return ColumnMap(**merged, questions=_questions(maps, names), answers=_answers(maps, names))


def _questions(maps: Sequence[ColumnMap], names: Sequence[Mapping[str, str]]) -> tuple[Question, ...]:
    """What any of the lists asks, with the rows of all that ask it."""
    rows: dict[str, Counter[str]] = {}
    for columns, own in zip(maps, names, strict=True):
        for question in columns.questions:
            rows.setdefault(own[question.column], Counter()).update(question.values)
    return tuple(Question(column, dict(values.most_common())) for column, values in rows.items())


def _answers(maps: Sequence[ColumnMap], names: Sequence[Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """What values mean in every list that asks about their column; the others are open in one of them."""
    answers: dict[str, dict[str, str]] = {}
    for columns, own in zip(maps, names, strict=True):
        for column in {*columns.answers, *(question.column for question in columns.questions)}:
            meanings = columns.answers.get(column, {})
            known = answers.get(own[column], meanings)
            answers[own[column]] = {value: known[value] for value in known if value in meanings}
    return answers
