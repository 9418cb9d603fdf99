"""The rows that are left out, as a table to look through and to correct, and what the edits mean. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial

import pandas as pd

from dashboard.app.standing.number_search import FEWEST_DIGITS, are_wanted, digits_in, numbers_wanted
from dashboard.contacts import ContactList, Problem
from dashboard.contacts.categories import having
from dashboard.contacts.problems import QUESTIONS
from dashboard.contacts.row_numbers import BLOCK
from dashboard.words import N_, _

PAGE_ROWS = 200
CONTEXT_COLUMNS = 3
PHONE, APPROVE, PROBLEM = N_("Phone"), N_("Approve"), N_("What is wrong")
READ_AS, SAME_AS = N_("Read as"), N_("Same as row")
FROM_LIST, ROW = N_("List"), N_("Row")
OURS = (PHONE, APPROVE, PROBLEM, READ_AS, SAME_AS, FROM_LIST, ROW)
"""Titles of the columns that do not come from the sheet."""

ABOUT_CONSENT = tuple(problem for problem in QUESTIONS if problem != Problem.NUMBER_DOUBTED)
"""Problems of rows of which it is open whether the person may be texted."""

EDITABLE = ("invalid", "review", "empty")
"""Statuses of rows that another phone, or a person's approval, can fix."""


@dataclass(frozen=True)
class Edits:
    """What a person changed: phones, and approvals as `ContactList.approvals` gives them, by row number."""

    fixes: dict[int, str]
    approved: dict[int, str]

    def __len__(self) -> int:
        return len(self.fixes.keys() | self.approved.keys())

    def without(self, taken: Edits) -> Edits:
        """The edits without these."""
        return Edits(
            {row: text for row, text in self.fixes.items() if taken.fixes.get(row) != text},
            {row: answered for row, answered in self.approved.items() if taken.approved.get(row) != answered},
        )


def problem_counts(contacts: ContactList, status: str) -> dict[str, int]:
    """How many rows with this status have each problem, the most frequent first; a row may have several."""
    rows = contacts.rows[contacts.rows["status"] == status]
    names = rows["problems"].value_counts()
    counts: Counter[str] = Counter()
    for name, many in names[names > 0].drop("", errors="ignore").items():
        counts.update(dict.fromkeys(str(name).split("; "), int(many)))
    return dict(counts.most_common())


def choose_rows(
    contacts: ContactList, phones: Collection[str], status: str, problem: str | None = None, words: str = ""
) -> pd.DataFrame:
    """The verdicts on the rows with this status and, if given, with this problem and containing these words.

    Those whose question is whether the person may be texted come first: after a "no", no phone needs care.

    Args:
        contacts: The checked list; it is not changed.
        phones: The phone columns of the sheet.
        status: Such as "invalid".
        problem: A problem's code.
        words: Searched for, ignoring case, in phones as typed and in the columns that the table shows; a
            number, or digits of one, in any spelling.
    """
    chosen = contacts.rows[contacts.rows["status"] == status]
    if problem:
        chosen = chosen[having(chosen["problems"], [problem])]
    if words.strip():
        named = context_columns(contacts, {*phones, *map(_, OURS)}, chosen)
        shown = [chosen["raw_phone"], *(contacts.fields.loc[chosen.index, name] for name in named)]
        found = [cells.str.contains(words.strip(), case=False, regex=False) for cells in shown]
        if len(digits_in(words)) >= FEWEST_DIGITS and not any(map(str.isalpha, words)):
            found += [are_wanted(chosen["phone"], numbers_wanted(words) or ())]
            found += [chosen["raw_phone"].str.replace(r"\D", "", regex=True).str.contains(digits_in(words))]
        chosen = chosen[pd.concat(found, axis=1).any(axis=1)]
    asks = having(chosen["problems"], ABOUT_CONSENT)
    return pd.concat([chosen[asks], chosen[~asks]])


