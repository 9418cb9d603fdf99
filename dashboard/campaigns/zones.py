"""Time zones: by name, and that a time has one."""

from __future__ import annotations

from datetime import datetime
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


def check_zone(at: datetime) -> None:
    """Refuse a time without a zone.

    Raises:
        CampaignError: It has no zone.
    """
    if at.utcoffset() is None:
        raise CampaignError(_("Give the time with its time zone, for example datetime.now(UTC)."))
