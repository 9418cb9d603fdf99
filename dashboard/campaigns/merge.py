"""Filling a template in for every contact at once: columns are joined, no row is ever looked at by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.alphabet import uncommon_bytes
from dashboard.campaigns.links import Links, count_links, find_urls
from dashboard.campaigns.measures import Bools, Measures, measure
from dashboard.campaigns.normal import as_text_column, begins_composing, normal_column
from dashboard.campaigns.template import Literal, MergeField, Template

_TEXT = pa.large_string()
# Stands for a field while the template's own links are looked for; it may be part of a URL, as a value may.
_PLACEHOLDER = "\ufffc"


@dataclass(frozen=True)
class Merged:
    """One text per contact, measured.

    `bodies` is an Arrow column in NFC; `blank` says where a field without fallback has nothing to show.
    """

    bodies: pa.Array
    measures: Measures
    links: Links
    blank: Bools


def merge(template: Template, contacts: pd.DataFrame, columns: Mapping[str, str]) -> Merged:
    """Fill a template in.

    Args:
        template: The template, read.
        contacts: A row per contact.
        columns: The column of each of its fields, see `fields.match_fields`.
    """
    blank = np.zeros(len(contacts), bool)
    pieces: list[pa.Array] = []
    for piece in template.pieces:
        if isinstance(piece, Literal):
            pieces.append(pa.array([piece.text], _TEXT))
            continue
        values, empty = _values(contacts[columns[piece.name]])
        if empty.any():
            if piece.fallback is None:
                blank |= empty
            values = pc.if_else(pa.array(empty), pa.scalar(piece.fallback or "", _TEXT), values)
        pieces.append(values)
    bodies = _join(template, pieces, len(contacts))
    if any(map(begins_composing, pieces[1:])):
        bodies = normal_column(bodies)
        measures = measure(bodies)
    else:
        measures = reduce(add, map(measure, pieces), _no_measures(len(contacts)))
    return Merged(bodies, measures, _links(template, pieces, bodies, measures), blank)


def _values(column: pd.Series) -> tuple[pa.Array, Bools]:
    """The cells of a column without spaces around them, and which of them are blank."""
    values = pc.fill_null(normal_column(pc.utf8_trim_whitespace(as_text_column(column))), "")
    return values, pc.equal(pc.binary_length(values), 0).to_numpy(zero_copy_only=False)


def _join(template: Template, pieces: list[pa.Array], length: int) -> pa.Array:
    if not template.fields:
        return pa.repeat(pa.scalar("".join(piece[0].as_py() for piece in pieces), _TEXT), length)
    whole = [
        values[0] if isinstance(piece, Literal) else values
        for piece, values in zip(template.pieces, pieces, strict=True)
    ]
    return pc.binary_join_element_wise(*whole, pa.scalar("", _TEXT))


def _no_measures(length: int) -> Measures:
    nothing = np.zeros(length, np.int64)
    return Measures(nothing, nothing, nothing, np.zeros(length, bool))


def _links(template: Template, pieces: list[pa.Array], bodies: pa.Array, measures: Measures) -> Links:
    """The links of every text; those of the template are found once when no value can touch them."""
    outline = "".join(piece.text if isinstance(piece, Literal) else _PLACEHOLDER for piece in template.pieces)
    urls = find_urls(outline)
    values = [
        column for piece, column in zip(template.pieces, pieces, strict=True) if isinstance(piece, MergeField)
    ]
    if any(_PLACEHOLDER in url for url in urls) or any(ord("/") in uncommon_bytes(v) for v in values):
        return count_links(bodies, measures.characters)
    ones = np.ones(len(bodies), np.int64)
    return Links(ones * len(urls), ones * sum(map(len, urls)))
