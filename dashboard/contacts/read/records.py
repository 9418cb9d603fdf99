"""Files whose columns are named in the file itself: JSON, JSON Lines and Parquet."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts.read.file_type import Kind
from dashboard.contacts.read.isolated.bounded import read_in_child
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.table import Table
from dashboard.words import N_

__all__ = ["read_records"]

_WORDS = {Kind.JSON: N_("JSON file"), Kind.PARQUET: N_("Parquet file")}


def read_records(data: bytes, kind: Kind, limits: Limits) -> Table:
    """Read JSON, JSON Lines or Parquet; rows are counted from 1, in JSON Lines they are the lines.

    Raises:
        SheetError: It is damaged, too large, or contains no list of contacts.
    """
    read = read_in_child(data, kind.value, limits, what=_WORDS[kind])
    titles = read.about["titles"]
    return Table(
        cells=read.cells,
        rows=pd.Series(range(1, len(read.cells) + 1), dtype="int64"),
        titles=None if titles is None else tuple(" ".join(title.split()) for title in titles),
    )
