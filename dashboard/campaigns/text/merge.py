"""Fill a template in for every contact at once: columns are joined, and no row is ever handled on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.length.links import Links, count_links
from dashboard.campaigns.length.measures import Bools, Ints, Measures, measure
from dashboard.campaigns.length.normal import normal_column
from dashboard.campaigns.text.cells import Cells, Values, constant
from dashboard.campaigns.text.outline import links_of
from dashboard.campaigns.text.template import Literal, Piece

_TEXT = pa.large_string()


@dataclass(frozen=True)
class Merged:
    """One text per contact, measured.

    `bodies` is an Arrow column in NFC; `blank` says where a field without a fallback has nothing to show.
    """

    bodies: pa.Array
    measures: Measures
    links: Links
    blank: Bools

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several joined, one after the other."""
        return cls(
            pa.concat_arrays([part.bodies for part in parts]),
            Measures.joined([part.measures for part in parts]),
            Links.joined([part.links.of_length(len(part.blank)) for part in parts]),
            np.concatenate([part.blank for part in parts]),
        )

    def at(self, rows: Ints) -> Self:
        """The texts of these rows, in this order."""
        return type(self)(
            self.bodies.take(pa.array(rows)),
            self.measures.at(rows),
            self.links.at(rows),
            self.blank.take(rows),
        )


def merge(pieces: Sequence[Piece], columns: Mapping[str, str], cells: Cells, rows: Ints | None) -> Merged:
    """Fill a template in.

    Args:
        pieces: The template's pieces, see `Template.where`; their conditions are not evaluated again.
        columns: The column of each field, see `fields.match_fields`.
        cells: The contacts' columns.
        rows: The contacts that get it, by place; all of them if None.
    """
    length = len(cells) if rows is None else len(rows)
    blank = np.zeros(length, bool)
    filled: list[Values] = []
    for piece in pieces:
        if isinstance(piece, Literal):
            filled.append(constant(piece.text))
            continue
        values = cells[columns[piece.name]].fill(piece.fallback or "", rows)
        if piece.fallback is None:
            blank |= values.blank
        filled.append(values)
    bodies = _join(pieces, filled, length)
    if any(values.melts for values in filled[1:]):
        bodies = normal_column(bodies)
        measures = measure(bodies).of_length(length)
        return Merged(bodies, measures, count_links(bodies, measures.characters), blank)
    constants_first = sorted((values.measures for values in filled), key=lambda each: len(each.characters))
    measures = reduce(add, constants_first, constant("").measures).of_length(length)
    return Merged(bodies, measures, links_of(pieces, filled, bodies, measures.characters), blank)


def _join(pieces: Sequence[Piece], filled: Sequence[Values], length: int) -> pa.Array:
    whole = [
        values.texts[0] if isinstance(piece, Literal) else values.texts
        for piece, values in zip(pieces, filled, strict=True)
    ]
    if all(isinstance(piece, Literal) for piece in pieces):
        return pa.repeat(pa.scalar("".join(text.as_py() for text in whole), _TEXT), length)
    return pc.binary_join_element_wise(*whole, pa.scalar("", _TEXT))
