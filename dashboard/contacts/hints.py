"""Where a number is valid that is not valid at home: "these are French numbers" saves a list."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.phones import clean_phones

__all__ = ["valid_elsewhere"]

# fmt: off
_LIKELY = (
    "GB", "FR", "DE", "ES", "IT", "NL", "BE", "CH", "AT", "IE", "PT", "PL", "SE", "NO", "DK", "FI", "TR",
    "IN", "AU", "NZ", "ZA", "BR", "MX", "JP", "US",
)
# fmt: on
_MOST_SEEN = 5
_NO_COUNTRY = "001"


def valid_elsewhere(texts: pd.Series, seen: pd.Series) -> pd.Series:
    """The first other country in which each text is a valid mobile number; missing where there is none.

    Args:
        texts: National numbers that are not valid at home.
        seen: Countries of the list's valid numbers: these are tried first, the most frequent first.
    """
    found = pd.Series(pd.NA, index=texts.index, dtype="str")
    countries = seen[seen.notna() & (seen != _NO_COUNTRY)].astype("str")
    frequent = countries.value_counts().index[:_MOST_SEEN]
    for country in dict.fromkeys([*frequent, *_LIKELY]):
        left = texts[found.isna()]
        if left.empty:
            break
        judged = clean_phones(left, country)
        fits = judged["valid"] & judged["line_type"].isin(TEXTABLE)
        found = found.mask(fits.reindex(found.index, fill_value=False), country)
    return found
