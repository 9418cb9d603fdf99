"""Frames as the ledger gives them, for the tests of reports."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

import pandas as pd

from dashboard.campaigns.cost.money import MONEY_DTYPE
from dashboard.campaigns.schema import MONEY
from dashboard.ledger.frames.declared import SCHEMAS

NOW = pd.Timestamp("2027-03-01 12:00", tz="UTC")

_MESSAGE: dict[str, Any] = {
    "row": 2,
    "to": "+447911123456",
    "body": "Hi Ann",
    "state": "accepted",
    "status": "pending",
    "failure_reason": None,
    "credits_low": 1,
    "credits_high": 1,
    "credits_billed": None,
    "price_per_credit": Decimal("0.05"),
    "batch": 1,
    "attempt": 1,
    "campaign": "c1",
    "handed_over_at": NOW,
    "country": "GB",
    "line_type": "MOBILE",
}


def messages(*rows: dict[str, Any]) -> pd.DataFrame:
    """One message per dict; what a dict leaves out is that of a message accepted and not sent yet."""
    return _typed(
        "Ledger.messages(...)", [{"uuid": str(UUID(int=n)), **_MESSAGE, **row} for n, row in enumerate(rows)]
    )


def _typed(name: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows in the columns and dtypes that the ledger declares."""
    columns = {c.name: _column(c.dtype, *(row.get(c.name) for row in rows)) for c in SCHEMAS[name]}
    return pd.DataFrame(columns)


@lru_cache(5_000)  # most columns of most frames are the same
def _column(dtype: str, *values: Any) -> pd.Series:
    made = pd.Series(values, dtype=object)
    if dtype.startswith("datetime64"):
        made = pd.to_datetime(made, utc=True)
    return made.astype(MONEY_DTYPE if dtype == MONEY else dtype)


def at(clock: str, day: int = 1) -> pd.Timestamp:
    """A time in March 2027; the first is a Monday."""
    return pd.Timestamp(f"2027-03-{day:02d} {clock}", tz="UTC")


SENT = {"sent_at": at("10:00"), "credits_billed": 1}
DELIVERED = {**SENT, "delivered_at": at("10:05"), "status": "delivered"}
FAILED = {**SENT, "failure_reason": "number not in service", "status": "undelivered"}


def campaigns(*rows: dict[str, Any]) -> pd.DataFrame:
    """One campaign per dict, its costs as the price in it gives them."""
    default = {
        "campaign": "c1",
        "name": "Spring",
        "state": "done",
        "currency": "EUR",
        "price_per_credit": Decimal("0.05"),
        "credits_low": 100,
        "credits_high": 120,
        "credits_billed": 110,
        "created_at": at("09:00"),
    }
    filled = [{**default, **row} for row in rows]
    for row in filled:
        for end in ("low", "high", "billed"):
            price = row["price_per_credit"]
            row[f"cost_{end}"] = None if price is None else price * row[f"credits_{end}"]
    return _typed("Ledger.campaigns()", filled)
