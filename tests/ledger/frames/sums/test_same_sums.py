"""What the ledger sums up by itself is what reports compute from its messages; by fewer keys as by all."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, messages_frame, report, running, taken
from pandas.testing import assert_frame_equal
from tiers import only_deep
from vector_files import vectors

from dashboard.campaigns import Prices
from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.reports import billed_cost, campaign_facts
from dashboard.reports.files.campaign_page import campaign_page
from dashboard.reports.measures.counting import KEYS, SUMS
from dashboard.reports.measures.course import course

REASONS = "failure_reasons.csv"
BORDERS = (timedelta(hours=1), timedelta(days=1))
AROUND = [border + timedelta(seconds=second) for border in BORDERS for second in range(-20, 21)]


@ON_BOTH_DATABASES
def test_the_course_has_the_same_spans_around_the_first_hour_and_day(ledger: Ledger, clock: Clock) -> None:
    for seconds in (0, 7.3, 4 * 60 + 8.5):
        started = clock.advance(seconds)
        campaign = running(ledger, len(AROUND), batch_size=len(AROUND))
        got = taken(ledger, campaign)
        moments = [(started + since).isoformat() for since in AROUND]
        ledger.record_reports(
            [report(one.uuid or "", sent_at=at) for one, at in zip(got.messages, moments, strict=True)]
        )
        computed = course(ledger.messages(campaign), campaigns=ledger.campaigns())
        summed = ledger.course(campaign).astype({"campaign": "str", "event": "str"})
        assert_frame_equal(computed, summed)


def check_money(ledger: Ledger, campaign: str) -> None:
    """Of one campaign."""
    found, messages = ledger.campaign(campaign), ledger.messages(campaign)
    for given in (messages, ledger.counts(campaign)):
        assert billed_cost(given) == (found.cost_billed, found.credits_without_price)
    kept = messages[messages["state"] != "dropped"]
    known = messages["price_per_credit"].notna().any() and kept["price_per_credit"].notna().all()
    for credits_, money in (("credits_low", "cost_low"), ("credits_high", "cost_high")):
        assert getattr(found, credits_) == kept[credits_].sum()
        worth = sum((kept["price_per_credit"] * kept[credits_]).dropna(), Decimal()) if known else None
        assert getattr(found, money) == worth


@ON_BOTH_DATABASES
@pytest.mark.parametrize(
    "priced",
    [
        {},
        {"price_per_credit": Decimal("0.045")},
        {"prices": Prices({"GB": Decimal("0.04"), "DE": Decimal("0.079")}, None, "EUR")},
        *only_deep(
            {"price_per_credit": Decimal()},
            {"prices": Prices({"GB": Decimal("0.04")}, Decimal("0.11"), "CHF")},
            {"prices": Prices({"GB": Decimal("0.04")}, None, "EUR")},
            {"prices": Prices({"DE": Decimal()}, None, "EUR")},
            {"prices": Prices({"FR": Decimal("0.04")}, None, "EUR")},
            {"prices": Prices({"JP": Decimal("0.04")}, None, "EUR")},
        ),
    ],
)
def test_the_money_of_a_campaign_is_that_of_its_messages(ledger: Ledger, priced: Mapping[str, Any]) -> None:
    frame = messages_frame(12, country=pd.Categorical(["GB", "DE", "FR"] * 4))
    phones = frame.groupby("country", observed=True)["to"].apply(list)
    ledger.add_opt_outs(phones["FR"][:1])
    campaign = running(ledger, frame, batch_size=2, **priced)
    check_money(ledger, campaign)
    ledger.add_opt_outs([*phones["FR"], *phones["DE"][:2]])
    check_money(ledger, campaign)
    for billed in (0, None, 3):
        taken(ledger, campaign, credits_used=billed)
        check_money(ledger, campaign)
    ledger.add_opt_outs(frame["to"].tolist())
    check_money(ledger, campaign)


@ON_BOTH_DATABASES
def test_the_estimate_of_nobody_costs_nothing_where_there_is_a_price(ledger: Ledger) -> None:
    for first, price, worth in ((0, None, None), (3, Decimal("0.045"), 0)):
        frame = messages_frame(3, first=first)
        campaign = ledger.create_campaign("Spring", frame, batch_size=2, price_per_credit=price)
        ledger.add_opt_outs(frame["to"].tolist())
        check_money(ledger, campaign)
        assert ledger.campaign(campaign).cost_high == worth


@ON_BOTH_DATABASES
def test_who_told_stop_is_judged_by_whole_reasons_or_not_at_all(ledger: Ledger) -> None:
    reasons = [opening + row["reason"] for opening in ("", "I am told: " * 20) for row in vectors(REASONS)]
    campaign = running(ledger, len(reasons), batch_size=len(reasons))
    got = taken(ledger, campaign)
    said = zip(got.messages, reasons, strict=True)
    ledger.record_reports([report(one.uuid or "", failure_reason=reason) for one, reason in said])
    row, messages, told = ledger.campaigns(), ledger.messages(campaign), len(ledger.told_stop(campaign))
    facts = campaign_facts(row, messages=messages).set_index("fact")["value"]
    assert facts["Failed because the person had told the service STOP"] == told
    assert f">{told}</td>" in campaign_page(row, messages).decode()
    assert "STOP" not in " ".join(campaign_facts(row, messages=ledger.counts(campaign))["fact"])


def some_of_everything(ledger: Ledger) -> None:
    """Campaigns with messages that wait, are being sent, were delivered, and failed for reasons."""
    for first, price in ((0, Decimal("0.045")), (12, None), (24, Decimal("0.0450"))):
        countries = pd.Categorical(["GB", "DE", "FR"] * 4)
        frame = messages_frame(12, f"Campaign {first}", country=countries, first=first)
        campaign = ledger.create_campaign(f"Campaign {first}", frame, batch_size=3, price_per_credit=price)
        ledger.start(campaign)
        got = taken(ledger, campaign, credits_used=2)
        last, failed, other = (message.uuid or "" for message in got.messages)
        ledger.record_reports(
            [report(last, delivered_at="2026-11-20T10:00:00Z")]
            + [report(uuid, failure_reason=f"reason {uuid[0]}") for uuid in (failed, other)]
        )
        claim(ledger, campaign)


@ON_BOTH_DATABASES
def test_by_fewer_keys_the_same_messages_are_counted_together(ledger: Ledger) -> None:
    some_of_everything(ledger)
    whole = ledger.counts()
    for keys in ([], *([key] for key in KEYS), ["reason", "stage"], ["stage", "country", "currency"]):
        few = ledger.counts(keys=keys)
        assert list(few) == [*keys, *SUMS]
        assert few.dtypes.equals(whole.dtypes[[*keys, *SUMS]])
        assert by(few, keys) == by(whole, keys), keys
    assert len(ledger.counts(keys="price_per_credit")) == len({Decimal("0.045"), None})
    with pytest.raises(LedgerError, match="no key 'town'"):
        ledger.counts(keys=["town"])


def by(counts: pd.DataFrame, keys: list[str]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for row in counts.to_dict("records"):
        sums = found.setdefault(tuple(str(row[key]) for key in keys), [0] * len(SUMS))
        for place, name in enumerate(SUMS):
            sums[place] += int(row[name])
    return found
