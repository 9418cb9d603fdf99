"""COUNTS against a recount in plain Python that knows nothing of frames."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, campaigns, messages
from each import each
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
from dashboard.reports.measures.counting import KEYS, counts
from dashboard.reports.measures.course import course
from dashboard.reports.measures.money import bill_missing, estimated, worth
from dashboard.reports.measures.standing import (
    delivered_share,
    delivered_share_at_most,
    finals,
    standing,
    standings,
)

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
    body=st.sampled_from(["Hi Ann", "ł" * 71, "https://example.com/" + "p" * 40]),
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
def test_every_word_means_what_it_says_in_messages_and_in_their_counts(frame: pd.DataFrame) -> None:
    each, counted = plain(frame), counts(frame, campaigns=CAMPAIGNS, now=NOW)
    check_counts(frame, counted)
    stand = standing(counted)
    check_standing(each, stand)
    assert stand == standing(frame, now=NOW)
    groups = standings(frame, ["campaign", "country"], now=NOW)
    assert {name: int(groups[name].sum()) for name in stand} == stand
    check_money(each, counted)
    check_bills(each, frame, counted)
    if not stand["accepted"]:
        assert pd.isna(delivered_share(stand))
    else:
        assert delivered_share(stand) == stand["delivered"] / stand["accepted"]
        at_most = (stand["accepted"] - stand["failed"]) / stand["accepted"]
        assert delivered_share_at_most(stand) == pytest.approx(at_most)
        assert delivered_share(standings(frame, now=NOW)).tolist() == [delivered_share(stand)]
    check_course(each, frame, stand)
    check_totals(frame)


def check_counts(frame: pd.DataFrame, counted: pd.DataFrame) -> None:
    """They add up to the messages, and no key comes twice."""
    assert len({tuple(row[key] for key in KEYS) for row in plain(counted)}) == len(counted)
    assert (counted["messages"] > 0).all()
    assert counted["messages"].sum() == len(frame)
    for name in ("credits_low", "credits_high", "credits_billed"):
        assert counted[name].sum() == frame[name].sum()
    for key in ("campaign", "country", "variant", "state", "price_per_credit"):
        found: Counter[Any] = Counter()
        for row in plain(counted):
            found[row[key]] += row["messages"]
        assert found == Counter(row[key] for row in plain(frame)), key


def check_standing(each: list[dict[str, Any]], stand: Mapping[str, int]) -> None:
    taken = [row for row in each if row["state"] == "accepted"]
    delivered = [row for row in taken if row["delivered_at"]]
    failed = [row for row in taken if row["failure_reason"] and not row["delivered_at"]]
    gone = [row for row in taken if row["sent_at"] or row["delivered_at"] or row["failure_reason"]]
    state = Counter(row["state"] for row in each)
    assert {name: stand[name] for name in MESSAGE_STATES} == {name: state[name] for name in MESSAGE_STATES}
    assert stand["approved"] == len(each)
    assert stand["handed_over"] == len(taken) + state["rejected"] + state["unknown"] + state["abandoned"]
    assert (stand["delivered"], stand["failed"], stand["sent"]) == (len(delivered), len(failed), len(gone))
    assert stand["open"] == len(taken) - len(delivered) - len(failed)
    assert stand["not_sent_yet"] == state["ready"] + state["sending"]
    later = [row for row in taken if row["scheduled_at"] and row["scheduled_at"] > NOW]
    assert stand["waiting"] == len(later)


def check_money(each: list[dict[str, Any]], counted: pd.DataFrame) -> None:
    """Exact by currency; what has no price stands beside it."""
    found, wanted, without = worth(counted), defaultdict[str, Fraction](Fraction), 0
    for row in each:
        currency, billed = CURRENCIES[row["campaign"]], int(row["credits_billed"] or 0)
        if row["price_per_credit"] is None:
            without += billed
        else:
            wanted[currency] += billed * Fraction(row["price_per_credit"])
    assert {currency: Fraction(amount) for currency, amount in found.amounts.items()} == wanted
    assert found.without_price == without


def check_bills(each: list[dict[str, Any]], frame: pd.DataFrame, counted: pd.DataFrame) -> None:
    """A missing bill counts with its highest estimate, which is of who was not left out later."""
    handed = [row for row in each if row["state"] in {"accepted", "unknown", "abandoned"}]
    open_ = [row for row in handed if row["credits_billed"] is None]
    kept = [row for row in each if row["state"] != "dropped"]
    missing, of = bill_missing(counted), estimated(counted)
    assert missing.messages == len(open_)
    assert missing.credits_high == sum(row["credits_high"] for row in open_)
    assert missing.credits_low == sum(row["credits_low"] for row in open_)
    assert [int(of[name].sum()) for name in ("messages", "credits_low", "credits_high")] == [
        len(kept),
        sum(row["credits_low"] for row in kept),
        sum(row["credits_high"] for row in kept),
    ]


def check_course(each: list[dict[str, Any]], frame: pd.DataFrame, stand: Mapping[str, int]) -> None:
    """It ends at the present counts."""
    found = course(frame).groupby("event")["messages"].sum()
    timeless = [row for row in each if row["failure_reason"] and not row["sent_at"]]
    timeless = [row for row in timeless if row["state"] == "accepted" and not row["delivered_at"]]
    assert found.get("delivered", 0) == stand["delivered"]
    assert found.get("failed", 0) == stand["failed"] - len(timeless)
    assert found.get("sent", 0) == stand["sent"] - len(timeless)


def check_totals(frame: pd.DataFrame) -> None:
    """Tables that tell of all messages add up to the same."""
    summary, bill = campaign_summary(frame), reconcile(frame)
    kept = frame[frame["state"] != "dropped"]
    assert (summary["messages"].sum(), bill["messages"].sum()) == (len(frame), len(kept))
    for column in ("credits_low", "credits_high", "credits_billed"):
        assert summary[column].sum() == frame[column].sum()
        assert bill[column].sum() == kept[column].sum()
    assert breakdown(frame, "line_type")["messages"].sum() == len(frame)
    lost = summary.set_index("stage").loc[["failed", "rejected"], "messages"].sum()
    assert failure_reasons(frame)["messages"].sum() == lost


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


@settings(max_examples=draws(30, 3))
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


@each(
    "rows, final",
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
    rows: list[dict[str, Any]], final: bool
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
