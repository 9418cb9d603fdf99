"""`clean_phones`: every distinct text goes through the `phonenumbers` library once."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

from dashboard.errors import CountryError

__all__ = ["clean_phones"]

_COUNTRIES = pd.CategoricalDtype([*sorted(phonenumbers.SUPPORTED_REGIONS), "001"])
_LINE_TYPES = pd.CategoricalDtype(
    [
        "FIXED_LINE",
        "MOBILE",
        "FIXED_LINE_OR_MOBILE",
        "TOLL_FREE",
        "PREMIUM_RATE",
        "SHARED_COST",
        "VOIP",
        "PERSONAL_NUMBER",
        "PAGER",
        "UAN",
        "UNKNOWN",
        "EMERGENCY",
        "VOICEMAIL",
        "SHORT_CODE",
        "STANDARD_RATE",
    ]
)
_PARSE_PROBLEMS = {
    NumberParseException.INVALID_COUNTRY_CODE: "INVALID_COUNTRY_CODE",
    NumberParseException.NOT_A_NUMBER: "NOT_A_NUMBER",
    NumberParseException.TOO_SHORT_AFTER_IDD: "TOO_SHORT_AFTER_IDD",
    NumberParseException.TOO_SHORT_NSN: "TOO_SHORT_NSN",
    NumberParseException.TOO_LONG: "TOO_LONG",
}
_PROBLEMS = pd.CategoricalDtype([*_PARSE_PROBLEMS.values(), "INVALID"])


class _Judged(NamedTuple):
    phone: str | None
    valid: bool
    country: str | None
    line_type: str
    problem: str | None


def clean_phones(texts: pd.Series, country: str | pd.Series | None) -> pd.DataFrame:
    """Judge a column of texts exactly as the `phonenumbers` library does, and nothing else.

    Args:
        texts: What was typed, one number each; missing values are not numbers.
        country: ISO 3166 country of numbers without a country code: one for all, one per text
            (same index, missing where unknown), or None when only international numbers count.

    Returns:
        A frame with the index of `texts` and the columns phone (E.164, missing when it cannot be parsed),
        valid, country (region of the number), line_type (the contract's words) and problem (the library's
        parse error, INVALID for a number that parses but is not valid, missing when valid).

    Raises:
        CountryError: A country is not a two-letter code in upper case that the library knows.

    Example:
        >>> clean_phones(pd.Series(["020 7946 0991"]), "GB")["phone"].tolist()
        ['+442079460991']
    """
    pairs = pd.DataFrame({"text": texts.astype("str"), "country": _countries(texts, country)})
    codes = pairs.groupby(["text", "country"], dropna=False, observed=True, sort=False).ngroup()
    first = ~codes.duplicated()
    distinct = pairs[first]
    judged = pd.DataFrame(
        [
            _judge(None if pd.isna(text) else text, None if pd.isna(region) else region)
            for text, region in zip(distinct["text"], distinct["country"], strict=True)
        ],
        columns=list(_Judged._fields),
    ).astype(
        {
            "phone": "str",
            "valid": "bool",
            "country": _COUNTRIES,
            "line_type": _LINE_TYPES,
            "problem": _PROBLEMS,
        }
    )
    return judged.take(codes.to_numpy()).set_axis(texts.index)


def _countries(texts: pd.Series, country: str | pd.Series | None) -> pd.Series:
    if not isinstance(country, pd.Series):
        country = pd.Series(country, index=texts.index, dtype="str")
    unknown = set(country.dropna().unique()) - phonenumbers.SUPPORTED_REGIONS
    if unknown:
        raise CountryError(
            f"{len(unknown)} of the countries given are not two-letter ISO 3166 codes in upper case. "
            "Write them as in GB, FR or US."
        )
    return country.astype("str")


def _judge(text: str | None, region: str | None) -> _Judged:
    try:
        number = phonenumbers.parse(text or "", region)
    except NumberParseException as error:
        return _Judged(None, False, None, "UNKNOWN", _PARSE_PROBLEMS[error.error_type])  # noqa: FBT003
    valid = phonenumbers.is_valid_number(number)
    return _Judged(
        phone=phonenumbers.format_number(number, PhoneNumberFormat.E164),
        valid=valid,
        country=phonenumbers.region_code_for_number(number),
        line_type=PhoneNumberType.to_string(phonenumbers.number_type(number)),
        problem=None if valid else "INVALID",
    )
