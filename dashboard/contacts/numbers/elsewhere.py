"""Where a number that is not valid at home is valid: "these are French numbers" saves a list."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from dashboard.contacts.line_types import TEXTABLE
from dashboard.phones import first_country

__all__ = ["countries_to_try", "valid_elsewhere"]

# fmt: off
_LIKELY = (
    "GB", "FR", "DE", "ES", "IT", "NL", "BE", "CH", "AT", "IE", "PT", "PL", "SE", "NO", "DK", "FI", "TR",
    "IN", "AU", "NZ", "ZA", "BR", "MX", "JP", "US",
)
# fmt: on
_MOST_SEEN = 5
_NO_COUNTRY = "001"


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
    found = first_country(texts, countries, TEXTABLE)
    return pd.Series(pd.Categorical.from_codes(found, pd.Index(countries)), index=texts.index)
