"""The month's statement: its totals agree, also with a recount in fractions; what is missing is said."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, campaigns, messages
from each import each
from fixtures_ledger import Clock, accepted, claim, messages_frame, running
from fixtures_sandbox import QUICK, SandboxPeer
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from sending.senders import send, sender
from tiers import draws

from dashboard.campaigns import Prices
from dashboard.errors import DashboardError, FrameError
from dashboard.ledger import Ledger
from dashboard.reports import (
    Cause,
    bills,
    cost_by,
    counts,
    month_bounds,
    monthly_statement,
    reconcile,
    worth,
    write_statement,
)
from dashboard.reports.tables.money.statement import SUMS

MONTH = "2027-03"
CAMPAIGNS = campaigns({"sender": "Shop"}, {"campaign": "c2", "name": "Summer"})
SUMMER = {"campaign": "c2", "price_per_credit": Decimal("0.07")}
FRAME = messages(
    {**DELIVERED, "country": "DE"},
    {**FAILED, **SUMMER},
    {**SUMMER, "credits_high": 2},
    {"state": "unknown"},
    {"state": "abandoned", "credits_high": 3},
    {**DELIVERED, "handed_over_at": pd.Timestamp("2027-04-01", tz="UTC")},
)


def test_a_month_is_that_of_handing_over_and_what_is_missing_stands_apart() -> None:
    made = monthly_statement(FRAME, CAMPAIGNS, MONTH).by_campaign.set_index("campaign")
    assert made["messages"].to_dict() == {"c1": 3, "c2": 2}
    assert made["sender"].to_dict() == {"c1": "Shop", "c2": "the account's default"}
    assert made["messages_not_billed"].to_dict() == {"c1": 2, "c2": 1}
    assert made[["open_low", "open_high", "credits_billed"]].to_numpy().tolist() == [[2, 4, 1], [1, 2, 1]]
    assert made["cost_billed"].to_dict() == {"c1": Decimal("0.05"), "c2": Decimal("0.07")}


def test_a_month_is_one_of_the_time_zone() -> None:
    late = messages({**DELIVERED, "handed_over_at": pd.Timestamp("2027-03-31 22:30", tz="UTC")})
    for tz, found in (("UTC", 1), ("Europe/Berlin", 0)):
        made = monthly_statement(late, CAMPAIGNS, MONTH, tz=tz)
        assert (made.totals["messages"].sum(), made.time_zone) == (found, tz)
    assert month_bounds(MONTH, tz="Asia/Kathmandu")[0] == datetime(2027, 2, 28, 18, 15, tzinfo=UTC)


@each("month, ends", [("2026-11", ((2026, 11), (2026, 12))), ("2026-12", ((2026, 12), (2027, 1)))])
def test_a_month_ends_where_the_next_begins(month: str, ends: tuple[tuple[int, int], ...]) -> None:
    assert month_bounds(month) == tuple(datetime(*end, 1, tzinfo=UTC) for end in ends)


@each(
    "month",
    ["2026", "2026-13", "\uff12\uff10\uff12\uff16-11", "2026-1", "0001-01", "9999-12", "november"],
)
def test_what_is_no_month_is_refused(month: str) -> None:
    with pytest.raises(DashboardError, match="2026-11"):
        month_bounds(month)


CURRENCIES = {"c1": "EUR", "c2": "EUR", "c3": "USD", "c4": "JPY"}
SEVERAL = campaigns(
    *({"campaign": name, "currency": currency, "sender": "Shop"} for name, currency in CURRENCIES.items())
)
BREAKDOWNS = ("by_campaign", "by_country", "by_sender")
prices = st.none() | st.sampled_from([Decimal("0"), Decimal("0.045"), Decimal("0.050"), Decimal("0.05")])
prices |= st.decimals(0, 10, places=6)
drawn_rows = st.builds(
    lambda happened, low, extra, **drawn: {
        **happened,
        **drawn,
        "credits_low": low,
        "credits_high": low + extra,
    },
    st.sampled_from([{}, DELIVERED, FAILED]),
    st.integers(1, 4),
    st.integers(0, 1),
    state=st.sampled_from(["ready", "sending", "accepted", "rejected", "unknown", "dropped", "abandoned"]),
    campaign=st.sampled_from([*CURRENCIES]),
    country=st.sampled_from(["GB", "DE", None]),
    price_per_credit=prices,
    credits_billed=st.none() | st.integers(0, 6) | st.integers(0, 10**6),
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


@settings(max_examples=draws(30))  # a statement costs as much of forty messages as of one
@given(st.lists(drawn_rows, max_size=40))
def test_all_totals_agree(drawn: list[dict[str, Any]]) -> None:
    handed = [one for one in drawn if one["state"] in {"accepted", "rejected", "unknown", "abandoned"}]
    made = monthly_statement(messages(*drawn), SEVERAL, MONTH)
    assert said(made.by_campaign, lambda row: row.campaign) == recount(handed, lambda one: one["campaign"])
    countries = recount(handed, lambda one: one["country"] or "not known")
    assert said(made.by_country, lambda row: row.country) == countries
    assert said(made.totals, lambda _: None) == recount(handed, lambda _: None)
    for name in BREAKDOWNS:
        assert added_up(getattr(made, name)) == added_up(made.totals), name
    for name in SUMS:
        assert len({int(getattr(made, table)[name].sum()) for table in (*BREAKDOWNS, "totals")}) == 1, name
    frame = messages(*handed)
    whole, each_bill = made.totals[list(SUMS)].sum(), bills(frame)
    assert whole["messages"] == made.causes["messages"].sum() == len(frame)
    for name in ("credits_low", "credits_high", "credits_billed", "difference"):
        assert whole[name] == made.causes[name].sum() == each_bill[name].sum(), name
    missing = reconcile(frame).set_index("cause")["messages"]
    assert whole["messages_not_billed"] == missing[Cause.NOT_IN_ANSWER] + missing[Cause.UNKNOWN]
    by_campaign = reconcile(frame, by="campaign").groupby("campaign")["credits_billed"].sum()
    assert by_campaign.to_dict() == made.by_campaign.set_index("campaign")["credits_billed"].to_dict()


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
    by_currency = listed.groupby(listed["currency"].astype("str"))
    assert by_currency["credits_without_price"].sum().to_dict() == totals["credits_without_price"].to_dict()
    summed = {currency: sum(amounts.dropna(), Decimal(0)) for currency, amounts in by_currency["cost_billed"]}
    assert summed == totals["cost_billed"].to_dict(), "the campaigns say the same"
    backwards = monthly_statement(everything.iloc[::-1], listed.iloc[::-1], "2026-11")
    for name in (*BREAKDOWNS, "totals"):
        pd.testing.assert_frame_equal(getattr(made, name), getattr(backwards, name))


def test_a_campaign_that_is_not_listed_is_named_and_not_left_out() -> None:
    frame = messages(DELIVERED, {**DELIVERED, "campaign": "gone"})
    made = monthly_statement(frame, SEVERAL, MONTH)
    assert made.by_campaign["messages"].sum() == 2
    assert made.totals.set_index("currency")["messages"].to_dict() == {"EUR": 1, "not known": 1}


def test_the_workbook_holds_numbers_totals_of_each_currency_and_no_formula() -> None:
    frame = messages(
        {**DELIVERED, "price_per_credit": None, "credits_billed": 7},
        {**DELIVERED, "price_per_credit": Decimal("0.045")},
        {**DELIVERED, "campaign": "c4", "price_per_credit": Decimal("1.5")},
        {"campaign": "c4"},
    )
    named = SEVERAL.assign(name=["=1+1", "x", "y", "z"])
    write_statement(monthly_statement(frame, named, MONTH), target := io.BytesIO())
    book = load_workbook(target)
    assert book.sheetnames == ["By campaign", "By country", "By sender", "Causes"]
    assert book["By campaign"]["B2"].data_type == "s"
    for name in book.sheetnames[:3]:
        heads, *rows = book[name].iter_rows(values_only=True)
        totals = {row[heads.index("Currency")]: row for row in rows if row[0] == "Total"}
        columns = [heads.index(column) for column in ("Messages", "Cost billed", "Credits without price")]
        found = {currency: [row[place] for place in columns] for currency, row in totals.items()}
        assert found == {"EUR": [2, 0.045, 7], "JPY": [2, 1.5, 0]}
        assert rows[-1][0] == "Total"
    heads, *rows = book["By campaign"].iter_rows()
    currency, cost = ([head.value for head in heads].index(name) for name in ("Currency", "Cost billed"))
    looks = {row[currency].value: row[cost].number_format for row in rows}
    assert looks == {"EUR": "#,##0.00", "JPY": "#,##0"}, "as many digits as the currency has"


AGAIN = (
    "10 messages with an unknown outcome were to be sent again, so the service may bill up to 20 credits "
    "more."
)


def test_what_was_sent_again_is_said_in_the_month_of_the_decision(
    ledger: Ledger, clock: Clock, emptied_sandbox: SandboxPeer
) -> None:
    """A service took a batch, answered with an error, and took it again: it bills both."""
    emptied_sandbox.settings(**QUICK)
    emptied_sandbox.faults({"kind": "error_after", "next": 1})
    clock.time = datetime(2026, 11, 30, 22, 58, tzinfo=UTC)
    campaign = running(ledger, messages_frame(10, "Taken twice"), price_per_credit="0.05")
    with emptied_sandbox.service() as service:
        sending = sender(ledger, service)
        send(sending, campaign)
        assert ledger.campaign(campaign).unknown == 10
        clock.advance(600)
        ledger.decide_all(campaign, "ready", "Ann", "not in their console")
        send(sending, campaign)
    books = emptied_sandbox.messages()
    ledger.record_reports(books)
    assert sum(one["credits_used"] for one in books) == 20
    assert ledger.campaign(campaign).credits_billed == 10
    for tz, month, again in (
        ("UTC", "2026-11", (10, 20)),
        ("UTC", "2026-12", (0, 0)),
        ("Europe/Berlin", "2026-11", (0, 0)),
        ("Europe/Berlin", "2026-12", (10, 20)),
    ):
        made = monthly_statement(
            ledger.messages(), ledger.campaigns(), month, tz=tz, decisions=ledger.decisions()
        )
        assert (made.messages_again, made.credits_again) == again
        write_statement(made, target := io.BytesIO())
        last = {sheet.cell(sheet.max_row, 1).value for sheet in load_workbook(target)}
        said = AGAIN if again[0] else ""
        assert (made.sent_again(), AGAIN in made._repr_html_()) == (said, bool(said))
        assert (last == {AGAIN}) == bool(said)


def test_what_was_decided_otherwise_is_billed_once_at_most() -> None:
    decided = {"at": pd.Timestamp("2027-03-05", tz="UTC"), "messages": 3, "credits_high": 4}
    words = ("accepted", "ready", "ready", "abandoned")
    decisions = pd.DataFrame([{**decided, "decision": word} for word in words])
    made = monthly_statement(FRAME, CAMPAIGNS, MONTH, decisions=decisions)
    assert (made.messages_again, made.credits_again) == (6, 8)
    assert monthly_statement(FRAME, CAMPAIGNS, MONTH).sent_again() == ""


def test_no_messages_and_no_campaigns_make_an_empty_statement() -> None:
    made = monthly_statement(messages(), campaigns(), MONTH)
    assert all(getattr(made, name).empty for name in (*BREAKDOWNS, "totals"))
    write_statement(made, io.BytesIO())


def test_a_statement_says_money_only_where_there_is_any() -> None:
    unpriced, priced = (
        {**DELIVERED, "price_per_credit": None},
        {**DELIVERED, "price_per_credit": Decimal("0.5")},
    )
    for drawn, facts in (
        ([], "0 messages, 0 credits billed"),
        ([unpriced], "1 message, 1 credit billed"),
        ([unpriced, priced], "2 messages, 2 credits billed, €0.50 and 1 credit without a price"),
    ):
        made = monthly_statement(messages(*drawn), CAMPAIGNS, MONTH)
        assert repr(made) == f"<Statement of 2027-03 (UTC): {facts}>"


@each("function", [counts, worth, lambda frame: cost_by(frame, "country")])
def test_prices_that_were_floats_are_refused(function: Callable[[pd.DataFrame], Any]) -> None:
    """As `read_csv` makes them of a file that `to_csv` wrote."""
    written = messages(DELIVERED, {**DELIVERED, "price_per_credit": None}).to_csv(index=False)
    with pytest.raises(FrameError, match="floats"):
        function(pd.read_csv(io.StringIO(written)))
    without = messages({**DELIVERED, "price_per_credit": None}).to_csv(index=False)
    function(pd.read_csv(io.StringIO(without)))
