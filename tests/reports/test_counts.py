"""COUNTS against a recount in plain Python that knows nothing of frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, campaigns, messages
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from tiers import draws

from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.reports import (
    breakdown,
    campaign_summary,
    delivered_by_hour,
    delivery_rates,
    failure_reasons,
    funnel_steps,
    monthly_statement,
    reconcile,
)
from dashboard.reports.measures.causes import Cause
from dashboard.reports.measures.counting import KEYS, SUMS, counts
from dashboard.reports.measures.course import course
from dashboard.reports.measures.money import bill_missing, estimated, used_credits, worth
from dashboard.reports.measures.stages import STATE_DTYPE
from dashboard.reports.measures.standing import (
    delivered_share,
    delivered_share_at_most,
    finals,
    standing,
    standings,
)
from dashboard.reports.measures.words import STANDING
from dashboard.reports.schema import SCHEMAS

CURRENCIES = {"c1": "EUR", "c2": "USD"}
CAMPAIGNS = campaigns(*({"campaign": name, "currency": currency} for name, currency in CURRENCIES.items()))
NEWS: tuple[dict[str, Any], ...] = ({}, SENT, DELIVERED, FAILED, {"failure_reason": "x" * 300})
NEWS += ({"scheduled_at": at("12:07")}, {"scheduled_at": at("11:59")}, {"scheduled_at": at("13:00")})
rows = st.builds(
    lambda news, low, extra, **drawn: {
        **drawn,
        **(news if drawn["state"] == "accepted" else {}),
        "credits_low": low,
        "credits_high": low + extra,
    },
    st.sampled_from(NEWS),
    st.integers(1, 3),
    st.integers(0, 1),
    state=st.sampled_from(MESSAGE_STATES),
    campaign=st.sampled_from(list(CURRENCIES)),
    country=st.sampled_from(["GB", None]),
    variant=st.sampled_from(["A", "B", None]),
    credits_billed=st.none() | st.integers(1, 4),
    price_per_credit=st.sampled_from([None, Decimal("0.045"), Decimal("0.0450"), Decimal("1e-6")]),
    handed_over_at=st.sampled_from([None, at("10:07"), at("10:14"), at("10:15")]),
)
frames = st.lists(rows, max_size=14).map(lambda drawn: messages(*drawn))
few = settings(max_examples=draws(30))


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype("object").to_dict("records")
    ]


@few
@given(frames)
def test_counts_add_up_to_the_messages_and_no_key_comes_twice(frame: pd.DataFrame) -> None:
    counted = counts(frame, campaigns=CAMPAIGNS, now=NOW)
    assert len({tuple(row[key] for key in KEYS) for row in plain(counted)}) == len(counted)
    assert (counted["messages"] > 0).all()
    assert counted["messages"].sum() == len(frame)
    for name in ("credits_low", "credits_high", "credits_billed"):
        assert counted[name].sum() == frame[name].sum()
    for key in ("campaign", "country", "variant", "state", "price_per_credit"):
        each: Counter[Any] = Counter()
        for row in plain(counted):
            each[row[key]] += row["messages"]
        assert each == Counter(row[key] for row in plain(frame)), key


@pytest.mark.parametrize("frame", [messages(DELIVERED, FAILED, {"price_per_credit": None}), messages()])
@pytest.mark.parametrize("listed", [CAMPAIGNS, None])
def test_columns_are_as_declared(frame: pd.DataFrame, listed: pd.DataFrame | None) -> None:
    for name, made in (
        ("counts(...)", counts(frame, campaigns=listed)),
        ("course(...)", course(frame, campaigns=listed)),
        ("standings(...)", standings(frame)[list(STANDING)]),
    ):
        assert {str(c): str(t) for c, t in made.dtypes.items()} == {c.name: c.dtype for c in SCHEMAS[name]}


def test_the_states_are_the_ledgers() -> None:
    assert list(STATE_DTYPE.categories) == list(MESSAGE_STATES)


@few
@given(frames)
def test_every_word_means_what_it_says(frame: pd.DataFrame) -> None:
    each = plain(frame)
    taken = [row for row in each if row["state"] == "accepted"]
    delivered = [row for row in taken if row["delivered_at"]]
    failed = [row for row in taken if row["failure_reason"] and not row["delivered_at"]]
    gone = [row for row in taken if row["sent_at"] or row["delivered_at"] or row["failure_reason"]]
    state = Counter(row["state"] for row in each)
    stand = standing(counts(frame, now=NOW))
    assert stand == standing(frame, now=NOW)
    assert {name: stand[name] for name in MESSAGE_STATES} == {name: state[name] for name in MESSAGE_STATES}
    assert stand["approved"] == len(each)
    assert stand["handed_over"] == len(taken) + state["rejected"] + state["unknown"] + state["abandoned"]
    assert (stand["delivered"], stand["failed"], stand["sent"]) == (len(delivered), len(failed), len(gone))
    assert stand["open"] == len(taken) - len(delivered) - len(failed)
    assert stand["not_sent_yet"] == state["ready"] + state["sending"]
    quarter_later = at("12:00")
    later = [row for row in taken if row["scheduled_at"] and row["scheduled_at"] > quarter_later]
    assert stand["waiting"] == len(later)


@few
@given(frames)
def test_groups_add_up_to_the_whole(frame: pd.DataFrame) -> None:
    whole, groups = standing(frame, now=NOW), standings(frame, ["campaign", "country"], now=NOW)
    assert {name: int(groups[name].sum()) for name in whole} == whole


@few
@given(frames)
def test_money_is_exact_by_currency_and_what_has_no_price_stands_beside_it(frame: pd.DataFrame) -> None:
    found = worth(counts(frame, campaigns=CAMPAIGNS))
    wanted: dict[str, Fraction] = {}
    without = 0
    for row in plain(frame):
        currency, billed = CURRENCIES[row["campaign"]], int(row["credits_billed"] or 0)
        if row["price_per_credit"] is None:
            without += billed
        else:
            price = Fraction(row["price_per_credit"])
            wanted[currency] = wanted.get(currency, Fraction()) + billed * price
    assert {currency: Fraction(amount) for currency, amount in found.amounts.items()} == wanted
    assert found.without_price == without


@few
@given(frames)
def test_a_missing_bill_is_missing_and_counts_with_its_highest_estimate(frame: pd.DataFrame) -> None:
    each = plain(frame)
    open_ = [
        row
        for row in each
        if row["state"] in {"accepted", "unknown", "abandoned"} and row["credits_billed"] is None
    ]
    missing = bill_missing(counts(frame))
    assert missing.messages == len(open_)
    assert missing.credits_high == sum(row["credits_high"] for row in open_)
    assert missing.credits_low == sum(row["credits_low"] for row in open_)
    billed = sum(row["credits_billed"] or 0 for row in each)
    assert used_credits(frame) == billed + missing.credits_high


@few
@given(frames)
def test_the_estimate_is_of_who_was_not_left_out_later(frame: pd.DataFrame) -> None:
    kept = [row for row in plain(frame) if row["state"] != "dropped"]
    of = estimated(counts(frame))
    assert [int(of[name].sum()) for name in ("messages", "credits_low", "credits_high")] == [
        len(kept),
        sum(row["credits_low"] for row in kept),
        sum(row["credits_high"] for row in kept),
    ]


@few
@given(frames)
def test_a_share_ends_within_its_range(frame: pd.DataFrame) -> None:
    stand = standing(frame)
    if not stand["accepted"]:
        assert pd.isna(delivered_share(stand))
        return
    assert delivered_share(stand) == stand["delivered"] / stand["accepted"]
    at_most = (stand["accepted"] - stand["failed"]) / stand["accepted"]
    assert delivered_share_at_most(stand) == pytest.approx(at_most)
    table = standings(frame)
    assert delivered_share(table).tolist() == [delivered_share(stand)]


TABLES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "campaign_summary": campaign_summary,
    "failure_reasons": lambda frame: failure_reasons(frame).set_index(["stage", "reason"]).sort_index(),
    "breakdown": lambda frame: breakdown(frame, "country"),
    "funnel_steps": funnel_steps,
    "reconcile": reconcile,
    "reconcile by country": lambda frame: reconcile(frame, by="country"),
    "delivery_rates": lambda frame: delivery_rates(frame, "variant"),
    "delivered_by_hour": lambda frame: delivered_by_hour(frame, tz="Asia/Kathmandu"),
    "statement": lambda frame: monthly_statement(frame, CAMPAIGNS, "2027-03").by_campaign,
    "standings": lambda frame: standings(frame, ["country"]),
}


KEPT = ("reconcile by country", "delivery_rates")
"""Tables that keep the dtype of what they are broken down by: a category in messages, a text in counts."""


@few
@given(frames)
def test_every_table_is_the_same_from_messages_and_from_counts(frame: pd.DataFrame) -> None:
    short = frame.assign(failure_reason=frame["failure_reason"].astype("str").str.slice(stop=200))
    counted = counts(short, campaigns=CAMPAIGNS)
    for name, table in TABLES.items():
        assert_frame_equal(
            table(counted), table(short), obj=name, check_dtype=name not in KEPT, check_categorical=False
        )


def test_what_never_left_has_no_time_of_handing_over() -> None:
    states = ["ready", "cancelled", "dropped", "sending", "rejected", "unknown"]
    frame = messages(*({"state": state, "handed_over_at": at("10:14")} for state in states))
    counted = counts(frame).set_index("state")["handed_over_at"]
    assert counted[["ready", "cancelled", "dropped"]].isna().all()
    assert (counted[["sending", "rejected", "unknown"]] == at("10:00")).all()


@pytest.mark.parametrize(
    ("rows", "final"),
    [
        ([DELIVERED, FAILED], True),
        ([DELIVERED, {"state": "unknown"}], True),
        ([DELIVERED, SENT], False),
        ([DELIVERED, {"state": "ready"}], False),
        ([{**SENT, "handed_over_at": NOW - pd.Timedelta("72h")}], False),
        ([{**SENT, "handed_over_at": NOW - pd.Timedelta("72h 15min")}], True),
        *(
            ([{**row, "handed_over_at": NOW - pd.Timedelta("90h")}, {"state": state}], False)
            for row in (SENT, DELIVERED)
            for state in ("ready", "sending")
        ),
        ([{"state": "ready", "handed_over_at": None}], False),
        ([{"state": "dropped", "handed_over_at": None}], True),
        ([{"scheduled_at": at("12:00", day=9), "handed_over_at": NOW - pd.Timedelta("90h")}], False),
    ],
)
def test_a_group_is_final_without_open_messages_or_without_news(
    rows: list[dict[str, Any]], *, final: bool
) -> None:
    assert finals(messages(*rows), now=NOW) == [final]
    assert finals(messages(*rows), ["campaign"], now=NOW) == [final]


def test_a_kept_cause_outlives_the_text() -> None:
    link = {"credits_billed": 3, "body": "https://example.com"}
    forgotten = messages({**link, "body": ""}).assign(cause=Cause.SHORT_LINK.value)
    assert counts(messages(link))["cause"].tolist() == [Cause.SHORT_LINK]
    assert counts(forgotten)["cause"].tolist() == [Cause.SHORT_LINK]


def test_the_course_is_counted_by_spans_that_grow() -> None:
    listed = campaigns({"started_at": at("10:00:03")})
    offsets = {"10:00:05": "10:00:00", "10:59:59": "10:59:50", "11:00:17": "11:00:00", "23:59:59": "23:59:00"}
    frame = messages(*({"sent_at": at(clock)} for clock in offsets), {"sent_at": at("10:00:07", day=2)})
    found = course(frame, campaigns=listed)
    assert found["at"].tolist() == [*map(at, offsets.values()), at("10:00", day=2)]


@few
@given(frames)
def test_the_course_ends_at_the_present_counts(frame: pd.DataFrame) -> None:
    stand, found = standing(frame), course(frame).groupby("event")["messages"].sum()
    assert found.get("delivered", 0) == stand["delivered"]
    timeless = [row for row in plain(frame) if row["failure_reason"] and not row["sent_at"]]
    timeless = [row for row in timeless if row["state"] == "accepted" and not row["delivered_at"]]
    assert found.get("failed", 0) == stand["failed"] - len(timeless)
    assert found.get("sent", 0) == stand["sent"] - len(timeless)


def test_what_is_counted_is_what_is_declared() -> None:
    assert set(SUMS) < {column.name for column in SCHEMAS["counts(...)"]}
