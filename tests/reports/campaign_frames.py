"""Frames as the ledger gives them, for the tests of reports."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

import pandas as pd

TIMES = ("created_at", "scheduled_at", "sent_at", "delivered_at")
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
    "batch": 1,
    "attempt": 1,
    "country": "GB",
    "line_type": "MOBILE",
    **dict.fromkeys(TIMES),
}


def messages(*rows: dict[str, Any]) -> pd.DataFrame:
    """One message per dict; what a dict leaves out is that of a message accepted and not sent yet."""
    frame = pd.DataFrame(
        [{"uuid": str(UUID(int=n)), **_MESSAGE, **row} for n, row in enumerate(rows)],
        columns=["uuid", *_MESSAGE],
    )
    text = ("state", "status", "failure_reason", "body", "country", "line_type")
    return frame.astype(
        dict.fromkeys(text, "str")
        | dict.fromkeys(TIMES, "datetime64[us, UTC]")
        | {"credits_low": "int64", "credits_high": "int64", "credits_billed": "Int64"}
    )


def at(clock: str, day: int = 1) -> pd.Timestamp:
    """A time in March 2027; the first is a Monday."""
    return pd.Timestamp(f"2027-03-{day:02d} {clock}", tz="UTC")


SENT = {"sent_at": at("10:00"), "credits_billed": 1}
DELIVERED = {**SENT, "delivered_at": at("10:05"), "status": "delivered"}
FAILED = {**SENT, "failure_reason": "number not in service", "status": "undelivered"}


def campaigns(*rows: dict[str, Any]) -> pd.DataFrame:
    """One campaign per dict."""
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
    frame = pd.DataFrame([{**default, **row} for row in rows], columns=list(default))
    return frame.astype(
        dict.fromkeys(("campaign", "name", "state", "currency"), "str")
        | dict.fromkeys(("credits_low", "credits_high", "credits_billed"), "int64")
        | {"created_at": "datetime64[us, UTC]"}
    )
