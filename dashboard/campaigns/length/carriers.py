r"""What carriers make of a text: a warning alongside the contract's credits, never mixed with them.

Networks carry a text in the GSM 7-bit alphabet (3GPP TS 23.038) when every character is in it: 160 units,
or 153 in each part of a longer text. `^ { } \ [ ~ ] | €` and form feed take two units, which are never
split. One character outside the alphabet turns the whole text into UCS-2: 70 units, or 67 per part, and most
emoji take two.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import smsutil

from dashboard.arguments import checks_arguments
from dashboard.campaigns.length.credits import split_units
from dashboard.campaigns.length.measures import ANY_GSM, GSM, Bools, Ints, Measures, measure
from dashboard.campaigns.length.normal import as_text_column, normal_column, normal_text
from dashboard.campaigns.schema import CARRIER_ENCODINGS

_GSM_UNITS = (160, 153)
_UCS_2_UNITS = (70, 67)

_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4"
_QUOTES = "“”„‟″«»"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
# Zero-width spaces, the soft hyphen and direction marks. Joiners stay: emoji and some scripts need them.
_INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c"
_REPLACEMENTS = (
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_SPACES, " ")
    | dict.fromkeys(_INVISIBLE, "")
    | {"…": "...", "•": "*"}
)
_TABLE = str.maketrans(_REPLACEMENTS)
_COLUMN_NAME = re.compile(r"(\{\{[^|}]*)")


@dataclass(frozen=True)
class GsmText:
    """A text with look-alikes in the GSM alphabet, how many were `replaced`, what is `left` outside it."""

    text: str
    replaced: int
    left: tuple[str, ...]


@checks_arguments()
def carrier_parts(texts: pd.Series) -> pd.DataFrame:
    """How carriers would split each text.

    Args:
        texts: Texts of any length; a missing one counts as empty.

    Returns:
        carrier_encoding (category "GSM-7" or "UCS-2") and carrier_parts (int64), index kept.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> carrier_parts(pd.Series(["€" * 81, "ł" * 71]))["carrier_parts"].tolist()
        [2, 2]
    """
    column = normal_column(as_text_column(texts))
    measures = measure(column).of_length(len(column))
    return pd.DataFrame(
        {"carrier_encoding": encodings_of(measures), "carrier_parts": parts_of(column, measures)},
        index=texts.index,
    )


def encodings_of(measures: Measures) -> pd.Categorical[str]:
    """The carriers' encoding of each text, as a categorical."""
    return pd.Categorical.from_codes(measures.outside_gsm.astype(np.int8), pd.Index(CARRIER_ENCODINGS))


def parts_of(texts: pa.Array, measures: Measures) -> Ints:
    """Parts of each text; `texts` are read only where the totals leave it open."""
    parts = split_units(measures.characters + measures.extended, *_GSM_UNITS)
    open_rows = _torn(measures.characters, measures.extended, parts, _GSM_UNITS)
    if measures.outside_gsm.any():
        ucs = split_units(measures.characters + measures.astral, *_UCS_2_UNITS)
        ucs_open = _torn(measures.characters, measures.astral, ucs, _UCS_2_UNITS)
        parts = np.where(measures.outside_gsm, ucs, parts)
        open_rows = np.where(measures.outside_gsm, ucs_open, open_rows)
    rows = np.flatnonzero(open_rows)
    if len(rows):
        open_texts = pd.Series(texts.take(pa.array(rows)).to_pandas())
        split = {text: len(smsutil.split(text).parts) for text in open_texts.unique()}
        parts[rows] = open_texts.map(split).to_numpy()
    return parts


def _torn(characters: Ints, wide: Ints, brimful: Ints, limits: tuple[int, int]) -> Bools:
    """Where completely filled parts may be too few, because a character of two units would be split.

    Such a part is one unit short. With p full parts, one more is needed only if all p are one unit short and
    two or more units are left over: fewer than (part - 1) * p + 2 units settle it.
    """
    if not wide.any():
        return np.zeros(1, bool)
    single, part = limits
    units = characters + wide
    return (units > single) & (wide > 0) & (units >= (part - 1) * brimful + 2)


@checks_arguments()
def outside_gsm(texts: str | Iterable[str] | pd.Series) -> pd.DataFrame:
    """The characters that make carriers send a text as UCS-2, most frequent first.

    Args:
        texts: One text or many, such as the template, or MESSAGES' `body`.

    Returns:
        character, name (Unicode's), texts (int64: how many contain it), replacement (str; NA if there is
        none).

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> outside_gsm("Don’t miss it")["replacement"].tolist()
        ["'"]
    """
    column = pd.Series([texts] if isinstance(texts, str) else texts, dtype="object")
    left = pc.replace_substring_regex(normal_column(as_text_column(column)), ANY_GSM, "")
    counts: Counter[str] = Counter()
    for pair in left.value_counts().to_pylist():  # few: of most texts nothing is left
        counts.update(dict.fromkeys(pair["values"] or "", pair["counts"]))
    found = [
        (character, unicodedata.name(character, "control character").lower(), count)
        for character, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    frame = pd.DataFrame(found, columns=["character", "name", "texts"])
    frame = frame.astype({"character": "str", "name": "str", "texts": "int64"})
    return frame.assign(replacement=frame["character"].map(_REPLACEMENTS).astype("str"))


@checks_arguments()
def to_gsm(text: str) -> GsmText:
    """Replace typographic characters with look-alikes from the GSM alphabet; letters and emoji stay.

    Args:
        text: A text, or a template, whose column names stay unchanged.

    Returns:
        The text, and how many characters were replaced.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> to_gsm("“New” – hurry…").text
        '"New" - hurry...'
    """
    pieces = _COLUMN_NAME.split(normal_text(text))
    sent = "".join(pieces[::2])
    pieces[::2] = [piece.translate(_TABLE) for piece in pieces[::2]]
    left = set(sent.translate(_TABLE)) - GSM
    return GsmText("".join(pieces), sum(c in _REPLACEMENTS for c in sent), tuple(sorted(left)))
