"""Contacts to reports through a real ledger: what it counts and what the reports count agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from fixtures_ledger import Clock, accepted, claim, report

from dashboard.campaigns import estimate_credits, write_messages
from dashboard.ledger import Ledger
from dashboard.reports import (
    Cause,
    breakdown,
    campaign_summary,
    cost_by_campaign,
    failure_reasons,
    figures,
    reconcile,
)

SENT_AT, DELIVERED_AT = "2026-11-20T09:00:10.000000Z", "2026-11-20T09:00:20.000000Z"
PEOPLE = pd.DataFrame(
    {
        "phone": [f"+4474001234{n:02d}" for n in range(12)],
        "country": pd.Categorical(["GB"] * 9 + ["DE"] * 3),
        "name": ["Ann"] * 11 + [""],
    }
)
MESSAGES = write_messages(PEOPLE, "Hi {{name}}, " + "a" * 125 + " https://a.example/sale", campaign="Spring")


@pytest.fixture
def ledger_with_campaign(tmp_path: Path, clock: Clock) -> Iterator[tuple[Ledger, str]]:
    """Eleven messages in batches of four: the first accepted, the others not sent yet."""
    ledger = Ledger.open(f"sqlite:///{tmp_path / 'ledger.sqlite'}", now=clock)
    campaign = ledger.create_campaign("Spring", MESSAGES, batch_size=4, price_per_credit="0.05")
    ledger.start(campaign)
    first = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(first, accepted(first, credits_used=2))
    uuids = [message.uuid or "" for message in first.messages]
    ledger.record_reports(
        [
            report(uuids[0], sent_at=SENT_AT, delivered_at=DELIVERED_AT, status="DELIVRD"),
            report(uuids[1], sent_at=SENT_AT, failure_reason="number not in service"),
            report(uuids[2], sent_at=SENT_AT, failure_reason="late", delivered_at=DELIVERED_AT),
        ]
    )
    yield ledger, campaign
    ledger.close()


def test_reports_count_as_the_ledger_counts(ledger_with_campaign: tuple[Ledger, str]) -> None:
    ledger, campaign = ledger_with_campaign
    kept, messages = ledger.campaign(campaign), ledger.messages(campaign)
    summary = campaign_summary(messages).set_index("stage")
    assert kept.recipients == len(messages) == summary["messages"].sum() == 11
    assert summary.loc["delivered", "messages"] == kept.delivered == 2
    assert summary.loc["failed", "messages"] == kept.failed == 1
    assert summary.loc["accepted", "messages"] == 1
    assert summary["credits_billed"].sum() == kept.credits_billed == 8
    assert failure_reasons(messages)["reason"].tolist() == ["number not in service"]
    assert breakdown(messages, "country").groupby("value")["messages"].sum().to_dict() == {"DE": 2, "GB": 9}


def test_the_bill_is_reconciled_with_the_estimate(ledger_with_campaign: tuple[Ledger, str]) -> None:
    ledger, campaign = ledger_with_campaign
    table = reconcile(ledger.messages(campaign)).set_index("cause")
    estimate = estimate_credits(MESSAGES, price_per_credit="0.05")
    assert table["credits_high"].sum() == estimate.credits_high
    assert table.loc[Cause.SHORT_LINK, "messages"] == 4
    assert table.loc[Cause.NOT_SENT, "messages"] == 7
    costs = cost_by_campaign(ledger.campaigns())
    assert costs["cost_high"].tolist() == [estimate.cost_high]


def test_every_figure_draws_the_ledgers_frames(ledger_with_campaign: tuple[Ledger, str]) -> None:
    ledger, campaign = ledger_with_campaign
    messages = ledger.messages(campaign)
    of_messages = (
        figures.funnel,
        figures.status_over_time,
        figures.by_hour,
        figures.failure_reasons,
        figures.by_country,
        figures.by_line_type,
    )
    assert all(make(messages).data for make in of_messages)
    assert figures.cost_by_campaign(ledger.campaigns()).data
