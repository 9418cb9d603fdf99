"""The statement's money against a recount in fractions that imports nothing of ours."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, campaigns, messages
from fixtures_ledger import accepted, claim, running
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from tiers import draws

from dashboard.campaigns import Prices
from dashboard.errors import FrameError
from dashboard.ledger import Ledger
from dashboard.reports import Statement, cost_by, counts, monthly_statement, worth, write_statement

MONTH = "2027-03"
CURRENCIES = {"c1": "EUR", "c2": "EUR", "c3": "USD", "c4": "JPY"}
CAMPAIGNS = campaigns(
    *({"campaign": name, "currency": currency, "sender": "Shop"} for name, currency in CURRENCIES.items())
)
BREAKDOWNS = ("by_campaign", "by_country", "by_sender")

prices = st.none() | st.sampled_from([Decimal("0"), Decimal("0.045"), Decimal("0.050"), Decimal("0.05")])
prices |= st.decimals(0, 10, places=6)
drawn_messages = st.lists(
    st.fixed_dictionaries(
        {
            "campaign": st.sampled_from(list(CURRENCIES)),
            "country": st.sampled_from(["GB", "DE", None]),
            "price_per_credit": prices,
            "state": st.sampled_from(["accepted", "unknown", "rejected"]),
            "credits_billed": st.none() | st.integers(0, 10**6),
        }
    ),
    max_size=35,
)


def recount(drawn: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], object]) -> dict[Any, Any]:
    """Money, None where nothing has a price, and credits without a price, by currency and key."""
    found: dict[Any, Any] = defaultdict(lambda: [None, 0])
    for one in drawn:
        place = found[CURRENCIES[one["campaign"]], key(one)]
        billed = one["credits_billed"] or 0
        if one["price_per_credit"] is None:
            place[1] += billed
        else:
            place[0] = (place[0] or Fraction(0)) + billed * Fraction(one["price_per_credit"])
    return dict(found)


def said(table: pd.DataFrame, key: Callable[[Any], object]) -> dict[Any, Any]:
    """The same of a table of the statement."""
    return {
        (one.currency, key(one)): [
            None if pd.isna(one.cost_billed) else Fraction(one.cost_billed),
            one.credits_without_price,
        ]
        for one in table.itertuples()
    }


def added_up(table: pd.DataFrame) -> dict[str, list[Any]]:
    """The rows of a table by currency, added in fractions."""
    found: dict[str, list[Any]] = {}
    for one in table.itertuples():
        sums = found.setdefault(one.currency, [None, 0, 0, 0])
        if not pd.isna(one.cost_billed):
            sums[0] = (sums[0] or Fraction(0)) + Fraction(one.cost_billed)
        for place, name in enumerate(("messages", "credits_billed", "credits_without_price"), start=1):
            sums[place] += getattr(one, name)
    return found


@settings(max_examples=draws(30))  # a statement costs as much of thirty messages as of one
@given(drawn_messages)
def test_rows_add_up_to_the_totals_of_each_currency_and_agree_with_a_recount(
    drawn: list[dict[str, Any]],
) -> None:
    made = monthly_statement(messages(*drawn), CAMPAIGNS, MONTH)
    assert said(made.by_campaign, lambda row: row.campaign) == recount(drawn, lambda one: one["campaign"])
    assert said(made.by_country, lambda row: row.country) == recount(
        drawn, lambda one: one["country"] or "not known"
    )
    assert said(made.totals, lambda _: None) == recount(drawn, lambda _: None)
    for name in BREAKDOWNS:
        assert added_up(getattr(made, name)) == added_up(made.totals), name
    write_statement(made, io.BytesIO())


def test_the_month_in_which_the_first_price_is_set(ledger: Ledger) -> None:
    """On the real databases: no price, a price, a list that lacks the country, another currency."""
    owner = ledger.outbox.register(0)
    lists = Prices({"DE": Decimal("0.079")}, None, "EUR")
    for options in (
        {},
        {"price_per_credit": Decimal("0.045")},
        {"prices": lists},
        {"price_per_credit": Decimal("0.07"), "currency": "USD"},
    ):
        campaign = running(ledger, 5, batch_size=3, **options)
        first = claim(ledger, campaign, owner)
        ledger.outbox.settle(first, accepted(first, credits_used=2))
    everything, listed = ledger.messages(), ledger.campaigns()
    made = monthly_statement(everything, listed, "2026-11")
    totals = made.totals.set_index("currency")
    assert totals["cost_billed"].to_dict() == {"EUR": Decimal("0.270"), "USD": Decimal("0.42")}
    assert totals["credits_without_price"].to_dict() == {"EUR": 12, "USD": 0}
    each = listed.groupby(listed["currency"].astype("str"))
    assert each["credits_without_price"].sum().to_dict() == totals["credits_without_price"].to_dict()
    summed = {currency: sum(amounts.dropna(), Decimal(0)) for currency, amounts in each["cost_billed"]}
    assert summed == totals["cost_billed"].to_dict(), "the campaigns say the same"
    backwards = monthly_statement(everything.iloc[::-1], listed.iloc[::-1], "2026-11")
    for name in (*BREAKDOWNS, "totals"):
        pd.testing.assert_frame_equal(getattr(made, name), getattr(backwards, name))


def test_a_campaign_that_is_not_listed_is_named_and_not_left_out() -> None:
    frame = messages(DELIVERED, {**DELIVERED, "campaign": "gone"})
    made = monthly_statement(frame, CAMPAIGNS, MONTH)
    assert made.by_campaign["messages"].sum() == 2
    assert made.totals.set_index("currency")["messages"].to_dict() == {"EUR": 1, "not known": 1}


def mixed() -> Statement:
    frame = messages(
        {**DELIVERED, "price_per_credit": None, "credits_billed": 7},
        {**DELIVERED, "price_per_credit": Decimal("0.045")},
        {**DELIVERED, "campaign": "c4", "price_per_credit": Decimal("1.5")},
        {"campaign": "c4"},
    )
    return monthly_statement(frame, CAMPAIGNS, MONTH)


def test_the_workbook_ends_each_table_with_a_total_of_each_currency() -> None:
    target = io.BytesIO()
    write_statement(mixed(), target)
    book = load_workbook(target)
    for name in ("By campaign", "By country", "By sender"):
        heads, *rows = book[name].iter_rows(values_only=True)
        totals = {row[heads.index("Currency")]: row for row in rows if row[0] == "Total"}
        assert {currency: row[heads.index("Messages")] for currency, row in totals.items()} == {
            "EUR": 2,
            "JPY": 2,
        }
        cost, without = heads.index("Cost billed"), heads.index("Credits without price")
        assert [totals["EUR"][cost], totals["EUR"][without]] == [0.045, 7]
        assert [totals["JPY"][cost], totals["JPY"][without]] == [1.5, 0]


def test_money_is_shown_with_the_digits_of_its_currency() -> None:
    target = io.BytesIO()
    write_statement(mixed(), target)
    sheet = load_workbook(target)["By campaign"]
    heads, *rows = sheet.iter_rows()
    currency, cost = ([head.value for head in heads].index(name) for name in ("Currency", "Cost billed"))
    looks = {row[currency].value: row[cost].number_format for row in rows}
    assert looks == {"EUR": "#,##0.00", "JPY": "#,##0"}


def test_no_messages_and_no_campaigns_make_an_empty_statement() -> None:
    made = monthly_statement(messages(), campaigns(), MONTH)
    assert all(getattr(made, name).empty for name in (*BREAKDOWNS, "totals"))
    write_statement(made, io.BytesIO())


def test_a_statement_says_money_only_where_there_is_any() -> None:
    each = {**DELIVERED, "handed_over_at": pd.Timestamp("2027-03-02", tz="UTC")}
    unpriced, priced = {**each, "price_per_credit": None}, {**each, "price_per_credit": Decimal("0.5")}
    for drawn, facts in (
        ([], "0 messages, 0 credits billed"),
        ([unpriced], "1 message, 1 credit billed"),
        ([unpriced, priced], "2 messages, 2 credits billed, €0.50 and 1 credit without a price"),
    ):
        made = monthly_statement(messages(*drawn), CAMPAIGNS, MONTH)
        assert repr(made) == f"<Statement of 2027-03 (UTC): {facts}>"


@pytest.mark.parametrize("function", [counts, worth, lambda frame: cost_by(frame, "country")])
def test_prices_that_were_floats_are_refused(function: Callable[[pd.DataFrame], Any]) -> None:
    """As `read_csv` makes them of a file that `to_csv` wrote."""
    written = messages(DELIVERED, {**DELIVERED, "price_per_credit": None}).to_csv(index=False)
    with pytest.raises(FrameError, match="floats"):
        function(pd.read_csv(io.StringIO(written)))
    without = messages({**DELIVERED, "price_per_credit": None}).to_csv(index=False)
    function(pd.read_csv(io.StringIO(without)))
