"""What became of a campaign's messages, as plain values to draw."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pandas as pd

from dashboard.reports import (
    billed_cost,
    compare_rates,
    delivery_rates,
    failure_reasons,
    funnel_steps,
    reconcile,
    status_over_time,
)
from dashboard.reports.tables.progress import step_words
from dashboard.reports.tables.stages import Stage, stages
from dashboard.words import _, decimal


@dataclass(frozen=True)
class Failures:
    """Reasons with their counts, most frequent first, and what is charged anyway.

    `billed` is the money of the credits with a price, None without any; the others are `without_price`.
    """

    reasons: list[tuple[str, int]]
    credits_billed: int
    billed: Decimal | None
    without_price: int


@dataclass(frozen=True)
class Outcome:
    """Everything a campaign's page says about all its messages together.

    Attributes:
        over_time: As `reports.status_over_time` gives it.
        rungs: How far the messages handed over got, as in `rungs`.
        failures: Why some failed.
        bill: The estimate against the bill, as `reports.reconcile` gives it.
        rates: Share delivered of each text, as `reports.delivery_rates` returns it; empty if there is one
            text.
        countries: Messages by country, as in `counted`.
        line_types: Messages by line type.
        stages: The stages that have any messages.
    """

    over_time: pd.DataFrame
    rungs: list[tuple[str, int]]
    failures: Failures
    bill: pd.DataFrame
    rates: pd.DataFrame
    countries: list[tuple[str, int]]
    line_types: list[tuple[str, int]]
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
        rungs=rungs(messages),
        failures=failures(messages),
        bill=reconcile(messages),
        rates=delivery_rates(messages, "variant"),
        countries=counted(messages, "country"),
        line_types=counted(messages, "line_type"),
        stages=[stage.value for stage in Stage if stage.value in found],
    )


def rungs(messages: pd.DataFrame) -> list[tuple[str, int]]:
    """How far the messages handed over got: from the service to the phone."""
    steps = funnel_steps(messages)
    return [(step_words(str(name)), int(number)) for name, number in _pairs(steps, "step", "messages")]


def failures(messages: pd.DataFrame) -> Failures:
    """Why messages failed or were rejected."""
    reasons = failure_reasons(messages)
    counted = [(str(reason), int(number)) for reason, number in _pairs(reasons, "reason", "messages")]
    lost = messages[stages(messages).isin([Stage.FAILED.value, Stage.REJECTED.value])]
    return Failures(counted, int(reasons["credits_billed"].sum()), *billed_cost(lost))


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


def counted(messages: pd.DataFrame, column: str) -> list[tuple[str, int]]:
    """Messages by the values of a column, most frequent first."""
    sizes = messages[column].astype("str").fillna(_("not known")).value_counts()
    counts = [(str(value), int(number)) for value, number in sizes.items()]
    return sorted(counts, key=lambda pair: (-pair[1], pair[0]))


def _pairs(frame: pd.DataFrame, name: str, number: str) -> list[tuple[object, int]]:
    return list(zip(frame[name].tolist(), frame[number].astype("int").tolist(), strict=True))
