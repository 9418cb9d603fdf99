"""Scheduled times on both clocks: the sender's and the recipients'."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.campaigns.frame_check import checks_frames
from dashboard.phones.zones import zones_of_phones
from dashboard.words import _, clock, time_of_day


@checks_frames
def clock_table(messages: pd.DataFrame, home: ZoneInfo) -> pd.DataFrame:
    """When messages are sent, on the sender's clock and on the recipients'.

    Args:
        messages: MESSAGES; those with a problem and those sent at once are left out.
        home: The sender's zone.

    Returns:
        A row for each time and kind of number, earliest first: scheduled_at, messages, yours, theirs, zones.
        Theirs runs from earliest to latest if a number may be in zones whose clocks differ.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> nine = Schedule(datetime(2090, 3, 1, 9), home="Europe/London")
        >>> timed = write_messages(contacts, "Hi!", campaign="Spring", schedule=nine)
        >>> clock_table(timed, ZoneInfo("Europe/London"))[["yours", "theirs", "messages"]]
    """
    due = messages[messages["problem"].isna() & messages["scheduled_at"].notna()]
    kinds = pd.DataFrame({"scheduled_at": due["scheduled_at"], "zones": zones_of_phones(due["to"])})
    counts = kinds.groupby(["scheduled_at", "zones"], observed=True, dropna=False).size()
    table = counts.rename("messages").reset_index().astype({"zones": "str"})
    table = table.sort_values(["scheduled_at", "messages"], ascending=[True, False], ignore_index=True)
    moments = [moment.to_pydatetime() for moment in table["scheduled_at"]]
    yours = [_written(moment.astimezone(home)) for moment in moments]
    theirs = [
        None if pd.isna(zones) else _theirs(moment, zones)
        for moment, zones in zip(moments, table["zones"], strict=True)
    ]
    table["yours"], table["theirs"] = pd.Series(yours, dtype="str"), pd.Series(theirs, dtype="str")
    return table[["scheduled_at", "messages", "yours", "theirs", "zones"]]


def _theirs(moment: datetime, zones: str) -> str:
    clocks = sorted(moment.astimezone(ZoneInfo(name)).replace(tzinfo=None) for name in zones.split())
    first, last = clocks[0], clocks[-1]
    if first == last:
        return _written(first)
    until = time_of_day(last) if first.date() == last.date() else _written(last)
    return _("{begin} to {end}").format(begin=_written(first), end=until)


def _written(local: datetime) -> str:
    # Translators: weekday, date and time in the letters of CLDR's date patterns, as in Sun 22 Nov 2026, 10:00
    return clock(local, _("EEE dd MMM y, HH:mm"))
