"""Numbers, money and times as people read them, in the current language. Pure.

Babel knows how each language writes them (Unicode CLDR). The viewer's time zone is passed in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import MAX_PREC, Context, Decimal, localcontext
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.numbers import format_currency

from dashboard import words
from dashboard.words import DASH, _, count, day_and_time, decimal, locale, plural, share, time_of_day


def percent(part: float, whole: float) -> str:
    """Write a share with one decimal; 100 % and 0 % only if they are exact."""
    if not whole:
        return DASH
    exact = part / whole
    if 0 < exact < 0.0005:  # noqa: PLR2004 - half of the last digit shown
        return f"<{share(0.001)}"
    if 0.9995 <= exact < 1:  # noqa: PLR2004 - would be rounded up to a whole that it is not
        return share(0.999)
    return share(exact)


def money(amount: Decimal | None, currency: str) -> str:
    """Write an amount in its currency, `€72,500.00`, `¥1,250`; a dash if no price is known."""
    return DASH if amount is None else words.money(amount, currency)


def unit_price(amount: Decimal, currency: str) -> str:
    """Write what one credit costs, with all its decimals: `€0.045`."""
    with localcontext(Context(prec=MAX_PREC)):
        exact = format_currency(amount.normalize(), currency, locale=locale(), decimal_quantization=False)
    return words.spaced(exact)


def bill_words(amounts: Mapping[str, Decimal | None], without_price: int) -> str:
    """Write a bill: the money in each currency, and the credits whose price is not known.

    Args:
        amounts: By currency; None if there is no money.
        without_price: Credits billed without a price.

    Example:
        >>> bill_words({"EUR": Decimal("782.55")}, 1951)
        '€782.55 and 1,951 credits without a price'
    """
    known = [money(amount, currency) for currency, amount in amounts.items() if amount is not None]
    if not known:
        return credit_count(without_price)
    beside = plural(without_price, "{count} credit without a price", "{count} credits without a price")
    return words.listed([*known, beside] if without_price else known)


def money_range(low: Decimal | None, high: Decimal | None, currency: str) -> str:
    """Write a cost that is known within bounds; a single figure if the bounds are equal."""
    if low == high:
        return money(low, currency)
    return f"{money(low, currency)}{DASH}{money(high, currency)}"


def numbers(low: int, high: int) -> str:
    """Write a number that is known within bounds: `501`, `501–620`."""
    return count(low) if low == high else f"{count(low)}{DASH}{count(high)}"


def credit_count(low: int, high: int | None = None) -> str:
    """Write credits, known or within bounds: `1 credit`, `501–620 credits`."""
    if high is None or low == high:
        return plural(low, "{count} credit", "{count} credits")
    return plural(high, "{low}–{count} credit", "{low}–{count} credits", low=count(low))


def zone_of(name: str | None) -> ZoneInfo:
    """Find the viewer's time zone by name; UTC when the browser did not say or it is unknown here."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def moment(when: datetime | None, zone: ZoneInfo) -> str:
    """Write a time on one clock: `20 Nov 2026, 10:00 (Europe/Berlin)`."""
    return DASH if when is None else f"{day_and_time(when.astimezone(zone))} ({zone.key})"


def span(first: datetime, last: datetime, zone: ZoneInfo) -> str:
    """Write a time span: `20 Nov 2026, 10:00 to 18:00 (Europe/Berlin)`; both days if they differ."""
    begin, end = first.astimezone(zone), last.astimezone(zone)
    until = f"{time_of_day(end)} ({zone.key})" if begin.date() == end.date() else moment(last, zone)
    return _("{begin} to {end}").format(begin=day_and_time(begin), end=until)


def hours(first: datetime, last: datetime, zone: ZoneInfo) -> str:
    """Write times of one day without it: `10:00`, `10:00 to 18:00`."""
    begin, end = (time_of_day(at.astimezone(zone)) for at in (first, last))
    return begin if begin == end else _("{begin} to {end}").format(begin=begin, end=end)


def clocks(when: datetime, zone: ZoneInfo) -> str:
    """Write a time on both clocks: the viewer's and UTC, with the UTC date if it differs."""
    universal = when.astimezone(UTC)
    if zone.key == "UTC":
        return moment(when, zone)
    same_day = universal.date() == when.astimezone(zone).date()
    there = time_of_day(universal) if same_day else day_and_time(universal)
    return f"{moment(when, zone)} · {there} UTC"


def duration(time: timedelta) -> str:
    """Write how long something takes: `8 seconds`, `12 minutes`, `3 hours 5 minutes`; rounded up."""
    seconds = math.ceil(time.total_seconds())
    if seconds < 120:  # noqa: PLR2004 - up to two minutes, seconds tell more
        return plural(max(seconds, 1), "{count} second", "{count} seconds")
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    said = [plural(hours, "{count} hour", "{count} hours")] if hours else []
    said += [plural(minutes, "{count} minute", "{count} minutes")] if minutes else []
    return " ".join(said)


def file_size(size_bytes: int, *, is_limit: bool = False) -> str:
    """Write a file's size: `812 KB`, `4.1 MB`.

    Rounded up, and a limit down, so that no file that is over a limit reads as if it were not.
    """
    rounded = math.floor if is_limit else math.ceil
    if (kilobytes := rounded(size_bytes / 1_000)) < 1_000:  # noqa: PLR2004
        return _("{size} KB").format(size=count(kilobytes))
    return _("{size} MB").format(size=decimal(rounded(size_bytes / 100_000) / 10))
