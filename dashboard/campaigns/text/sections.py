"""A campaign's rows split into groups with one plain text each, without conditions, and joined again.

Rows differ in their text by variant, and by what their yes/no columns say. A campaign without either is one
group of all rows, which costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dashboard.campaigns.length.measures import Bools, Ints
from dashboard.campaigns.text.cells import UNCLEAR, YES, Cells
from dashboard.campaigns.text.merge import Merged, merge
from dashboard.campaigns.text.template import Template


@dataclass(frozen=True)
class Share:
    """A template, the column of each of its names, and the contacts who get it, by place (None: all)."""

    template: Template
    columns: Mapping[str, str]
    rows: Ints | None


@dataclass(frozen=True)
class Written:
    """The texts of all contacts in their order; `unclear` says where a condition has no answer."""

    merged: Merged
    unclear: Bools


def write_shares(shares: Sequence[Share], cells: Cells) -> Written:
    """Fill in the template of every share; each contact is in exactly one share."""
    unclear = np.zeros(len(cells), bool)
    places: list[Ints | None] = []
    merged: list[Merged] = []
    for share in shares:
        for yes, rows in _by_answers(share, cells, unclear):
            merged.append(merge(share.template.where(yes), share.columns, cells, rows))
            places.append(rows)
    whole = [rows for rows in places if rows is not None]
    return Written(_in_order(merged, np.concatenate(whole)) if whole else merged[0], unclear)


def _by_answers(share: Share, cells: Cells, unclear: Bools) -> Iterator[tuple[list[str], Ints | None]]:
    """The conditions that hold, and the rows where exactly these do. Marks rows without a clear answer."""
    names = share.template.conditions
    rows = np.arange(len(cells)) if share.rows is None else share.rows
    if not names or not len(rows):
        yield [], share.rows
        return
    answers = np.stack([cells[share.columns[name]].answers()[rows] for name in names], axis=1)
    unclear[rows] |= (answers == UNCLEAR).any(axis=1)
    held, group = np.unique(answers == YES, axis=0, return_inverse=True)
    for number, holds in enumerate(held):
        yield [name for name, does in zip(names, holds, strict=True) if does], rows[group.ravel() == number]


def _in_order(parts: Sequence[Merged], rows: Ints) -> Merged:
    """The groups joined into one; `rows` are the places of their rows, one group after the other."""
    return Merged.joined(parts).at(np.argsort(rows, kind="stable"))
