"""Frames as files to download: every cell is text and no cell is a formula. Pure."""

from __future__ import annotations

from io import BytesIO

import pandas as pd

from dashboard.contacts import write_csv, write_xlsx

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
HTML = "text/html"
MOST_XLSX_ROWS = 1_048_575


def as_xlsx(frame: pd.DataFrame) -> bytes:
    """A workbook with this frame."""
    target = BytesIO()
    write_xlsx(frame, target)
    return target.getvalue()


def as_csv(frame: pd.DataFrame) -> bytes:
    """A CSV with this frame."""
    target = BytesIO()
    write_csv(frame, target)
    return target.getvalue()