def fix_table(contacts: ContactList, phones: Collection[str], chosen: pd.DataFrame) -> pd.DataFrame:
    """Make the table of these rows.

    Args:
        contacts: The checked list; it is not changed.
        phones: The phone columns of the sheet, which are not repeated.
        chosen: Verdicts of one status, at most as many as a page shows.

    Returns:
        Index: row number of the file. Columns: Phone (as typed), Approve and Read as (E.164) only for
        review, What is wrong, Same as row only for duplicates, the columns of the sheet in which to look,
        and its first ones to recognise the person by.
    """
    phone = {_(PHONE): chosen["raw_phone"].astype("str")}
    table = pd.DataFrame(origin(contacts, chosen) | phone, index=chosen.index)
    statuses = set(chosen["status"])
    if "review" in statuses:
        table[_(APPROVE)] = False
    table[_(PROBLEM)] = contacts.reasons().loc[chosen.index]
    if "review" in statuses:
        table[_(READ_AS)] = chosen["phone"].astype("object").fillna("")
    if "duplicate" in statuses:
        same = chosen["duplicate_of"]
        table[_(SAME_AS)] = same.map(partial(row_name, contacts), "ignore") if contacts.lists else same
    for name in context_columns(contacts, {*phones, *map(_, OURS)}, chosen):
        table[name] = contacts.fields.loc[chosen.index, name]
    return table.set_index(pd.Index(chosen["row"], name=_(ROW)))


def origin(contacts: ContactList, chosen: pd.DataFrame) -> dict[str, pd.Series]:
    """Where each row comes from, if there are several lists: List and Row; nothing if there is one."""
    if not contacts.lists:
        return {}
    cells = contacts.fields.loc[chosen.index].iloc[:, -2:]
    return {_(FROM_LIST): cells.iloc[:, 0], _(ROW): cells.iloc[:, 1]}


def row_name(contacts: ContactList, row: int) -> str:
    """A row as people know it: 12, or with several lists 12 of Customers."""
    if not contacts.lists:
        return str(row)
    return _("{row} of {list}").format(row=row % BLOCK, list=list(contacts.lists)[row // BLOCK])


def read_edits(
    before: pd.DataFrame,
    cells: Mapping[int, Mapping[str, object]],
    so_far: Edits,
    asked: Mapping[int, str],
) -> Edits:
    """Add what was typed into a table to the edits so far.

    Args:
        before: The table as `fix_table` made it.
        cells: What was typed, by place in the table and column; row numbers cannot be edited.
        so_far: Earlier edits, including those on other pages. Typing the original text again undoes an edit.
        asked: What an approval of each row in the table answers. Something else is no longer approved.
    """
    fixes = dict(so_far.fixes)
    approved = {row: told for row, told in so_far.approved.items() if asked.get(row, told) == told}
    for place, typed in cells.items():
        row = int(before.index[place])
        if _(PHONE) in typed:
            fixes[row] = str(typed[_(PHONE)] or "").strip()
            if fixes[row] == str(before[_(PHONE)].iloc[place]).strip():
                del fixes[row]
        if _(APPROVE) in typed and _(APPROVE) in before:
            approved.pop(row, None)
            if typed[_(APPROVE)]:
                approved[row] = asked[row]
    return Edits(fixes, approved)


def with_edits(before: pd.DataFrame, edits: Edits) -> pd.DataFrame:
    """The table with edits in their places."""
    table = before.copy()
    rows = before.index.astype("int").tolist()
    table[_(PHONE)] = [edits.fixes.get(row, phone) for row, phone in zip(rows, before[_(PHONE)], strict=True)]
    if _(APPROVE) in table:
        table[_(APPROVE)] = table.index.isin(edits.approved)
    return table


def context_columns(
    contacts: ContactList, taken: Collection[str], looked_at: pd.DataFrame | None = None
) -> list[str]:
    """The first columns of the sheet to recognise a person by, but for those with these names.

    Those in which there is something to read about the rows `looked_at` come before them.
    """
    own = contacts.fields.columns[:-2] if contacts.lists else contacts.fields.columns
    names = [str(name) for name in own if name not in taken]
    heard = contacts.heard
    told = set() if looked_at is None else {*heard["column"][heard["source_row"].isin(looked_at["row"])]}
    others = [name for name in names if name not in told]
    return [*(name for name in names if name in told), *others[:CONTEXT_COLUMNS]]
