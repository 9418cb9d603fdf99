"""Lay out a campaign's messages: their order, their numbers, and the batches they go in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.campaigns import Prices
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.freeze import pricing

CHUNK = 20_000
"""How many messages are inserted at once; this keeps memory flat when a million are frozen."""

AT_ONCE = np.iinfo(np.int64).min
"""How NumPy writes a missing time."""

_KEPT = ("row", "to", "body", "credits_low", "credits_high", "country", "line_type", "variant")


@dataclass(frozen=True)
class Layout:
    """A campaign's messages in the order of sending; those who opted out come last, in a batch of their own.

    Attributes:
        messages: MESSAGES without those that have a problem.
        kept: How many of them are sent.
        price: The price of a credit of each that is sent; missing where it is not known.
        due: When each that is sent is due here, in microseconds since 1970; `AT_ONCE` if it does not wait.
        hours: Within which hours each that is sent may be texted; "" where it may at any hour.
        starts: Where the batches of those that are sent begin.
    """

    messages: pd.DataFrame
    kept: int
    price: pd.Categorical
    due: npt.NDArray[np.int64]
    hours: pd.Categorical
    starts: list[int]

    @cached_property
    def _credits(self) -> npt.NDArray[np.int64]:
        return self.messages[["credits_low", "credits_high"]].to_numpy(dtype="int64")

    @property
    def credits_high(self) -> int:
        """The most credits for what is sent."""
        return int(self._credits[: self.kept, 1].sum())

    @property
    def most_money(self) -> Decimal | None:
        """The same in money, as far as prices are known."""
        return pricing.most_money(self._credits[: self.kept, 1], self.price)

    @property
    def only_price(self) -> Decimal | None:
        """The price of everything that is sent, if there is only one."""
        return pricing.only_price(self.price)

    def batches(self, campaign_id: str, first: int) -> Iterator[dict[str, Any]]:
        """The rows of the batches; `first` is the number of the first message."""
        starts = [*self.starts, *([self.kept] if self.kept < len(self.messages) else [])]
        ends = [*starts[1:], len(self.messages)]
        sums = np.add.reduceat(self._credits, starts, axis=0).tolist()
        prices = pricing.price_of_batches(self.price, self.starts)
        for seq, (start, end, (low, high)) in enumerate(zip(starts, ends, sums, strict=True)):
            is_sent = start < self.kept
            yield {
                "campaign_id": campaign_id,
                "seq": seq,
                "first_message": first + start,
                "last_message": first + end - 1,
                "messages": end - start,
                "credits_low": low,
                "credits_high": high,
                "state": "ready" if is_sent else "dropped",
                "reason": None if is_sent else "opted out before the campaign was made",
                "due_at": self._due_at(start) if is_sent else None,
                "price_per_credit": prices[seq] if is_sent else None,
                "texting_hours": (self.hours[start] or None) if is_sent else None,
            }

    def chunks(self, first: int) -> Iterator[dict[str, Sequence[Any]]]:
        """The columns of the message rows as they are stored, with new uuids, this many rows at a time."""
        for start in range(0, len(self.messages), CHUNK):
            part = self.messages.iloc[start : start + CHUNK]
            yield {
                "id": range(first + start, first + start + len(part)),
                "uuid": new_uuids(len(part)),
                **{name: _values(part[name]) for name in _KEPT},
                "scheduled_at": [None if at == AT_ONCE else at for at in _microseconds(part).tolist()],
            }

    def _due_at(self, place: int) -> datetime | None:
        if self.due[place] == AT_ONCE:
            return None
        return EPOCH + timedelta(microseconds=int(self.due[place]))


def lay_out(
    sendable: pd.DataFrame, *, opted_out: pd.Series, held: bool, prices: Prices | None, batch_size: int
) -> Layout:
    """Put messages in the order of sending and into batches, each with a single due time and price.

    Args:
        sendable: MESSAGES without those that have a problem.
        opted_out: Which of them are not sent.
        held: Whether they wait here for their own time.
        prices: Prices of credits by country; None if not known.
        batch_size: The most that a batch holds.
    """
    price = pricing.price_of_each(sendable, prices)
    at = _microseconds(sendable) if held else np.full(len(sendable), AT_ONCE)
    hours = pd.Categorical(sendable["texting_hours"])
    places = np.lexsort((hours.codes, price.codes, at, opted_out))  # stable; what goes at once comes first
    kept = len(sendable) - int(opted_out.sum())
    price, hours = price.take(places[:kept]), hours.take(places[:kept])
    due = at[places[:kept]]
    in_order = bool((places[1:] > places[:-1]).all())
    messages = sendable if in_order else sendable.iloc[places]  # do not copy a million for nothing
    return Layout(
        messages=messages,
        kept=kept,
        price=price,
        due=due,
        hours=hours,
        starts=_starts([due, np.asarray(price.codes), np.asarray(hours.codes)], batch_size),
    )


def new_uuids(count: int) -> list[str]:
    """That many random uuids (RFC 9562, version 4), in order: an index takes them faster that way."""
    random = np.frombuffer(os.urandom(16 * count), np.uint8).reshape(count, 16).copy()
    random[:, 6] = random[:, 6] & 0x0F | 0x40
    random[:, 8] = random[:, 8] & 0x3F | 0x80
    digits = random.tobytes().hex()
    each = (digits[start : start + 32] for start in range(0, 32 * count, 32))
    return sorted(f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}" for one in each)


def _starts(marks: Sequence[npt.NDArray[Any]], size: int) -> list[int]:
    """Where batches of at most `size` messages begin, each with a single due time, price and hours."""
    changes = np.flatnonzero(np.any([mark[1:] != mark[:-1] for mark in marks], axis=0)) + 1
    bounds = [0, *changes.tolist(), len(marks[0])]
    return [start for begin, end in pairwise(bounds) for start in range(begin, end, size)]


def _values(column: pd.Series) -> list[Any]:
    """The column's values, None where one is missing."""
    found: list[Any] = column.astype(object).where(column.notna(), None).tolist()
    return found


def _microseconds(messages: pd.DataFrame) -> npt.NDArray[np.int64]:
    return messages["scheduled_at"].to_numpy("int64")
