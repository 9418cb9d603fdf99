"""Searching the ledger's list of campaigns."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd


def find_campaigns(campaigns: pd.DataFrame, wanted: str, states: Collection[str]) -> pd.DataFrame:
    """Campaigns whose name contains these words and whose state is one of these, newest first.

    No words and no states mean all.
    """
    found = campaigns
    if words := wanted.strip():
        found = found[found["name"].str.contains(words, case=False, regex=False)]
    if states:
        found = found[found["state"].isin(states)]
    return found.sort_values("created_at", ascending=False)
