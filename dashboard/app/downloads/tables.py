"""Frames as files to download: XLSX for people, CSV for programs. No cell is a formula. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import pandas as pd

from dashboard.contacts import write_csv
from dashboard.reports import write_sheets

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
HTML = "text/html"
MOST_XLSX_ROWS = 1_048_575


def as_xlsx(frame: pd.DataFrame, sheet: str) -> bytes:
    """A workbook with this frame, whose columns are named in words, on a sheet of this name."""
    target = BytesIO()
    write_sheets({sheet: frame}, target, in_words=[sheet])
    return target.getvalue()


def as_csv(frame: pd.DataFrame) -> bytes:
    """A CSV with this frame."""
    target = BytesIO()
    write_csv(frame, target)
    return target.getvalue()


def worded(frame: pd.DataFrame, titles: Mapping[str, str], zone: str) -> pd.DataFrame:
    """The columns that have a title, in the order of the titles, with their times in a zone."""
    named = frame[[name for name in titles if name in frame]]
    times = named.select_dtypes("datetimetz")
    local = {str(name): times[name].dt.floor("s").dt.tz_convert(zone) for name in times}
    return named.assign(**local).rename(columns=dict(titles))
