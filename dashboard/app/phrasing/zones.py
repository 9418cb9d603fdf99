"""Time zones as people read them. Pure."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dashboard.words import _, count


def place_of(zones: str) -> str:
    """Where numbers in these zones (IANA, joined by spaces) are.

    For example `New York`, `Boise and Denver`, `Adak and 27 more`. Zones that are just another name for one
    of the others, such as Jersey for London, are left out.
    """
    names = zones.split()
    own = [name for name in names if name in _zones_of_their_own()]
    places = [name.rsplit("/", 1)[-1].replace("_", " ") for name in own or names]
    if len(places) > 2:  # noqa: PLR2004 - more names than two are not read
        return _("{place} and {number} more").format(place=places[0], number=count(len(places) - 1))
    if len(places) == 2:  # noqa: PLR2004
        return _("{one} and {other}").format(one=places[0], other=places[1])
    return places[0] if places else _("Unknown")


@cache
def _zones_of_their_own() -> frozenset[str]:
    """The zones that the time zone database has told apart since 1970."""
    table = files("tzdata").joinpath("zoneinfo", "zone1970.tab").read_text("utf-8")
    return frozenset(line.split("\t")[2] for line in table.splitlines() if line and line[0] != "#")
