"""Numbers, money, times and plurals as people read them. Pure: the viewer's time zone is passed in."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DASH = "–"
SYMBOLS = {"EUR": "€", "GBP": "£", "USD": "$", "JPY": "¥", "INR": "₹", "PLN": "zł", "CHF": "CHF "}


def count(number: float | None) -> str:
    """Write a whole number with thousands separators: `1,000,000`; a dash when there is none."""
    return DASH if number is None else f"{number:,.0f}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: `1 message`, `501 messages`, `2 countries`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(part: float, whole: float) -> str:
    """Write a share with one decimal; 100 % and 0 % only when they are exact."""
    if not whole:
        return DASH
    share = 100 * part / whole
    if 0 < share < 0.05:  # noqa: PLR2004 - half of the last digit shown
        return "<0.1%"
    if 99.95 <= share < 100:  # noqa: PLR2004 - would be rounded up to a whole that it is not
        return "99.9%"
    return f"{share:.1f}%".replace(".0%", "%")


def money(amount: Decimal | None, currency: str) -> str:
    """Write an amount in its currency, `€72,500.00`; a dash when no price is known."""
    if amount is None:
        return DASH
    symbol = SYMBOLS.get(currency, f"{currency} ")
    sign = "-" if amount < 0 else ""
    return f"{sign}{symbol}{abs(amount):,.2f}"


def unit_price(amount: Decimal, currency: str) -> str:
    """Write what one credit costs, with every decimal that it has: `€0.045`."""
    exact = amount.normalize()
    decimals = max(2, -int(exact.as_tuple().exponent))
    return f"{SYMBOLS.get(currency, f'{currency} ')}{exact:,.{decimals}f}"


def money_range(low: Decimal | None, high: Decimal | None, currency: str) -> str:
    """Write a cost that is known within bounds; one figure when the bounds are equal."""
    if low == high:
        return money(low, currency)
    return f"{money(low, currency)}{DASH}{money(high, currency)}"


def numbers(low: int, high: int) -> str:
    """Write a number that is known within bounds: `501`, `501–620`."""
    return count(low) if low == high else f"{count(low)}{DASH}{count(high)}"


def count_range(low: int, high: int, one: str) -> str:
    """Write a count that is known within bounds: `501 credits`, `501–620 credits`."""
    if low == high:
        return plural(low, one)
    return f"{low:,}{DASH}{plural(high, one)}"


def zone_of(name: str | None) -> ZoneInfo:
    """Find the viewer's time zone by name; UTC when the browser did not say or it is unknown here."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def moment(when: datetime | None, zone: ZoneInfo) -> str:
    """Write a time on one clock: `20 Nov 2026, 10:00 (Europe/Berlin)`."""
    if when is None:
        return DASH
    local = when.astimezone(zone)
    return f"{local.day} {local:%b %Y, %H:%M} ({zone.key})"


def span(first: datetime, last: datetime, zone: ZoneInfo) -> str:
    """Write from when to when: `20 Nov 2026, 10:00 to 18:00 (Europe/Berlin)`; both days where they differ."""
    begin, end = first.astimezone(zone), last.astimezone(zone)
    until = f"{end:%H:%M} ({zone.key})" if begin.date() == end.date() else moment(last, zone)
    return f"{begin.day} {begin:%b %Y, %H:%M} to {until}"


def clocks(when: datetime, zone: ZoneInfo) -> str:
    """Write a time on both clocks: the viewer's and UTC, with the UTC date when it differs."""
    universal = when.astimezone(UTC)
    if zone.key == "UTC":
        return moment(when, zone)
    same_day = universal.date() == when.astimezone(zone).date()
    there = f"{universal:%H:%M}" if same_day else f"{universal.day} {universal:%b %Y, %H:%M}"
    return f"{moment(when, zone)} · {there} UTC"


def duration(time: timedelta) -> str:
    """Write how long something takes: `8 seconds`, `12 minutes`, `3 hours 5 minutes`; rounded up."""
    seconds = math.ceil(time.total_seconds())
    if seconds < 120:  # noqa: PLR2004 - up to two minutes, seconds tell more
        return plural(max(seconds, 1), "second")
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    if not hours:
        return plural(minutes, "minute")
    return f"{plural(hours, 'hour')} {plural(minutes, 'minute')}" if minutes else plural(hours, "hour")


def file_size(size_bytes: int) -> str:
    """Write a file's size: `812 KB`, `4.1 MB`."""
    if size_bytes < 1_000_000:  # noqa: PLR2004
        return f"{max(1, round(size_bytes / 1000)):,} KB"
    return f"{size_bytes / 1_000_000:,.1f} MB"
