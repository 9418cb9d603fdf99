"""The rows that a person can put right, as a table to edit, and what the edits mean. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from dashboard.contacts import ContactList, explain

PAGE_ROWS = 200
CONTEXT_COLUMNS = 3
PHONE, APPROVE, PROBLEM = "Phone", "Approve", "What is wrong"


@dataclass(frozen=True)
class Edits:
    """What a person changed: phones by row number of the file, and rows whose verdict they approved."""

    fixes: dict[int, str]
    approved: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.fixes or self.approved)


def fix_table(contacts: ContactList, phones: Collection[str], status: str, *, page: int = 1) -> pd.DataFrame:
    """Make one page of the rows with this status.

    Args:
        contacts: The checked list; it is not changed.
        phones: The phone columns of the sheet, which are not repeated.
        status: Such as "invalid"; with "review" there is a column to approve a row as it is.
        page: Counts from 1; PAGE_ROWS rows each.

    Returns:
        Index: row number of the file. Columns: Phone (as typed), Approve (only for review), What is wrong,
        Read as (E.164 or ""), and the first columns of the sheet to recognise the person by.
    """
    chosen = contacts.rows[contacts.rows["status"] == status]
    chosen = chosen.iloc[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
    table = pd.DataFrame({PHONE: chosen["raw_phone"].astype("str")}, index=chosen.index)
    if status == "review":
        table[APPROVE] = False
        table["Read as"] = chosen["phone"].astype("object").fillna("")
    table[PROBLEM] = [explain(code) for code in chosen["problem"]]
    others = [name for name in contacts.fields.columns if name not in {*table.columns, *phones}]
    for name in others[:CONTEXT_COLUMNS]:
        table[name] = contacts.fields.loc[chosen.index, name]
    return table.set_index(pd.Index(chosen["row"], name="Row"))


def page_count(rows: int) -> int:
    """How many pages that many rows take; one when there are none."""
    return max(1, -(-rows // PAGE_ROWS))


def read_edits(before: pd.DataFrame, after: pd.DataFrame) -> Edits:
    """Find what was changed between a table as it was drawn and as it came back."""
    typed = after[PHONE].fillna("").astype("str").str.strip()
    changed = typed[typed != before[PHONE].str.strip()]
    approved = after[after[APPROVE].astype("bool")] if APPROVE in after else after.head(0)
    return Edits(
        fixes=dict(zip(changed.index.astype("int").tolist(), changed.tolist(), strict=True)),
        approved=frozenset(approved.index.astype("int").tolist()),
    )
