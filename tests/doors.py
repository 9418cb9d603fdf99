"""Both doors of a list of contacts: a sheet in memory, and a file larger than memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd
import pyarrow.parquet

from dashboard.contacts import ContactList, clean_contacts, clean_csv_stream, read_sheet
from dashboard.contacts.stream.layout import find_layout

VERDICT = ["row", "phone", "country", "line_type", "status", "problem", "problems", "repairs", "duplicate_of"]
VERDICT += ["other_phones"]


def both_doors(
    path: Path, hints: dict[str, object] | None = None, **how: object
) -> tuple[ContactList, pd.DataFrame]:
    """A CSV file's contacts as a sheet, and its verdicts as a big file; counts and notes are the same."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "cleaned.parquet")
        contacts = clean_contacts(read_sheet(path, **(hints or {})), **how)  # type: ignore[arg-type]
        layout = find_layout(path, **(hints or {}))  # type: ignore[arg-type]
        report = clean_csv_stream(layout, target, **how)  # type: ignore[arg-type]
        streamed = pyarrow.parquet.read_table(target).to_pandas()
    streamed = streamed.iloc[:, [0, *range(-len(VERDICT) + 1, 0)]]
    streamed.columns = ["row", *(name.partition("#")[0] for name in streamed.columns[1:])]
    assert report.counts["rows"].sum() == len(streamed)
    assert report.counts.equals(contacts.summary())
    assert report.notes == contacts.notes
    return contacts, comparable(streamed)


def comparable(rows: pd.DataFrame) -> pd.DataFrame:
    """Verdicts whose types say nothing about the door."""
    return rows[VERDICT].astype("object").where(rows[VERDICT].notna(), "").reset_index(drop=True)
