"""Links in a text, and what replacing them with short links does to its length (contract, section 4.1).

A URL here begins with `http://` or `https://` in any case and runs to the next space, quote or angle bracket;
punctuation at its end belongs to the sentence, and so does a closing bracket not opened inside it. A bare
`www.example.com` is not a URL: the contract does not say whether the service would shorten it, so write
https:// before an address that should be shortened.

The length of a short link is not documented, so a text with k links is `fixed + k * length` characters for a
length within a range: its credits are a range too, never one number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.arguments import check_fields, checks_arguments
from dashboard.campaigns.length.measures import Ints, ints
from dashboard.errors import CampaignError
from dashboard.values import as_texts
from dashboard.words import _

_SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_OUTSIDE = _SPACES + '<>"“”„«»'
_ENDS_NO_URL = ".,;:!?'\u2019*_~)\\]}…"
INSIDE_URL = rf"[^{_OUTSIDE}{_ENDS_NO_URL}(]"
"""A character that continues a URL, whatever surrounds it."""
_IN_BRACKETS = rf"\([^{_OUTSIDE}()]*\)"
# Python's and Arrow's regular expressions read this alike, unlike `\s`.
URL_PATTERN = rf"(?i)https?://(?:[{_ENDS_NO_URL}]*(?:{_IN_BRACKETS}|[^{_OUTSIDE}{_ENDS_NO_URL}]))+"
_URL = re.compile(URL_PATTERN)


@dataclass(frozen=True)
class LinkLength:
    """How long a short link may be, in characters: anything from `low` to `high`, both included.

    `as_written`: the service was seen to bill each link as written in the text, so neither applies.

    Example:
        >>> text, short = "Our spring sale: https://shop.example.com/sale", LinkLength(23, 23)
        >>> messages = write_messages(contacts, text, campaign="Spring", short_link=short)
        >>> messages["characters_high"].max().item()
        40
    """

    low: int = 15
    high: int = 35
    as_written: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 < self.low <= self.high:
            raise CampaignError(_("A short link has at least one character, and at most its highest length."))


@dataclass(frozen=True)
class Links:
    """Per text: how many links it contains and how many characters they have in total.

    Arrays of equal length, or of length 1 if all texts agree.
    """

    count: Ints
    characters: Ints

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The links of several columns, one after the other."""
        count, characters = zip(*((part.count, part.characters) for part in parts), strict=True)
        return cls(np.concatenate(count), np.concatenate(characters))

    def at(self, rows: Ints) -> Self:
        """The links of these texts, in this order."""
        arrays = (self.count, self.characters)
        return type(self)(*(array if len(array) == 1 else array.take(rows) for array in arrays))

    def of_length(self, length: int) -> Self:
        """The same, with arrays of this length."""
        return type(self)(np.broadcast_to(self.count, length), np.broadcast_to(self.characters, length))


@checks_arguments()
def find_urls(text: str) -> list[str]:
    """The URLs in a text, in order, including repeats.

    Example:
        >>> find_urls("Look: https://a.example/x, or (http://b.example).")
        ['https://a.example/x', 'http://b.example']
    """
    return [text[start:end] for start, end in url_spans(text)]


def url_spans(text: str) -> list[tuple[int, int]]:
    """Where each URL of a text begins and ends."""
    return [found.span() for found in _URL.finditer(text)]


def replace_urls(texts: pd.Series, link: str) -> pd.Series:
    """The texts with `link` in place of every URL, index kept."""
    return texts.str.replace(_URL, link, regex=True)


@checks_arguments()
def has_links(texts: pd.Series) -> pd.Series:
    """Whether each text contains a URL, as booleans with the index kept."""
    return as_texts(texts).str.contains(_URL).astype("bool").rename("has_links")


def count_links(texts: pa.Array, characters: Ints) -> Links:
    """Find the links in a column of texts whose lengths in `characters` are known."""
    without = pc.replace_substring_regex(texts, URL_PATTERN, "")
    count = ints(pc.count_substring_regex(texts, URL_PATTERN))
    return Links(count, characters - ints(pc.utf8_length(without)))
