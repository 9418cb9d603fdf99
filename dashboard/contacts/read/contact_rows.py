"""What is below the header: contacts, without blank rows and without empty columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from dashboard.contacts.read.header import Header
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import Table
from dashboard.words import plural

__all__ = ["Body", "body_of", "is_filled", "repeats_header"]


class Body(NamedTuple):
    """The contacts as texts, their row numbers, the file's lines if these differ, and notes."""

    frame: pd.DataFrame
    rows: pd.Series
    lines: pd.Series | None
    notes: tuple[str, ...]


def body_of(table: Table, header: Header) -> Body:
    """Take the rows below the header, and note what was left out and which rows do not fit it."""
    body = table.cells.iloc[header.first_data_position :]
    notes = [*table.notes, *header.notes]
    if header.row is not None and (repeated := repeats_header(body, header.titles)).any():
        rows = table.rows[repeated.index[repeated]].tolist()
        notes.append(
            plural(
                len(rows),
                "Left out: {count} row that repeats the header (row {rows}).",
                "Left out: {count} rows that repeat the header (row {rows}).",
                rows=some_of(rows),
            )
        )
        body = body[~repeated]
    filled = is_filled(body)
    places = filled.to_numpy().nonzero()[0]
    blank = int(places[-1]) + 1 - len(places) if len(places) else 0  # those after the last do not matter
    if blank:
        notes.append(plural(blank, "Left out: {count} blank row.", "Left out: {count} blank rows."))
    body = body if filled.all() else body[filled]
    unnamed = [place for place, title in enumerate(header.titles) if not title]
    useless = {place for place in unnamed if not (body.iloc[:, place] != "").any()}
    kept = [place for place in range(body.shape[1]) if place not in useless]
    names = header.names
    frame = body.iloc[:, kept].set_axis([names[place] for place in kept], axis=1)
    notes += _surplus(body, header, [place for place in unnamed if place not in useless], table.rows)
    notes += _short(body, header, table)
    return Body(
        frame=frame.reset_index(drop=True),
        rows=table.rows[frame.index].astype("int64").rename("row").reset_index(drop=True),
        lines=_lines(table, frame.index),
        notes=tuple(notes),
    )


def repeats_header(body: pd.DataFrame, titles: Sequence[str]) -> pd.Series:
    """Rows that repeat the header, as printed lists do on every page."""
    same = pd.Series(data=True, index=body.index)
    for place, title in enumerate(titles):
        if not same.any():
            break
        same[same] = body.iloc[:, place][same] == title
    return same


def is_filled(body: pd.DataFrame) -> pd.Series:
    """Rows with anything in them."""
    filled = pd.Series(data=False, index=body.index)
    for place in range(body.shape[1]):
        filled |= body.iloc[:, place] != ""
        if filled.all():
            break
    return filled


def _surplus(body: pd.DataFrame, header: Header, unnamed: list[int], rows: pd.Series) -> list[str]:
    if header.row is None or not unnamed:
        return []
    surplus = body.index[(body.iloc[:, unnamed] != "").any(axis=1)]
    names = header.names
    return [
        plural(
            len(surplus),
            "Wider than the header: {count} row (row {rows}); see {names}.",
            "Wider than the header: {count} rows (row {rows}); see {names}.",
            rows=some_of(rows[surplus].tolist()),
            names=", ".join(names[place] for place in unnamed),
        )
    ]


def _short(body: pd.DataFrame, header: Header, table: Table) -> list[str]:
    """Note which rows have fewer cells than the header; their last cells are now empty."""
    if header.row is None:
        return []
    named = max((place + 1 for place, title in enumerate(header.titles) if title), default=0)
    present = set(body.index) if table.widths else set()
    short = [place for place, width in table.widths.items() if width < named and place in present]
    if not short:
        return []
    return [
        plural(
            len(short),
            "Shorter than the header: {count} row (row {rows}); the last cells are empty.",
            "Shorter than the header: {count} rows (row {rows}); the last cells are empty.",
            rows=some_of(table.rows[short].tolist()),
        )
    ]


def _lines(table: Table, index: pd.Index) -> pd.Series | None:
    if table.lines is None or (table.lines[index] == table.rows[index]).all():
        return None
    return table.lines[index].astype("int64").rename("line").reset_index(drop=True)
