"""Where a number that is not valid at home is valid: "these are French numbers" saves a list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.verdicts.categories import among
from dashboard.contacts.vocabulary.line_types import TEXTABLE
from dashboard.phones import clean_phones

__all__ = ["countries_to_try", "valid_elsewhere"]

# fmt: off
_LIKELY = (
    "GB", "FR", "DE", "ES", "IT", "NL", "BE", "CH", "AT", "IE", "PT", "PL", "SE", "NO", "DK", "FI", "TR",
    "IN", "AU", "NZ", "ZA", "BR", "MX", "JP", "US",
)
# fmt: on
_MOST_SEEN = 5
_NO_COUNTRY = "001"
_NOWHERE = -1
_AT_ONCE = 1 << 13
"""Texts judged in one call, in one country after another: what a judgement costs, it costs by the call."""


def countries_to_try(seen: pd.Series) -> tuple[str, ...]:
    """Countries whose numbers a list may contain: those it has, most frequent first, then big ones.

    Args:
        seen: Countries of the list's valid numbers, a category.
    """
    counts = seen.value_counts()
    frequent = counts[counts > 0].index.drop(_NO_COUNTRY, errors="ignore")[:_MOST_SEEN]
    return tuple(dict.fromkeys([*frequent, *_LIKELY]))


def valid_elsewhere(texts: pd.Series, countries: Sequence[str]) -> pd.Series:
    """The first of the countries in which each text is a valid mobile number; missing where there is none.

    Args:
        texts: National numbers that are not valid at home.
        countries: The order in which to try.
    """
    found, tried = np.full(len(texts), _NOWHERE), 0
    while tried < len(countries) and (left := np.flatnonzero(found == _NOWHERE)).size:
        some = countries[tried : tried + max(1, _AT_ONCE // left.size)]
        first = _first_valid(texts.iloc[left], some)
        found[left] = np.where(first == _NOWHERE, _NOWHERE, first + tried)
        tried += len(some)
    return pd.Series(pd.Categorical.from_codes(found, pd.Index(countries)), index=texts.index)


def _first_valid(texts: pd.Series, countries: Sequence[str]) -> npt.NDArray[np.intp]:
    """For each text the position of the first country where it is a valid mobile number."""
    codes = np.repeat(np.arange(len(countries), dtype=np.int16), len(texts))
    homes = pd.Series(pd.Categorical.from_codes(codes, pd.Index(countries)))
    repeated = pa.chunked_array(arrow_of(texts).chunks * len(countries))
    judged = clean_phones(text_series(repeated), homes)
    is_mobile = judged["valid"].to_numpy() & among(judged["line_type"], TEXTABLE)
    fits = is_mobile.reshape(len(countries), len(texts))
    return np.where(fits.any(axis=0), fits.argmax(axis=0), _NOWHERE)
