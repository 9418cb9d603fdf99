"""What people write in a country column, to ISO 3166 codes.

countries.csv lists the 245 countries that have phone numbers, each with its three-letter code, its calling
code, and its names in English, in its own languages and in some forty others (from the Unicode locale data),
all in one spelling. Names shared by two countries are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from dashboard.contacts.words.spelling import normalise

__all__ = ["country_codes", "country_of"]


@cache
def _codes_by_name() -> Mapping[str, str]:
    text = files("dashboard.contacts.words").joinpath("countries.csv").read_text("utf-8")
    codes: dict[str, str] = {}
    for line in csv.DictReader(text.splitlines()):
        codes |= dict.fromkeys(line["names"].split("|"), line["code"])
        codes[line["code"].lower()] = line["code"]
    return codes


@cache
def country_codes() -> frozenset[str]:
    """The ISO 3166 codes of all countries that have phone numbers."""
    return frozenset(_codes_by_name().values())


def country_of(text: str) -> str | None:
    """The ISO 3166 code of a country written as code, name or calling code; None if it is none of these.

    Example:
        >>> country_of("Deutschland"), country_of("UK (GB)"), country_of("+33"), country_of("Atlantis")
        ('DE', 'GB', 'FR', None)
    """
    name = normalise(text)
    codes = _codes_by_name()
    if name.isdecimal():
        name = "+" + name.lstrip("0")
    return codes.get(name) or codes.get(name.removeprefix("the ")) or _said_twice(name, codes)


def _said_twice(name: str, codes: Mapping[str, str]) -> str | None:
    """The code in "Germany (DE)" or "DE - Germany", which name a country twice."""
    parts = name.split()
    for place in range(1, len(parts)):
        first, second = codes.get(" ".join(parts[:place])), codes.get(" ".join(parts[place:]))
        if first is not None and first == second:
            return first
    return None
