"""What became of a campaign's messages, as plain values to draw."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pandas as pd

from dashboard.reports import (
    bill_missing,
    billed_cost,
    charts,
    delivery_rates,
    reconcile,
    status_over_time,
)
from dashboard.reports.measures.counting import LOST
from dashboard.reports.measures.money import Missing
from dashboard.reports.measures.stages import Stage


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
        missing: The bills that have not come.
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
    missing: Missing
    rates: pd.DataFrame
    stages: list[str]


def outcome_of(counted: pd.DataFrame, happened: pd.DataFrame) -> Outcome:
    """What a page says about a campaign, from its COUNTS and its COURSE."""
    found = set(counted["stage"])
    return Outcome(
        over_time=status_over_time(happened),
        funnel=charts.funnel(counted),
        reasons=charts.reasons(counted),
        countries=charts.countries(counted),
        line_types=charts.line_types(counted),
        charged=charged(counted),
        bill=reconcile(counted),
        missing=bill_missing(counted),
        rates=delivery_rates(counted, "variant"),
        stages=[stage.value for stage in Stage if stage.value in found],
    )


def charged(counted: pd.DataFrame) -> Charged:
    """What messages that failed or were rejected are charged."""
    lost = counted[counted["stage"].isin(LOST)]
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
