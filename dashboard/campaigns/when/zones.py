"""Time zones by name."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dashboard.errors import CampaignError
from dashboard.words import _


def zone_named(name: str) -> ZoneInfo:
    """The time zone with this IANA name.

    Raises:
        CampaignError: There is none.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CampaignError(
            _("There is no such time zone. Write the IANA name of a place, such as Europe/Berlin.")
        ) from None
