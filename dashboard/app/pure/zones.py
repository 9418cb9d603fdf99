"""Time zones as people read them. Pure."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def place_of(zones: str) -> str:
    """Where numbers of these zones (IANA, joined by spaces) are.

    As in `New York`, `Boise and Denver`, `Adak and 27 more`. Zones that are another name for one of the
    others, such as Jersey for London, are left out.
    """
    names = zones.split()
    own = [name for name in names if name in _zones_of_their_own()]
    places = [name.rsplit("/", 1)[-1].replace("_", " ") for name in own or names]
    if len(places) > 2:  # noqa: PLR2004 - more names than two are not read
        return f"{places[0]} and {len(places) - 1} more"
    return " and ".join(places) or "Unknown"


@cache
def _zones_of_their_own() -> frozenset[str]:
    """The zones that the time zone database tells apart since 1970."""
    table = files("tzdata").joinpath("zoneinfo", "zone1970.tab").read_text("utf-8")
    return frozenset(line.split("\t")[2] for line in table.splitlines() if line and line[0] != "#")
