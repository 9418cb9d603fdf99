"""`clean_phones`: a pandas column to a frame of verdicts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.arguments import checks_arguments
from dashboard.errors import CountryError
from dashboard.phones.build.plans import WORLD, country_names
from dashboard.phones.column import first_homes, judge_column
from dashboard.phones.kernel import NO_PROBLEM, NOWHERE, Array
from dashboard.phones.words import LINE_TYPES, PROBLEMS
from dashboard.values import whole_characters

_COUNTRIES = pd.CategoricalDtype(country_names())
_LINE_TYPES = pd.CategoricalDtype([*LINE_TYPES])
_PROBLEMS = pd.CategoricalDtype([*PROBLEMS])
_STR = pd.StringDtype("pyarrow", na_value=np.nan)
_HOME_OF = {country: home for home, country in enumerate(country_names()) if country != WORLD}
_NO_COUNTRY = -2
_NO_COUNTRY_MESSAGE = (
    "A country given is not a two-letter ISO 3166 code in upper case. Write it as in GB, FR or US."
)


@checks_arguments()
def clean_phones(texts: pd.Series, country: str | pd.Series | None) -> pd.DataFrame:
    """Judge a column of texts exactly as the `phonenumbers` library does, and nothing else.

    A million rows take 0.12 s of one core, where the library takes 33 s; docs/phones.md explains how.

    Args:
        texts: What was typed, one number each; missing values are not numbers.
        country: ISO 3166 country of numbers without a country code: one for all, one per text
            (same index, missing where unknown), or None when only international numbers count.

    Returns:
        A frame with the index of `texts` and the columns phone (E.164, missing when it cannot be parsed),
        valid, country (region of the number), line_type (the contract's words) and problem (the library's
        parse error, INVALID for a number that parses but is not valid, missing when valid). It takes about
        25 bytes a row.

    Raises:
        CountryError: A country is not a two-letter code in upper case that the library knows.

    Example:
        >>> clean_phones(pd.Series(["020 7946 0991"]), "GB")["phone"].tolist()
        ['+442079460991']
    """
    judged = judge_column(_arrow(texts), _homes(texts, country))
    return pd.DataFrame(
        {
            "phone": pd.arrays.ArrowStringArray(judged.phones, dtype=_STR),  # type: ignore[call-arg]
            "valid": judged.problem == NO_PROBLEM,
            "country": pd.Categorical.from_codes(judged.country, dtype=_COUNTRIES, validate=False),
            "line_type": pd.Categorical.from_codes(judged.line_type, dtype=_LINE_TYPES, validate=False),
            "problem": pd.Categorical.from_codes(judged.problem, dtype=_PROBLEMS, validate=False),
        },
        index=texts.index,
        copy=False,
    )


def first_country(texts: pd.Series, countries: Sequence[str], line_types: Collection[str]) -> Array:
    """For each text the place of the first country in which it is a valid number of one of the line types.

    As `clean_phones` for one country after another would find it, several times as fast.

    Returns:
        int16; -1 where there is none.

    Example:
        >>> first_country(pd.Series(["020 7946 0991", "151 23456789"]), ["GB", "DE"], ["MOBILE"]).tolist()
        [-1, 1]
    """
    homes = np.array([_HOME_OF[country] for country in countries], np.int16)
    return first_homes(_arrow(texts), homes, line_types)


def _arrow(texts: pd.Series) -> pa.ChunkedArray:
    array = pa.array(_strings(texts).array)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _strings(texts: pd.Series) -> pd.Series:
    try:
        return texts.astype("str")
    except UnicodeEncodeError:  # half of a surrogate pair: UTF-8 cannot hold it, and no number contains it
        return texts.astype(object).map(whole_characters, na_action="ignore").astype("str")


def _homes(texts: pd.Series, country: str | pd.Series | None) -> Array:
    """The country that each text is dialled from, as a number; a single one when it is the same for all."""
    if not isinstance(country, pd.Series):
        if country is not None and country not in _HOME_OF:
            raise CountryError(_NO_COUNTRY_MESSAGE)
        return np.array([NOWHERE if country is None else _HOME_OF[country]], np.int16)
    if not country.index.equals(texts.index):
        raise CountryError("The countries are not in step with the texts: give both the same index.")
    named = country.astype("category").cat
    homes = np.array([*(_HOME_OF.get(name, _NO_COUNTRY) for name in named.categories), NOWHERE], np.int16)
    homes_of_rows: Array = homes[named.codes.to_numpy()]  # code -1, missing, is the last
    if (homes_of_rows == _NO_COUNTRY).any():
        raise CountryError(_NO_COUNTRY_MESSAGE)
    return homes_of_rows
