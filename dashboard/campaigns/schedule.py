"""When a campaign is sent: one moment for all, in whole seconds of UTC (contract, section 4.1)."""

from __future__ import annotations

from datetime import UTC, datetime

from dashboard.errors import CampaignError


def scheduled_time(at: datetime, *, now: datetime | None = None) -> datetime:
    """Check a moment for sending and give it in UTC, in whole seconds.

    Args:
        at: A time with its zone.
        now: The present; the clock's when absent.

    Raises:
        CampaignError: `at` has no zone, or is not in the future.
    """
    if at.utcoffset() is None:
        raise CampaignError(
            "The time to send at has no time zone, so nobody can tell when it is. Give one, for example "
            'datetime(2027, 3, 1, 9, 0, tzinfo=ZoneInfo("Europe/Berlin")).'
        )
    moment = datetime.fromtimestamp(int(at.timestamp()), UTC)
    if moment <= (now or datetime.now(UTC)):
        raise CampaignError(
            f"The time to send at, {moment:%d %b %Y, %H:%M:%S} UTC, is already past. Choose a later one, "
            "or none to send at once."
        )
    return moment
