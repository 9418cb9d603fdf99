"""Frames as the ledger gives them, for the tests of reports."""

from __future__ import annotations

from decimal import Decimal
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
    columns = SCHEMAS[name]
    frame = pd.DataFrame(rows, columns=[c.name for c in columns], dtype=object)
    times = [c.name for c in columns if c.dtype.startswith("datetime64")]
    frame[times] = frame[times].apply(lambda column: pd.to_datetime(column, utc=True))
    return frame.astype({c.name: MONEY_DTYPE if c.dtype == MONEY else c.dtype for c in columns})


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
