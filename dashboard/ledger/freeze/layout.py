"""Lay out a campaign's messages: their order, their numbers, and the batches they go in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.campaigns import Prices
from dashboard.ledger.freeze import pricing

CHUNK = 20_000
"""How many messages are inserted at once; this keeps memory flat when a million are frozen."""

_KEPT = ("row", "to", "body", "credits_low", "credits_high", "country", "line_type", "variant")


@dataclass(frozen=True)
class Layout:
    """A campaign's messages in the order of sending; those who opted out come last, in a batch of their own.

    Attributes:
        messages: MESSAGES without those that have a problem.
        kept: How many of them are sent.
        price: The price of a credit of each that is sent; missing where it is not known.
        due: When each that is sent is due here; all None if nothing waits here for its own time.
        starts: Where the batches of those that are sent begin.
    """

    messages: pd.DataFrame
    kept: int
    price: pd.Categorical
    due: Sequence[datetime | None]
    starts: list[int]

    @cached_property
    def _credits(self) -> npt.NDArray[np.int64]:
        return self.messages[["credits_low", "credits_high"]].to_numpy(dtype="int64")

    @property
    def credits_range(self) -> tuple[int, int]:
        """The credits for what is sent, low and high."""
        low, high = self._credits[: self.kept].sum(axis=0)
        return int(low), int(high)

    @property
    def costs(self) -> pricing.Cost:
        """The same in money; None where a price is not known."""
        return pricing.costs(self._credits[: self.kept], self.price)

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
                "due_at": self.due[start] if is_sent else None,
                "price_per_credit": prices[seq] if is_sent else None,
            }

    def chunks(self, first: int) -> Iterator[dict[str, Sequence[Any]]]:
        """The columns of the message rows, numbered, each with a new uuid, this many rows at a time."""
        for start in range(0, len(self.messages), CHUNK):
            part = self.messages.iloc[start : start + CHUNK]
            yield {
                "id": range(first + start, first + start + len(part)),
                "uuid": [str(uuid4()) for _ in range(len(part))],
                **{name: _values(part, name) for name in _KEPT},
                "scheduled_at": _times(part),
            }


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
    at = sendable["scheduled_at"].to_numpy("int64") if held else np.zeros(len(sendable), np.int64)
    places = np.lexsort(
        (price.codes, at, opted_out)
    )  # stable; NaT, to be sent at once, is the smallest number
    kept = len(sendable) - int(opted_out.sum())
    price = price.take(places[:kept])
    in_order = bool((places[1:] > places[:-1]).all())
    messages = sendable if in_order else sendable.iloc[places]  # do not copy a million for nothing
    due = _times(messages.iloc[:kept]) if held else [None] * kept
    return Layout(
        messages=messages,
        kept=kept,
        price=price,
        due=due,
        starts=_starts(list(zip(due, price.codes.tolist(), strict=True)), batch_size),
    )


def _starts(marks: Sequence[object], size: int) -> list[int]:
    """Where batches of at most `size` messages begin, each containing only messages with the same mark."""
    starts: list[int] = []
    for place, mark in enumerate(marks):
        if not starts or place - starts[-1] == size or mark != marks[place - 1]:
            starts.append(place)
    return starts


def _values(part: pd.DataFrame, name: str) -> list[Any]:
    column = part[name]
    return column.astype(object).where(column.notna(), None).tolist()


def _times(part: pd.DataFrame) -> list[datetime | None]:
    return [None if pd.isna(at) else at.to_pydatetime() for at in part["scheduled_at"]]
