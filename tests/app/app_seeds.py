"""Campaigns in a ledger as they stand after sending, told by delivery reports."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pandas as pd
from fixtures_ledger import claim

from dashboard.campaigns import write_messages
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement


def phones(people: int) -> list[str]:
    return [f"+4479110{number:05d}" for number in range(people)]


def british(numbers: list[str]) -> pd.DataFrame:
    """Contacts with these phones, all of them British."""
    return pd.DataFrame(
        {
            "phone": numbers,
            "country": pd.Categorical(["GB"] * len(numbers)),
            "line_type": pd.Categorical(["MOBILE"] * len(numbers)),
        }
    )


def sent_campaign(
    ledger: Ledger, name: str = "Spring sale", *, delivered: int = 8, failed: int = 1, on_the_way: int = 1
) -> str:
    """A running campaign of which every message was taken by the service; returns its id."""
    campaign = started_campaign(ledger, name, delivered + failed + on_the_way)
    owner = ledger.outbox.register(1)
    for _batch in range(len(ledger.batches(campaign))):
        claim(ledger, campaign, owner)
    ledger.record_reports(_reports(ledger.messages(campaign)["uuid"].tolist(), delivered, failed))
    return campaign


def prepared_campaign(ledger: Ledger, name: str = "Spring sale", people: int = 3, **how: Any) -> str:
    """A campaign that nobody has started; returns its id."""
    messages = write_messages(british(phones(people)), "Hi!", campaign=name)
    usual = {"batch_size": 10, "price_per_credit": Decimal("0.045"), "source": "contacts.csv"}
    return ledger.create_campaign(name, messages, **usual | how)


def started_campaign(ledger: Ledger, name: str, people: int) -> str:
    """A running campaign of which nothing was sent yet; returns its id."""
    campaign = prepared_campaign(ledger, name, people)
    ledger.start(campaign)
    return campaign


def waiting_campaign(ledger: Ledger, why: str) -> str:
    """A running campaign whose one batch came back, because nothing of it left this process."""
    campaign = started_campaign(ledger, "Spring sale", 3)
    claimed = claim(ledger, campaign, ledger.outbox.register(1))
    ledger.outbox.settle(claimed, Settlement("not sent", "ready", detail=why, closes_gate=True))
    return campaign


def unknown_campaign(ledger: Ledger, people: int = 3, *, minutes_ago: float = 0) -> str:
    """A campaign whose one batch was claimed by a process that died before it heard the answer."""
    then = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    ledger = Ledger(ledger.database, now=lambda: then)
    campaign = started_campaign(ledger, "Spring sale", people)
    claim(ledger, campaign, ledger.outbox.register(1))
    ledger.outbox.retire([1])
    return campaign


def _reports(uuids: list[str], delivered: int, failed: int) -> list[dict[str, object]]:
    made, sent, arrived = (datetime.now(UTC) - timedelta(seconds=before) for before in (300, 299, 291))
    times = {"created_at": _stamp(made), "sent_at": _stamp(sent)}
    waits = {"status": "sent", "credits_used": 1, "failure_reason": None} | times
    arrives = waits | {"status": "delivered", "delivered_at": _stamp(arrived)}
    fails = waits | {"status": "failed", "failure_reason": "handset switched off"}
    open_ = len(uuids) - delivered - failed
    fates = [arrives] * delivered + [fails] * failed + [waits] * open_
    return [{"uuid": uuid} | fate for uuid, fate in zip(uuids, fates, strict=True)]


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
