"""The month's statement: its totals agree three ways, whatever happened, and what is missing is said."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, campaigns, messages
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from tiers import draws

from dashboard.errors import DashboardError
from dashboard.reports import Cause, bills, month_bounds, monthly_statement, reconcile, write_statement
from dashboard.reports.schema import SCHEMAS
from dashboard.reports.tables.money.statement import SUMS

MONTH = "2027-03"
CAMPAIGNS = campaigns({"sender": "Shop"}, {"campaign": "c2", "name": "Summer"})
SUMMER = {"campaign": "c2", "price_per_credit": Decimal("0.07")}
FRAME = messages(
    {**DELIVERED, "country": "DE"},
    {**FAILED, **SUMMER},
    {**SUMMER, "credits_high": 2},
    {"state": "unknown"},
    {**DELIVERED, "handed_over_at": pd.Timestamp("2027-04-01", tz="UTC")},
)


def test_a_month_is_that_of_handing_over_and_what_is_missing_stands_apart() -> None:
    made = monthly_statement(FRAME, CAMPAIGNS, MONTH).by_campaign.set_index("campaign")
    assert made["messages"].to_dict() == {"c1": 2, "c2": 2}
    assert made["sender"].to_dict() == {"c1": "Shop", "c2": "the account's default"}
    assert made["messages_not_billed"].to_dict() == {"c1": 1, "c2": 1}
    assert made.loc["c2", ["open_low", "open_high", "credits_billed"]].tolist() == [1, 2, 1]
    assert made["cost_billed"].to_dict() == {"c1": Decimal("0.05"), "c2": Decimal("0.07")}


def test_a_month_is_one_of_the_time_zone() -> None:
    late = messages({**DELIVERED, "handed_over_at": pd.Timestamp("2027-03-31 22:30", tz="UTC")})
    for tz, found in (("UTC", 1), ("Europe/Berlin", 0)):
        made = monthly_statement(late, CAMPAIGNS, MONTH, tz=tz)
        assert (made.totals["messages"].sum(), made.time_zone) == (found, tz)
    assert month_bounds(MONTH, tz="Asia/Kathmandu")[0] == datetime(2027, 2, 28, 18, 15, tzinfo=UTC)


def test_what_was_given_up_may_be_billed_still() -> None:
    made = monthly_statement(messages({"state": "abandoned", "credits_high": 2}), CAMPAIGNS, MONTH)
    assert made.totals[["messages_not_billed", "open_low", "open_high"]].to_numpy().tolist() == [[1, 1, 2]]


def test_what_has_no_price_is_in_no_cost_and_stands_beside_it() -> None:
    unpriced = messages({**DELIVERED, "price_per_credit": None}, {**DELIVERED, **SUMMER})
    made = monthly_statement(unpriced, campaigns({}, {"campaign": "c2"}), MONTH)
    assert made.by_campaign["cost_billed"].isna().tolist() == [True, False]
    assert made.by_sender["cost_billed"].tolist() == [Decimal("0.07")]
    assert made.by_sender["credits_without_price"].tolist() == [1]


def test_countries_at_prices_of_their_own_are_added_up_exactly() -> None:
    listed = messages(DELIVERED, {**DELIVERED, "country": "DE", "price_per_credit": Decimal("0.079")})
    made = monthly_statement(listed, CAMPAIGNS, MONTH)
    assert made.by_campaign["cost_billed"].tolist() == [Decimal("0.129")]
    assert made.by_country["cost_billed"].tolist() == [Decimal("0.079"), Decimal("0.05")]


@pytest.mark.parametrize("frame", [FRAME, messages()], ids=["some", "none"])
def test_columns_of_the_statement_are_as_declared(frame: pd.DataFrame) -> None:
    made = monthly_statement(frame, CAMPAIGNS, MONTH)
    shown = {
        f"Statement.{name}": getattr(made, name)
        for name in ("by_campaign", "by_country", "by_sender", "totals")
    }
    for name, table in {**shown, "bills(...)": bills(frame)}.items():
        assert {str(c): str(t) for c, t in table.dtypes.items()} == {c.name: c.dtype for c in SCHEMAS[name]}


@pytest.mark.parametrize(
    ("month", "ends"),
    [("2026-11", ((2026, 11), (2026, 12))), ("2026-12", ((2026, 12), (2027, 1)))],
)
def test_a_month_ends_where_the_next_begins(month: str, ends: tuple[tuple[int, int], ...]) -> None:
    assert month_bounds(month) == tuple(datetime(*end, 1, tzinfo=UTC) for end in ends)


@pytest.mark.parametrize(
    "month", ["2026", "2026-13", "\uff12\uff10\uff12\uff16-11", "2026-1", "0000-01", "9999-12", "november"]
)
def test_what_is_no_month_is_refused(month: str) -> None:
    with pytest.raises(DashboardError, match="2026-11"):
        month_bounds(month)


def test_the_workbook_holds_numbers_totals_and_no_formula() -> None:
    target = io.BytesIO()
    named = campaigns({"name": "=1+1"}, {"campaign": "c2"})
    write_statement(monthly_statement(FRAME, named, MONTH), target)
    book = load_workbook(target)
    assert book.sheetnames == ["By campaign", "By country", "By sender", "Causes"]
    rows = list(book["By campaign"].iter_rows(values_only=True))
    place = rows[0].index("Messages")
    assert [row[place] for row in rows[1:]] == [2, 2, 4]
    assert book["By campaign"]["B2"].data_type == "s"
    assert rows[-1][0] == "Total"


drawn_rows = st.builds(
    lambda state, campaign, country, low, extra, billed, happened: {
        **happened,
        "state": state,
        "campaign": campaign,
        "country": country,
        "credits_low": low,
        "credits_high": low + extra,
        "credits_billed": billed,
    },
    st.sampled_from(["ready", "sending", "accepted", "rejected", "unknown", "dropped", "abandoned"]),
    st.sampled_from(["c1", "c2"]),
    st.sampled_from(["GB", "DE", None]),
    st.integers(1, 4),
    st.integers(0, 1),
    st.none() | st.integers(1, 6),
    st.sampled_from([{}, DELIVERED, FAILED]),
)


@settings(max_examples=draws(30))  # a statement costs as much of forty messages as of one
@given(st.lists(drawn_rows, max_size=40))
def test_all_totals_agree(drawn: list[dict[str, object]]) -> None:
    frame = messages(*drawn)
    made = monthly_statement(frame, CAMPAIGNS, MONTH)
    tables = (made.by_campaign, made.by_country, made.by_sender)
    for name in SUMS:
        assert len({int(table[name].sum()) for table in tables}) == 1, name
    assert len({sum(table["cost_billed"].dropna(), Decimal(0)) for table in tables}) == 1
    frame = frame[frame["state"].isin(["accepted", "rejected", "unknown", "abandoned"])]
    whole, each = tables[0][list(SUMS)].sum(), bills(frame)
    assert whole["messages"] == made.causes["messages"].sum() == len(frame)
    for name in ("credits_low", "credits_high", "credits_billed", "difference"):
        assert whole[name] == made.causes[name].sum() == each[name].sum(), name
    missing = reconcile(frame).set_index("cause")["messages"]
    assert whole["messages_not_billed"] == missing[Cause.NOT_IN_ANSWER] + missing[Cause.UNKNOWN]
    by_campaign = reconcile(frame, by="campaign").groupby("campaign")["credits_billed"].sum()
    assert by_campaign.to_dict() == made.by_campaign.set_index("campaign")["credits_billed"].to_dict()
