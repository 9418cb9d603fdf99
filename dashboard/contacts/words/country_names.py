"""Names of countries by their two-letter codes (ISO 3166), in the current language. Pure."""

from __future__ import annotations

import unicodedata
from functools import cache

from babel import Locale

from dashboard.contacts.words.countries import country_codes
from dashboard.words import _, locale


def country_names() -> dict[str, str]:
    """Names by code, in the order of the names."""
    return _names_in(locale())


@cache
def _names_in(language: Locale) -> dict[str, str]:
    """Unicode CLDR's names for all countries that have phone numbers."""
    names = {code: str(language.territories.get(code, code)) for code in country_codes()}
    return dict(sorted(names.items(), key=lambda pair: in_order(pair[1])))


def country_name(code: str | None) -> str:
    """The name of a country; the code itself if it has no name, `Unknown country` without a code."""
    if not code:
        return _("Unknown country")
    return country_names().get(code, code)


def in_order(name: str) -> str:
    """What to sort names by: Österreich stands beside Oman, and Łotwa beside Litwa, not at the end."""
    letters = unicodedata.normalize("NFKD", name.lower().replace("ł", "l"))
    return "".join(one for one in letters if not unicodedata.combining(one))
