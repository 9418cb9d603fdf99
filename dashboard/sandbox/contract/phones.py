"""The format check of section 4.2, by the phonenumbers library, short numbers included."""

from __future__ import annotations

from typing import TypedDict

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberType, ShortNumberCost, shortnumberinfo

TYPES = {
    PhoneNumberType.FIXED_LINE: "fixed_line",
    PhoneNumberType.MOBILE: "mobile",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_line_or_mobile",
    PhoneNumberType.TOLL_FREE: "toll_free",
    PhoneNumberType.PREMIUM_RATE: "premium_rate",
    PhoneNumberType.SHARED_COST: "shared_cost",
    PhoneNumberType.VOIP: "voip",
    PhoneNumberType.PERSONAL_NUMBER: "personal_number",
    PhoneNumberType.PAGER: "pager",
    PhoneNumberType.UAN: "uan",
    PhoneNumberType.VOICEMAIL: "voicemail",
    PhoneNumberType.UNKNOWN: "unknown",
}
"""The library's types in the contract's words, lower case as in the contract's sample."""

SHORT_TYPES = {
    ShortNumberCost.TOLL_FREE: "toll_free",
    ShortNumberCost.STANDARD_RATE: "standard_rate",
    ShortNumberCost.PREMIUM_RATE: "premium_rate",
    ShortNumberCost.UNKNOWN_COST: "short_code",
}

COUNTRIES = frozenset(phonenumbers.SUPPORTED_REGIONS) | {"AQ", "BV", "GS", "HM", "PN", "TF", "UM"}
"""ISO 3166; these seven have no numbering plan of their own, so no number is valid in them."""


class Check(TypedDict):
    """The answer of section 2.4."""

    valid_format: bool
    country: str
    type: str


def check(number: str, country: str) -> Check:
    """Whether a number, however written, has a valid format for a country, and its line type.

    Countries that share a calling code share a numbering plan: a Guernsey number is valid when asked about
    for GB, as libphonenumber advises, and the answer's country says GG.

    Example:
        >>> check("020 7946 0958", "GB")
        {'valid_format': True, 'country': 'GB', 'type': 'fixed_line'}
    """
    try:
        parsed = phonenumbers.parse(number, country)
    except NumberParseException:
        return _check_short(number, None, country)
    in_plan = parsed.country_code == phonenumbers.country_code_for_region(country)
    if in_plan and phonenumbers.is_valid_number(parsed):
        region = phonenumbers.region_code_for_number(parsed) or country
        return {"valid_format": True, "country": region, "type": TYPES[phonenumbers.number_type(parsed)]}
    return _check_short(number, parsed, country)


def _check_short(number: str, parsed: PhoneNumber | None, country: str) -> Check:
    line_type = None
    if shortnumberinfo.is_emergency_number(number, country):
        line_type = "emergency"
    elif parsed and shortnumberinfo.is_valid_short_number_for_region(parsed, country):
        line_type = SHORT_TYPES[shortnumberinfo.expected_cost_for_region(parsed, country)]
    return {"valid_format": line_type is not None, "country": country, "type": line_type or "unknown"}
