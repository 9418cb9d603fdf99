"""Names of countries for their two-letter codes (ISO 3166), from the time zone database's own table."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_COMMON_NAMES = {"GB": "United Kingdom", "KR": "South Korea", "KP": "North Korea", "TR": "Türkiye"}


@cache
def country_names() -> dict[str, str]:
    """English short names by code, in the order of the names."""
    table = files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text("utf-8")
    pairs = ((line[:2], line[3:]) for line in table.splitlines() if line and not line.startswith("#"))
    return dict(sorted((dict(pairs) | _COMMON_NAMES).items(), key=lambda pair: pair[1]))


def country_name(code: str | None) -> str:
    """The name of a country; the code itself when it has no name, `Unknown country` without one."""
    if not code:
        return "Unknown country"
    return country_names().get(code, code)
