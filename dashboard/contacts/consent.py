"""Who must not be texted: what the sheet's consent and opt-out columns say, and the opt-out list."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from dashboard.contacts.answers import opted_out, says_yes
from dashboard.contacts.columns import ColumnMap
from dashboard.contacts.problems import Problem, Status

__all__ = ["apply_consent"]

_TEXTABLE = (Status.OK, Status.REVIEW)


def apply_consent(
    rows: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap, opt_outs: Collection[str]
) -> pd.DataFrame:
    """Set status opted_out wherever the number or its owner refused, in this row or in any other.

    A person's refusal holds for every number in the row, and in every row that has one of these numbers:
    a "yes" elsewhere does not undo it. A consent cell that says neither yes nor no is left to a person.
    """
    refusal, unclear = _said_in_sheet(frame, columns)
    textable = rows["status"].isin(_TEXTABLE)
    refused = rows["phone"].map(_refused_numbers(rows, refusal))
    reason = refusal.fillna(refused.astype("str"))
    reason = reason.mask(rows["phone"].isin(list(opt_outs)), Problem.ON_OPT_OUT_LIST.value)
    out = textable & reason.notna()
    ask = unclear & ~out & (rows["status"] == Status.OK)
    return rows.assign(
        status=rows["status"].mask(out, Status.OPTED_OUT.value).mask(ask, Status.REVIEW.value),
        problem=rows["problem"].mask(out, reason).mask(ask, Problem.CONSENT_UNCLEAR.value),
    )


def _said_in_sheet(frame: pd.DataFrame, columns: ColumnMap) -> tuple[pd.Series, pd.Series]:
    """The refusal that each row states, if any, and whether its consent is unclear."""
    refusal = pd.Series(pd.NA, index=frame.index, dtype="str")
    unclear = pd.Series(data=False, index=frame.index)
    if columns.consent is not None:
        cells = frame[columns.consent]
        answers = {cell: says_yes(cell) for cell in cells.unique()}
        refusal = refusal.mask(cells.map(lambda cell: answers[cell] is False), Problem.NO_CONSENT.value)
        unclear = cells.map(lambda cell: answers[cell] is None).astype("bool")
    if columns.opt_out is not None:
        cells = frame[columns.opt_out]
        out = {cell: opted_out(cell) for cell in cells.unique()}
        refusal = refusal.mask(cells.map(out).astype("bool"), Problem.OPTED_OUT.value)
    return refusal, unclear


def _refused_numbers(rows: pd.DataFrame, refusal: pd.Series) -> dict[str, str]:
    """The refusal of every number that stands in a row with one; an opt-out counts before no consent."""
    stated = rows.assign(refusal=refusal)[refusal.notna()]
    stated = stated.sort_values("refusal", key=lambda code: code != Problem.OPTED_OUT, kind="stable")
    refused: dict[str, str] = {}
    for phone, others, code in zip(stated["phone"], stated["other_phones"], stated["refusal"], strict=True):
        for number in filter(None, [phone if isinstance(phone, str) else None, *others.split("; ")]):
            refused.setdefault(number, code)
    return refused
