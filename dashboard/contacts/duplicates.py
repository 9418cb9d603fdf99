"""Rows that share a number: one is kept, the others point to it."""

from __future__ import annotations

from typing import Literal

import pandas as pd

__all__ = ["duplicate_of"]


def duplicate_of(rows: pd.DataFrame, keep: Literal["first", "last"]) -> pd.Series:
    """The row number that is kept instead, for rows that repeat a number; missing for all others.

    Only rows with status ok or review count. A row that is ok is kept before one in review.

    Args:
        rows: Columns row, number (the phone as one), status.
        keep: Which of equals to keep.
    """
    counted = rows.loc[rows["status"].isin(["ok", "review"]), ["row", "number", "status"]]
    ordered = counted if keep == "first" else counted[::-1]
    ordered = pd.concat([ordered[ordered["status"] == "ok"], ordered[ordered["status"] != "ok"]])
    kept = ordered.drop_duplicates("number").set_index("number")["row"]
    kept_row = kept.reindex(counted["number"]).set_axis(counted.index)
    return kept_row[kept_row != counted["row"]].reindex(rows.index).astype("Int64")
