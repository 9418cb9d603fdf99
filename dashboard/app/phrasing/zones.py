"""Time zones as people read them. Pure."""

from __future__ import annotations

from dashboard.phones.clocks import countries_of_zones
from dashboard.words import _, count


def place_of(zones: str) -> str:
    """Where numbers in these zones (IANA, joined by spaces) are.

    For example `New York`, `Boise and Denver`, `Adak and 10 more`. Zones that are just another name for one
    of the others, such as Jersey for London, are left out.
    """
    names = zones.split()
    own = [name for name in names if name in countries_of_zones("zone1970.tab")]
    places = [name.rsplit("/", 1)[-1].replace("_", " ") for name in own or names]
    if len(places) > 2:  # noqa: PLR2004 - more names than two are not read
        return _("{place} and {number} more").format(place=places[0], number=count(len(places) - 1))
    if len(places) == 2:  # noqa: PLR2004
        return _("{one} and {other}").format(one=places[0], other=places[1])
    return places[0] if places else _("Unknown")


def zones_by_name(*others: str) -> list[str]:
    """Zones (IANA) to choose from, one name for each country's clock, with UTC and these others."""
    return sorted({*countries_of_zones("zone.tab"), "UTC", *others})


def country_of_zone(zone: str) -> str | None:
    """The country (ISO 3166) with this time zone (IANA); None if it has none, as UTC."""
    return countries_of_zones("zone.tab").get(zone)
