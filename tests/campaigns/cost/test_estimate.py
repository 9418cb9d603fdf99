"""The estimate: by country, line and variant, with a price list, under caps and at a pace."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import (
    Prices,
    Variant,
    check_caps,
    estimate_credits,
    prices_of,
    read_prices,
    time_to_send,
    write_messages,
)
from dashboard.campaigns.cost.money import money_column
from dashboard.campaigns.schema import SCHEMAS
from dashboard.errors import CampaignError, SettingsError
from dashboard.settings import load_settings

SAMPLE = Path(__file__).parents[3] / "data" / "prices.csv"
HEADER = "country,price_per_credit,currency\n"
PEOPLE = pd.DataFrame(
    {
        "phone": [f"+4479111234{n:02d}" for n in range(6)],
        "country": pd.Categorical(["GB", "DE", "GB", "GB", None, "DE"]),
        "line_type": pd.Categorical(["MOBILE", "MOBILE", "MOBILE", "VOIP", "MOBILE", None]),
        "text": ["a" * 100, "a" * 200, "a" * 100, "a" * 400, "a", ""],
    }
)


def prices(lines: str) -> bytes:
    return (HEADER + lines).encode()


def test_each_breakdown_adds_up_to_the_whole() -> None:
    variants = [Variant("A", "{{text}} a"), Variant("B", "{{text}} https://b.example", weight=2)]
    messages = write_messages(PEOPLE, variants, campaign="x")
    estimate = estimate_credits(messages, price_per_credit="0.05")
    for name in ("by_country", "by_line_type", "by_variant"):
        frame = getattr(estimate, name)
        declared = {c.name: c.dtype for c in SCHEMAS[f"Estimate.{name}"]}
        assert {str(column): str(dtype) for column, dtype in frame.dtypes.items()} == declared
        for column in ("messages", "credits_low", "credits_high"):
            assert frame[column].sum() == getattr(estimate, column), (name, column)
    assert sum(estimate.by_country["cost_high"]) == estimate.cost_high
    assert estimate.by_variant["variant"].tolist() == ["A", "B"]


def test_rows_with_a_problem_are_in_no_breakdown() -> None:
    estimate = estimate_credits(write_messages(PEOPLE, "{{text}}", campaign="x"))
    assert estimate.by_country[["country", "messages", "credits_high"]].fillna("").to_numpy().tolist() == [
        ["GB", 3, 5],
        ["DE", 1, 2],
        ["", 1, 1],
    ]
    assert estimate.by_line_type["line_type"].tolist() == ["MOBILE", "VOIP"]
    assert estimate.by_variant.empty


def test_a_price_list_prices_each_country() -> None:
    listed = read_prices(prices("GB,0.04,EUR\nde,0.07,EUR,more\n\n*,0.1,EUR\n"))
    estimate = estimate_credits(write_messages(PEOPLE, "{{text}}", campaign="x"), prices=listed)
    assert (
        estimate.cost_low == estimate.cost_high == 5 * Decimal("0.04") + Decimal("0.1") + 2 * Decimal("0.07")
    )
    assert estimate.currency == "EUR"
    assert estimate.price_per_credit is None
    assert estimate.without_price == ()


def test_a_country_without_a_price_is_named_and_the_cost_left_open() -> None:
    messages = write_messages(PEOPLE, "{{text}}", campaign="x")
    listed = read_prices(prices("GB,0.04,EUR\n"))
    estimate = estimate_credits(messages, prices=listed)
    assert estimate.cost_high is None
    assert estimate.without_price == ("DE", "")
    filled = estimate_credits(messages, prices=listed, price_per_credit="0.1")
    assert filled.cost_high == 5 * Decimal("0.04") + 3 * Decimal("0.1")


def test_prices_are_as_set(tmp_path: Path) -> None:
    listed = tmp_path / "prices.csv"
    listed.write_bytes(prices("GB,0.04,EUR\n"))
    both = prices_of(load_settings(price_list=listed, price_per_credit="0.1"))
    assert both == Prices({"GB": Decimal("0.04")}, Decimal("0.1"), "EUR")
    assert prices_of(load_settings(price_per_credit="0.1", currency="CHF")) == Prices(
        {}, Decimal("0.1"), "CHF"
    )
    assert prices_of(load_settings()) is None
    listed.write_bytes(prices("GB,0.04,EUR\n*,0.2,EUR\n"))
    its_own = prices_of(load_settings(price_list=listed, price_per_credit="0.1"))
    assert its_own == Prices({"GB": Decimal("0.04")}, Decimal("0.2"), "EUR")
    with pytest.raises(SettingsError, match="Set DASHBOARD_CURRENCY to EUR"):
        prices_of(load_settings(price_list=listed, price_per_credit="0.1", currency="CHF"))
    with pytest.raises(SettingsError, match=r"DASHBOARD_PRICE_LIST: .*cannot be opened"):
        prices_of(load_settings(price_list=tmp_path / "none.csv"))


def test_emoji_that_count_twice_in_utf_16_are_a_warning_not_the_estimate() -> None:
    people = PEOPLE.assign(text=["😀" * 100, "😀" * 80, "😀" * 80 + "a", "é" * 160, "", "a"])
    estimate = estimate_credits(write_messages(people, "{{text}}", campaign="x"))
    assert estimate.credits_low == estimate.credits_high == 5
    assert estimate.credits_utf16 == 2 + 1 + 2 + 1 + 0 + 1


def test_without_a_price_there_is_no_cost() -> None:
    estimate = estimate_credits(write_messages(PEOPLE, "Hi", campaign="x"))
    assert (estimate.cost_low, estimate.currency, estimate.without_price) == (None, None, ())


def test_the_sample_price_list_is_read() -> None:
    sample = read_prices(SAMPLE)
    assert sample.currency == "EUR"
    assert sample.of("GB") == Decimal("0.040")
    assert sample.of("JP") == sample.of(None) == Decimal("0.110")


@each(
    "by_country, elsewhere, currency, says",
    [
        *(
            ({"GB": Decimal(odd)}, None, "EUR", "from 0 to")
            for odd in ("-1", "NaN", "sNaN", "Infinity", "1e7")
        ),
        ({"GB": Decimal("0.0000001")}, None, "EUR", "up to 6 decimals"),
        ({}, Decimal("1e-999999999999"), None, "up to 6 decimals"),
        ({}, Decimal("-0.01"), None, "from 0 to"),
        *(({odd: Decimal(1)}, None, None, "ISO 3166") for odd in ("gb", "UK", "*", "")),
        *(({}, Decimal(1), odd, "ISO 4217") for odd in ("EURO", "eur", "€", "")),
    ],
)
def test_prices_made_in_a_notebook_are_checked_as_those_of_a_file(
    by_country: dict[str, Decimal], elsewhere: Decimal | None, currency: str | None, says: str
) -> None:
    with pytest.raises(CampaignError, match=says):
        Prices(by_country, elsewhere, currency)


@each("price", ["0E-9", "0.0000000", "0.045" + "0" * 400_000, "1000000", "0E+13", "0E-30000000"])
def test_a_price_may_have_more_zeros_than_decimals(price: str) -> None:
    listed = Prices({}, Decimal(price), "EUR")
    assert listed.of("GB") == Decimal(price)
    costs = estimate_credits(write_messages(PEOPLE, "Hi", campaign="x"), prices=listed).by_country["cost_low"]
    assert costs.iloc[0] == 3 * Decimal(price)


@each("whole", [2, np.int64(2)])
def test_a_price_in_whole_units_is_as_exact_as_any(whole: Any) -> None:
    made = Prices({"GB": whole}, elsewhere=whole)
    assert [(type(price), price) for price in (made.of("GB"), made.of("DE"))] == [(Decimal, 2)] * 2


@given(st.dictionaries(st.sampled_from(["GB", "DE", "FR", "*"]), st.decimals(0, 10, places=4), min_size=1))
def test_a_written_list_is_read_as_it_was_written(by_country: dict[str, Decimal]) -> None:
    read = read_prices(prices("".join(f"{country},{price},EUR\n" for country, price in by_country.items())))
    for country in ("GB", "DE", "FR"):
        assert read.of(country) == by_country.get(country, by_country.get("*"))


@each(
    "content, says",
    [
        (b"", "lacks the columns country, price_per_credit, currency"),
        (b"country;price_per_credit;currency\n", "separated by commas"),
        (HEADER.encode(), "has no price"),
        (prices("GB,0.04,EUR\nUK,0.04,EUR\n"), "Line 3 of the price list: the country"),
        (prices("GB,0.04,EUR\n\nGB,0.05,EUR\n"), "Line 4 of the price list: GB is listed twice"),
        (prices("GB,-1,EUR\n"), "Line 2 of the price list: write a price from 0"),
        (prices('GB,"0,04",EUR\n'), "with a point"),
        (prices("GB,,EUR\n"), "write a price"),
        (prices("GB,0.04\n"), "Line 2 of the price list: write the three letters of a currency"),
        (prices("GB,0.04,EUR\nDE,0.04,USD\n"), "prices in EUR and USD"),
        (prices('GB,0.04,EUR,"never closed\nDE,0.05,EUR\n'), "Line 3 .* quotation mark that is not closed"),
        (prices(f'GB,0.04,EUR,"{"long" * 50_000}\n'), "Line 2 .* quotation mark that is not closed"),
        (f"{HEADER.strip()},currency\nGB,0.04,EUR,USD\n".encode(), "the column currency appears twice"),
        ("é".encode("latin-1"), "not UTF-8"),
        (Path("nowhere.csv"), "cannot be opened"),
    ],
)
def test_a_mistake_in_a_price_list_is_named(content: bytes | Path, says: str) -> None:
    with pytest.raises(CampaignError, match=says):
        read_prices(content)


@each(
    "caps, allowed, says",
    [
        ({}, True, "costs 1,200 credits at most."),
        ({"per_campaign": 1200}, True, "costs 1,200"),
        ({"per_campaign": 1199}, False, "a campaign may cost at most 1,199. Use 1 fewer credits"),
        ({"per_day": 5000, "used_today": 3800}, True, "0 of today's 5,000 will be left after it"),
        ({"per_day": 5000, "used_today": 3801}, False, "only 1,199 of today's 5,000"),
        ({"per_day": 5000, "used_today": 9000}, False, "only 0 of today's 5,000"),
        ({"per_campaign": 0}, False, "a campaign may cost at most 0"),
    ],
)
def test_caps_are_judged_with_a_sentence(caps: dict[str, int], allowed: bool, says: str) -> None:
    verdict = check_caps(1200, **caps)
    assert verdict.allowed is allowed
    assert says in verdict.sentence


def test_a_cap_below_nothing_is_refused() -> None:
    with pytest.raises(CampaignError, match="0 or more"):
        check_caps(1, per_day=-1)


def test_the_time_to_send_follows_the_pace() -> None:
    assert time_to_send(90_000, 200) == timedelta(seconds=450)
    assert time_to_send(1, 0) is None


@each("price", ["0.0000001", "1e-7", 0.1 + 0.2, f"1.{'0' * 40}1"])
def test_a_price_finer_than_the_tables_of_money_is_refused(price: str | float) -> None:
    with pytest.raises(CampaignError, match=r"cannot be used: write a price with up to 6 decimals"):
        estimate_credits(write_messages(PEOPLE, "Hi", campaign="x"), price_per_credit=price)
    with pytest.raises(CampaignError, match="up to 6 decimals"):
        read_prices(prices(f"GB,{Decimal(str(price)):f},EUR\n"))


def test_a_cost_too_large_for_the_tables_of_money_is_said() -> None:
    with pytest.raises(CampaignError, match="more than 12 digits before the decimal point"):
        money_column([Decimal(10) ** 12])
    assert money_column([Decimal(10) ** 12 - Decimal("0.000001"), None]).isna().tolist() == [False, True]
