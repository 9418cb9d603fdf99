"""When a draft's messages are sent: its choices as a schedule, or as one moment until which all wait here."""

from __future__ import annotations

from datetime import datetime

from dashboard.app.drafts import Draft, DraftHours
from dashboard.campaigns import Handover, Hours, Schedule, TextingHours
from dashboard.campaigns.when.schedule import scheduled_time
from dashboard.contacts.words.countries import country_codes


def held_until(draft: Draft, now: datetime) -> datetime | None:
    """The moment until which the whole campaign waits here; None when each message has its own time, or none.

    Args:
        draft: The draft.
        now: The current time, by the ledger's clock.

    Raises:
        CampaignError: It has passed.
    """
    at = waits_until(draft)
    return None if at is None else scheduled_time(at, now=now)


def waits_until(draft: Draft) -> datetime | None:
    """The same, whether or not it has passed."""
    return draft.send_at if _waits_as_a_whole(draft) else None


def schedule_of(draft: Draft, home: str) -> Schedule | None:
    """The times of single messages; None if all go at once or wait here together.

    Args:
        draft: The draft.
        home: Zone of numbers whose zone is not known, if the draft names none.

    Raises:
        CampaignError: The texting hours end before they begin, or have no day.
    """
    if _waits_as_a_whole(draft) or (draft.when == "now" and not draft.keep_hours):
        return None
    hours = None
    if draft.keep_hours:
        known = draft.country_hours.keys() & country_codes()  # a draft may be older than this program
        by_country = {country: _hours(draft.country_hours[country]) for country in sorted(known)}
        hours = TextingHours(_hours(draft.hours), by_country)
    at = {"now": None, "later": draft.send_at, "local": draft.local_at}[draft.when]
    return Schedule(at, hours=hours, home=draft.home or home, handover=Handover(draft.handover))


def _waits_as_a_whole(draft: Draft) -> bool:
    return draft.when == "later" and not draft.keep_hours and Handover(draft.handover) is Handover.HOLD


def _hours(chosen: DraftHours) -> Hours:
    return Hours(chosen.start, chosen.end, chosen.days)
