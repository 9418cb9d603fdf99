"""What became of a campaign's messages, as plain values to draw."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pandas as pd

from dashboard.ledger import Ledger
from dashboard.reports import (
    billed_cost,
    charts,
    compare_rates,
    delivery_rates,
    reconcile,
    status_over_time,
)
from dashboard.reports.tables.stages import Stage, stages
from dashboard.words import _, decimal


@dataclass(frozen=True)
class Charged:
    """What failed messages are charged anyway.

    `billed` is the money of the credits with a price, None without any; the others are `without_price`.
    """

    credits_billed: int
    billed: Decimal | None
    without_price: int


@dataclass(frozen=True)
class Outcome:
    """Everything a campaign's page says about all its messages together.

    Attributes:
        over_time: As `reports.status_over_time` gives it.
        funnel: How far the messages handed over got, as `reports.charts` gives it; so are the next three.
        reasons: Why some failed.
        countries: Messages by country.
        line_types: Messages by line type.
        charged: What the failed ones are charged anyway.
        bill: The estimate against the bill, as `reports.reconcile` gives it.
        rates: Shares delivered of each text, as `reports.delivery_rates` gives them; empty with one text.
        stages: The stages that have any messages.
    """

    over_time: pd.DataFrame
    funnel: pd.DataFrame
    reasons: pd.DataFrame
    countries: pd.DataFrame
    line_types: pd.DataFrame
    charged: Charged
    bill: pd.DataFrame
    rates: pd.DataFrame
    stages: list[str]


OUTCOME_COLUMNS = (
    *("uuid", "body", "state", "failure_reason", "credits_low", "credits_high", "credits_billed"),
    *("price_per_credit", "scheduled_at", "sent_at", "delivered_at", "country", "line_type", "variant"),
)
"""What `outcome_of` needs of the messages."""


def outcome_of(messages: pd.DataFrame, events: pd.DataFrame | None = None) -> Outcome:
    """Add up the messages of a campaign; the events say when messages failed."""
    found = set(stages(messages).unique())
    return Outcome(
        over_time=status_over_time(messages, events=events),
        funnel=charts.funnel(messages),
        reasons=charts.reasons(messages),
        countries=charts.countries(messages),
        line_types=charts.line_types(messages),
        charged=charged(messages),
        bill=reconcile(messages),
        rates=delivery_rates(messages, "variant"),
        stages=[stage.value for stage in Stage if stage.value in found],
    )


def failures(ledger: Ledger, campaign: str) -> pd.DataFrame:
    """When the failures of a campaign were heard; charts over time need it."""
    return ledger.events(campaign, stages=["failed"])


def charged(messages: pd.DataFrame) -> Charged:
    """What messages that failed or were rejected are charged."""
    lost = messages[stages(messages).isin([Stage.FAILED.value, Stage.REJECTED.value])]
    return Charged(int(lost["credits_billed"].sum()), *billed_cost(lost))


def causes(bill: pd.DataFrame) -> list[tuple[int, str, str]]:
    """Why the bill is what it is: number of messages, cause and meaning, for each cause that occurs."""
    table = bill[bill["messages"] > 0]
    return list(
        zip(
            table["messages"].astype("int").tolist(),
            table["cause"].astype("str").tolist(),
            table["meaning"].astype("str").tolist(),
            strict=True,
        )
    )


def better_text(rates: pd.DataFrame) -> str:
    """Which of several texts gets through more often, as a sentence; or that nobody can tell yet."""
    ordered = rates.sort_values("share", ascending=False)
    best, second = ordered.iloc[0], ordered.iloc[1]
    low, high = compare_rates(*((int(one["delivered"]), int(one["messages"])) for one in (best, second)))
    if low <= 0:
        return _("Too close to tell: the difference may be chance.")
    return _(
        "{best} gets through more often than {second}: by {low} to {high} percentage points (with 95 % "
        "confidence)."
    ).format(best=best["value"], second=second["value"], low=decimal(100 * low), high=decimal(100 * high))
