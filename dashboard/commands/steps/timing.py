"""When `send` sends: at once, at a time, or as people's texting hours allow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.campaigns import Handover, Hours, Schedule, TextingHours
from dashboard.campaigns.when.schedule import refuse_no_time, scheduled_time
from dashboard.errors import CampaignError
from dashboard.formatting import clocks, moment
from dashboard.settings import Settings

_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?")
WHO_SENDS = "The dashboard, or `python -m dashboard worker`, sends them and must be running then."


@dataclass(frozen=True)
class Timing:
    """When a campaign is sent.

    Attributes:
        held: Until when the whole campaign waits; None if it starts at once.
        schedule: The times of single messages; None if they have none.
        zone: On whose clock times are said.
    """

    held: datetime | None
    schedule: Schedule | None
    zone: ZoneInfo

    def waits(self, messages: pd.DataFrame) -> bool:
        """Whether some of these MESSAGES are sent later than now."""
        return self.held is not None or bool(_times(messages).notna().any())

    def sentence(self, messages: pd.DataFrame) -> str:
        """When these MESSAGES are sent, for one that waits."""
        if self.held is not None:
            return f"To be sent at {clocks(self.held, self.zone)}. {WHO_SENDS}"
        times = _times(messages)
        first, last = times.min(), times.max()
        begins = "now" if times.isna().any() else f"from {moment(first, self.zone)}"
        return f"To be sent within texting hours, {begins} until {moment(last, self.zone)}. {WHO_SENDS}"


def timing_of(choices: Mapping[str, Any], settings: Settings, now: datetime) -> Timing:
    """What the options of `send` say about the time.

    Args:
        choices: The options, of which `at` and `quiet_hours` are looked at.
        settings: The texting hours and the reporting time zone in force.
        now: The time.

    Raises:
        CampaignError: The time cannot be read, there is none such, or it has passed.
    """
    zone = ZoneInfo(settings.time_zone)
    at = None if choices["at"] is None else scheduled_time(_read(choices["at"], zone), now=now)
    if not choices["quiet_hours"]:
        return Timing(at, None, zone)
    chosen = settings.texting_hours
    usual = Hours() if chosen is None else Hours(chosen.start, chosen.end, chosen.days)
    schedule = Schedule(at, hours=TextingHours(usual), home=settings.time_zone, handover=Handover.HOLD)
    return Timing(None, schedule, zone)


def _read(written: str, zone: ZoneInfo) -> datetime:
    try:
        at = datetime.fromisoformat(written.strip() if _WRITTEN.fullmatch(written.strip()) else "")
    except ValueError:
        raise CampaignError(
            "--at is no day with a time. Write one such as 2027-03-01T10:00, on the clock of the reporting "
            "time zone, or with a zone of its own, such as 2027-03-01T10:00+01:00."
        ) from None
    refuse_no_time(at)
    if at.utcoffset() is not None:
        return at
    if at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != at:
        raise CampaignError(f"The clocks of {zone.key} are put forward over the time of --at. Write another.")
    return at.replace(tzinfo=zone)


def _times(messages: pd.DataFrame) -> pd.Series:
    return messages.loc[messages["problem"].isna(), "scheduled_at"]
