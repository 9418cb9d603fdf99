"""What a campaign costs by a price list: batches of one price each, so that bills and risks are exact."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, messages_frame, taken

from dashboard.campaigns import Prices
from dashboard.errors import CampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

GB, DE, ELSEWHERE = Decimal("0.04"), Decimal("0.079"), Decimal("0.11")
PRICES = Prices({"GB": GB, "DE": DE}, ELSEWHERE, "CHF")
COUNTRIES = ["DE", "GB", "JP", None, "GB", "DE", "GB"]


def mixed(countries: list[str | None] = COUNTRIES) -> pd.DataFrame:
    return messages_frame(len(countries), country=pd.Categorical(countries))


def test_a_batch_holds_messages_of_one_price(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", mixed(), batch_size=2, prices=PRICES)
    messages = ledger.messages(campaign)
    assert messages["country"].astype("str").fillna("?").tolist() == ["GB"] * 3 + ["DE"] * 2 + ["JP", "?"]
    assert messages["price_per_credit"].tolist() == [GB] * 3 + [DE] * 2 + [ELSEWHERE] * 2
    assert ledger.batches(campaign)["messages"].tolist() == [2, 1, 2, 2]
    found = ledger.campaign(campaign)
    assert (found.price_per_credit, found.currency) == (None, "CHF")
    assert (found.cost_low, found.cost_high, found.cost_billed) == (Decimal("0.498"), Decimal("0.996"), 0)


def test_one_price_for_all_is_the_campaigns_and_leaves_the_order_of_the_sheet(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", mixed(["JP", None, "FR"]), batch_size=9, prices=PRICES)
    assert ledger.campaign(campaign).price_per_credit == ELSEWHERE
    messages = ledger.messages(campaign)
    assert messages["price_per_credit"].tolist() == [ELSEWHERE] * 3
    assert messages["row"].tolist() == [2, 3, 4]
    assert len(ledger.batches(campaign)) == 1


def test_what_was_billed_is_exact_and_halves_keep_their_price(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", mixed(), batch_size=4, prices=PRICES)
    ledger.start(campaign)
    ledger.outbox.settle(claim(ledger, campaign), Settlement("too large", "split", 413))
    for credits_ in (1, 2, 3):
        taken(ledger, campaign, credits_used=credits_)
    assert ledger.campaign(campaign).cost_billed == GB * (1 * 1 + 2 * 2) + DE * (2 * 3)
    billed = ledger.messages(campaign).dropna(subset="credits_billed")
    each = billed["price_per_credit"] * billed["credits_billed"]
    assert each.sum() == ledger.campaign(campaign).cost_billed


def test_more_money_than_can_be_shown_is_refused_also_where_some_have_no_price(ledger: Ledger) -> None:
    frame = messages_frame(2_000, country=pd.Categorical(["GB", "FR"] * 1_000), credits_high=1_000)
    with pytest.raises(CampaignError, match="more than 12 digits"):
        ledger.create_campaign("Spring", frame, batch_size=100, prices=Prices({"GB": Decimal(10**6)}, None))


def test_money_at_risk_is_at_the_batchs_price(ledger: Ledger, clock: Clock) -> None:
    campaign = ledger.create_campaign("Spring", mixed(), batch_size=3, prices=PRICES)
    ledger.start(campaign)
    for _ in range(2):
        ledger.outbox.settle(claim(ledger, campaign), Settlement("lost", "unknown", None))
    at_risk = ledger.unknown(campaign)["money_at_risk"].tolist()
    assert at_risk == [3 * 2 * GB, 2 * 2 * DE]
    assert ledger.unknown_total(campaign).money == sum(at_risk)
    clock.advance(600)
    ledger.decide_all(campaign, "abandoned", who="Ann", why="too late")
    assert ledger.decisions(campaign)["money_at_risk"].tolist() == at_risk


def test_where_a_price_is_missing_the_one_price_counts_or_else_the_cost_is_left_open(ledger: Ledger) -> None:
    listed = Prices({"GB": GB}, None, "EUR")
    campaign = ledger.create_campaign("Spring", mixed(["GB", "FR"]), batch_size=9, prices=listed)
    found = ledger.campaign(campaign)
    assert (found.cost_low, found.cost_high, found.cost_billed) == (None, None, 0)
    assert ledger.messages(campaign)["price_per_credit"].isna().tolist() == [True, False]
    both = ledger.create_campaign(
        "Spring", mixed(["GB", "FR"]), batch_size=1, prices=listed, price_per_credit=ELSEWHERE
    )
    assert ledger.campaign(both).cost_low == GB + ELSEWHERE


@ON_BOTH_DATABASES
def test_a_currency_has_three_letters(ledger: Ledger) -> None:
    with pytest.raises(CampaignError, match="ISO 4217"):
        ledger.create_campaign("Spring", mixed(["GB"]), batch_size=9, currency="EURO")
