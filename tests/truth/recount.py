"""Every figure counted anew from the rows; only the standard library, and nothing of our product."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from rows import Row

STATES = ("ready", "rejected", "unknown", "abandoned", "cancelled", "dropped")
LAST_NEWS = timedelta(hours=72)


def standing(rows: Sequence[Row]) -> dict[str, int]:
    """The figures of where messages stand."""
    states = Counter(row.state for row in rows)
    words = ("handed_over", "accepted", "waiting", "sent", "delivered", "failed", "open")
    counted = {word: sum(getattr(row, word) for row in rows) for word in words}
    others = {state: states[state] for state in STATES}
    return {**counted, **others, "approved": len(rows), "not_sent_yet": states["ready"]}


def funnel(rows: Sequence[Row]) -> list[int]:
    stand = standing(rows)
    return [stand[step] for step in ("handed_over", "accepted", "sent", "delivered")]


def estimate(rows: Sequence[Row]) -> tuple[int, int]:
    kept = [row for row in rows if row.state != "dropped"]
    return sum(row.low for row in kept), sum(row.high for row in kept)


def estimate_in_money(rows: Sequence[Row]) -> tuple[Decimal, Decimal] | None:
    """None where a price is not known."""
    kept = [(row, row.price) for row in rows if row.state != "dropped"]
    if any(price is None for _, price in kept):
        return None
    return (
        sum((row.low * price for row, price in kept if price is not None), Decimal()),
        sum((row.high * price for row, price in kept if price is not None), Decimal()),
    )


def billed(rows: Sequence[Row]) -> int:
    return sum(row.billed or 0 for row in rows)


def missing(rows: Sequence[Row]) -> tuple[int, int]:
    """Messages without a bill, and the most credits that they may be."""
    without = [row for row in rows if row.bill_missing]
    return len(without), sum(row.high for row in without)


def used(rows: Sequence[Row]) -> int:
    """What counts against a cap: each bill, or else the most that it may be."""
    return billed(rows) + missing(rows)[1]


def money(rows: Sequence[Row]) -> dict[str, Decimal]:
    """Billed, by currency; only currencies in which anything handed over has a price."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        if row.price is not None:
            sums[row.asked.currency] += row.price * (row.billed or 0)
    return dict(sums)


def without_price(rows: Sequence[Row]) -> int:
    return sum(row.billed or 0 for row in rows if row.price is None)


def reasons(rows: Sequence[Row]) -> Counter[str]:
    lost = [row for row in rows if row.failed or row.state == "rejected"]
    return Counter(row.reason or "no reason given" for row in lost)


def charged_anyway(rows: Sequence[Row]) -> int:
    return billed([row for row in rows if row.failed])


def stages(rows: Sequence[Row]) -> Counter[str]:
    return Counter(row.stage for row in rows)


def causes(rows: Sequence[Row]) -> dict[str, tuple[int, int, int]]:
    """Messages, credits billed and their difference by cause, without people who were left out."""
    kept = by([row for row in rows if row.state != "dropped"], lambda row: row.cause)
    return {
        cause: (len(some), billed(some), sum(row.difference for row in some)) for cause, some in kept.items()
    }


def statement_row(rows: Sequence[Row]) -> dict[str, int]:
    """What a month's statement says of some messages, apart from money."""
    stand, (low, high), (without, at_most) = standing(rows), estimate(rows), missing(rows)
    return {
        "messages": len(rows),
        **{word: stand[word] for word in ("accepted", "delivered", "failed", "unknown")},
        "credits_low": low,
        "credits_high": high,
        "credits_billed": billed(rows),
        "credits_without_price": without_price(rows),
        "messages_not_billed": without,
        "open_high": at_most,
    }


def is_final(rows: Sequence[Row], now: datetime) -> bool:
    stand = standing(rows)
    newest = max((row.handed_over_at for row in rows if row.handed_over_at), default=now)
    silent = now - newest > LAST_NEWS and not stand["waiting"]
    return not stand["not_sent_yet"] and (not stand["open"] or silent)


def by(rows: Sequence[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def in_month(rows: Sequence[Row], month: str, zone: str) -> list[Row]:
    return [row for row in rows if (at := row.handed_over_at) and f"{_local(at, zone):%Y-%m}" == month]


def sent_again(rows: Sequence[Row], month: str, zone: str) -> tuple[int, int]:
    """Messages that a person sent again in the month, and the most that they cost the time before."""
    times = [row for row in rows for at in row.sent_again if f"{_local(at, zone):%Y-%m}" == month]
    return len(times), sum(row.high for row in times)


def between(rows: Sequence[Row], first: datetime, until: datetime) -> list[Row]:
    """Handed over then."""
    return [row for row in rows if (at := row.handed_over_at) and first <= at < until]


def hours(rows: Sequence[Row], zone: str) -> dict[tuple[str, int], list[Row]]:
    """The accepted, by the weekday and hour in which they were handed over."""
    taken = [row for row in rows if row.accepted]
    return by(taken, lambda row: ((at := _local(row.at, zone)).strftime("%a"), at.hour))


def _local(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone))
