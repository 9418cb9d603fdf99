"""The links of filled-in texts: found once, in the template's outline, where values cannot matter.

The outline is the template with a placeholder for each field. A field inside a URL makes the URL longer by
its value, provided the value consists of characters that continue a URL. A field elsewhere adds no link,
provided its value has no slash. Only rows for which neither holds are searched as whole texts: reading a
million bodies with a regular expression takes a second.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.length.alphabet import has_only
from dashboard.campaigns.length.links import INSIDE_URL, Links, count_links, url_spans
from dashboard.campaigns.length.measures import Bools, Ints
from dashboard.campaigns.text.cells import Values
from dashboard.campaigns.text.template import Literal, Piece

_PLACEHOLDER = "\ufffc"
# Slashes whose scheme is not entirely in the template: a value may complete "https:".
_SPLIT_SCHEME = re.compile(r"(?<!http:)(?<!https:)//", re.IGNORECASE)
_CODES = frozenset((string.ascii_letters + string.digits + "-=&%+#@/").encode())
_ONLY_INSIDE_URL = f"^{INSIDE_URL}+$"


def links_of(pieces: Sequence[Piece], filled: Sequence[Values], bodies: pa.Array, characters: Ints) -> Links:
    """Count the links of every text.

    Args:
        pieces: The template's pieces.
        filled: The value of each piece: a column, or a single text for a literal.
        bodies: The texts.
        characters: Their lengths.
    """
    outline = "".join(piece.text if isinstance(piece, Literal) else _PLACEHOLDER for piece in pieces)
    if _SPLIT_SCHEME.search(outline):
        return count_links(bodies, characters)
    spans = url_spans(outline)
    lengths = np.array([sum(end - start for start, end in spans)])
    is_open = np.zeros(1, bool)
    place = 0
    for piece, values in zip(pieces, filled, strict=True):
        if isinstance(piece, Literal):
            place += len(piece.text)
            continue
        if any(start <= place < end for start, end in spans):
            lengths = lengths + values.measures.characters - len(_PLACEHOLDER)
            is_open = is_open | _leaves_url(values)
        elif ord("/") in values.uncommon:
            is_open = is_open | pc.match_substring(values.texts, "/").to_numpy(zero_copy_only=False)
        place += 1
    links = Links(np.array([len(spans)]), lengths)
    return _searched(links, np.flatnonzero(is_open), bodies, characters)


def _leaves_url(values: Values) -> Bools:
    """Where a value inside a URL is empty or contains something that may end the URL."""
    if has_only(values.texts, _CODES):
        return values.blank
    stays = pc.match_substring_regex(values.texts, _ONLY_INSIDE_URL)
    leaves: Bools = pc.invert(stays).to_numpy(zero_copy_only=False)
    return leaves


def _searched(links: Links, rows: Ints, bodies: pa.Array, characters: Ints) -> Links:
    """The same, with these rows counted in their bodies."""
    if not len(rows):
        return links
    whole = links.of_length(len(bodies))
    count, lengths = whole.count.copy(), whole.characters.copy()
    found = count_links(bodies.take(pa.array(rows)), characters[rows])
    count[rows], lengths[rows] = found.count, found.characters
    return Links(count, lengths)
