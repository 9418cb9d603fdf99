"""Which country the numbers without a country code in a sheet belong to. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts import TEXTABLE
from dashboard.phones.clean import clean_phones

_LOOKED_AT, _MOST_COUNTRIES = 2_000, 5
_FEWEST_SHARE = 0.5


def guessed_country(phones: pd.Series, usual: str | None, near: str | None) -> str | None:
    """The country (ISO 3166) in which most of these numbers are mobiles, or the usual one.

    Any ten digits are valid somewhere, so only countries for which something speaks are tried: the usual one,
    those of the sheet's numbers with a country code, and the one where the viewer is.

    Args:
        phones: Numbers as they are in the sheet.
        usual: What counts if nothing speaks against it.
        near: Where the viewer is.

    Returns:
        The country; the usual one, or None, if fewer than half of the numbers are mobiles in any.
    """
    texts = phones.dropna().astype("str").head(_LOOKED_AT)
    known = clean_phones(texts, None)
    abroad = known.loc[known["valid"], "country"].value_counts()
    said = [str(country) for country in abroad.index[abroad > 0][:_MOST_COUNTRIES]]
    national = texts[~known["valid"] & ~texts.str.lstrip().str.startswith("+")]
    tried = dict.fromkeys([usual, *said, near]) if len(national) else {}
    shares = {country: _share_of_mobiles(national, country) for country in tried if country}
    if not shares:
        return usual or next(iter(said), None)
    if shares.get(usual or "", 0.0) >= _FEWEST_SHARE:
        return usual
    best = max(shares, key=lambda country: shares[country])
    return best if shares[best] >= _FEWEST_SHARE else usual


def _share_of_mobiles(phones: pd.Series, country: str) -> float:
    judged = clean_phones(phones, country)
    return float((judged["valid"] & judged["line_type"].isin(TEXTABLE)).mean())
