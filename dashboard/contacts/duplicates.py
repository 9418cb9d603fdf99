"""Rows that share a number: one is kept, the others point to it."""

from __future__ import annotations

from typing import Literal

import pandas as pd

__all__ = ["duplicate_of"]


def duplicate_of(rows: pd.DataFrame, keep: Literal["first", "last"]) -> pd.Series:
    """The row number that is kept instead, for rows that repeat a number; missing for all others.

    Only rows with status ok or review count. A row that is ok is kept before one in review.

    Args:
        rows: Columns row, phone, status.
        keep: Which of equals to keep.
    """
    counted = rows[rows["status"].isin(["ok", "review"])]
    ordered = counted if keep == "first" else counted[::-1]
    ordered = ordered.sort_values("status", key=lambda status: status != "ok", kind="stable")
    kept = ordered.drop_duplicates("phone").set_index("phone")["row"]
    kept_row = counted["phone"].map(kept)
    return kept_row[kept_row != counted["row"]].reindex(rows.index).astype("Int64")
