"""Sums, comparisons and attention over campaigns, and the tables of one campaign."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from app_seeds import sent_campaign, started_campaign, unknown_campaign, waiting_campaign
from page_reading import words
from streamlit.testing.v1 import AppTest

from dashboard.app.followup.unknown_table import of_rows, of_total
from dashboard.app.phrasing.change import in_points, relative
from dashboard.app.runtime import Runtime
from dashboard.app.standing.attention import concerns
from dashboard.app.standing.campaign_search import find_campaigns
from dashboard.app.standing.costs import billed_words, estimate_words
from dashboard.app.standing.period import period
from dashboard.app.standing.recipient_table import digits_of, recipient_table
from dashboard.app.standing.stages import HEAPS, heaps
from dashboard.formatting import bill_words
from dashboard.jobs.outcome import outcome_of
from dashboard.ledger import Campaign, Ledger
from dashboard.reports import better_text, charts, delivery_rates, figures
from dashboard.reports.measures.stages import start_of_quarter

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def ledger(wired: Runtime) -> Ledger:
    return wired.ledger


def test_a_period_counts_messages_by_the_day_they_were_handed_over(ledger: Ledger) -> None:
    sent_campaign(ledger, delivered=8, failed=1, on_the_way=1)
    now, found = datetime.now(UTC), ledger.counts()
    this_week = period(found, days=7, now=now, zone=BERLIN)
    stand = this_week.now.standing
    assert [stand[name] for name in ("accepted", "delivered", "failed", "open")] == [10, 8, 1, 1]
    assert (this_week.now.delivered_share, this_week.now.delivered_share_at_most) == (0.8, 0.9)
    silent = period(found, days=7, now=now + timedelta(days=4), zone=BERLIN).now
    assert (silent.standing["open"], silent.delivered_share_at_most) == (1, None)  # no news is awaited
    assert this_week.now.one_amount == ("EUR", Decimal("0.450"))
    assert this_week.before.standing["approved"] == 0
    assert this_week.daily["accepted"].tolist() == [0] * 6 + [10]
    next_week = period(found, days=7, now=now + timedelta(days=7), zone=BERLIN)
    assert (next_week.now.standing["accepted"], next_week.before.standing["accepted"]) == (0, 10)


def test_a_day_is_that_of_the_reporting_time_zone(ledger: Ledger) -> None:
    sent_campaign(ledger)
    found = ledger.counts()
    late = found.assign(handed_over_at=pd.Timestamp("2026-11-20T23:30Z"))
    days = {
        zone: period(late, days=2, now=datetime(2026, 11, 21, 12, tzinfo=UTC), zone=ZoneInfo(zone)).daily
        for zone in ("UTC", "Europe/Berlin")
    }
    assert days["UTC"]["accepted"].tolist() == [10, 0]
    assert days["Europe/Berlin"]["accepted"].tolist() == [0, 10]


def test_what_no_single_amount_says_is_named_beside_it(ledger: Ledger) -> None:
    """Two currencies and credits without a price: no campaign's bill is left out, none is converted."""
    sent_campaign(ledger)
    one = ledger.counts().iloc[:1]
    known = {"price_per_credit": Decimal("0.05"), "currency": "EUR", "credits_billed": 3}
    others = (
        known,
        {**known, "currency": "USD"},
        {**known, "price_per_credit": None, "credits_billed": 1951},
    )
    mixed = pd.concat([one.assign(**other) for other in others], ignore_index=True)
    now = period(mixed, days=7, now=datetime.now(UTC), zone=BERLIN).now
    assert now.one_amount is None
    said = bill_words(now.money.amounts, now.money.without_price)
    assert said == "€0.15, $0.15, and 1,951 credits without a price"
    alone = period(mixed.iloc[:1], days=7, now=datetime.now(UTC), zone=BERLIN).now
    assert alone.one_amount == ("EUR", Decimal("0.15"))


@pytest.mark.parametrize(
    ("amounts", "without", "words"),
    [
        ({"EUR": Decimal("782.55")}, 1951, "€782.55 and 1,951 credits without a price"),
        ({"EUR": Decimal("0.125")}, 0, "€0.13"),
        ({"EUR": Decimal("1e30") + Decimal("0.005")}, 0, "€1" + ",000" * 10 + ".00"),
        ({"JPY": Decimal("1250.5")}, 1, "¥1,251 and 1 credit without a price"),
        ({"EUR": None}, 7, "7 credits"),
        ({}, 0, "0 credits"),
    ],
)
def test_a_bill_in_words(amounts: dict[str, Decimal | None], without: int, words: str) -> None:
    assert bill_words(amounts, without) == words


def test_without_campaigns_every_figure_is_nothing(ledger: Ledger) -> None:
    shown = period(ledger.counts(), days=30, now=datetime.now(UTC), zone=BERLIN)
    assert (shown.now.standing["sent"], shown.now.delivered_share, shown.now.one_amount) == (0, None, None)
    assert len(shown.daily) == 30


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        (112, 100, "12%"),
        (969, 1000, "-3.1%"),
        (100, 100, 0),
        (5, 0, None),
        (None, 5, None),
        (Decimal(2), Decimal(1), "100%"),
    ],
)
def test_a_change_is_said_in_percent(now: float, before: float, words: str | int | None) -> None:
    assert relative(now, before) == words


def test_a_change_of_a_share_is_said_in_points() -> None:
    assert in_points(0.951, 0.957) == "-0.6 points"
    assert in_points(0.9, 0.9) == 0
    assert in_points(None, 0.9) is None


def test_unknown_messages_come_before_failures(ledger: Ledger) -> None:
    sent_campaign(ledger, "Bad numbers", delivered=10, failed=15)
    sent_campaign(ledger, "Fine", delivered=99, failed=1)
    unknown_campaign(ledger)
    ledger.pause(started_campaign(ledger, "Wrong key", 2), "The service does not accept the API key.")
    ledger.pause(started_campaign(ledger, "Lunch", 2), "Paused by ann@example.com.")
    stuck = waiting_campaign(ledger, "The service was not reached.")
    waiting = {stuck: ["The service was not reached."]}
    found = concerns(ledger.campaigns(), now=datetime.now(UTC), waiting=waiting)
    assert [(one.name, one.sentence) for one in found] == [
        ("Spring sale", "3 messages may or may not have been sent. Decide what to do."),
        ("Wrong key", "Paused: The service does not accept the API key."),
        ("Spring sale", "Waiting: The service was not reached. It will be retried automatically."),
        ("Bad numbers", "57.7% of the accepted messages failed."),
    ]


def test_a_campaign_over_for_a_week_is_left_in_peace(ledger: Ledger) -> None:
    campaign = sent_campaign(ledger, delivered=10, failed=15)
    now = datetime.now(UTC)
    over = ledger.campaigns().assign(finished_at=pd.to_datetime([now - timedelta(days=8)], utc=True))
    assert concerns(over, now=now, waiting={}) == []
    assert [one.campaign for one in concerns(over, now=now - timedelta(days=2), waiting={})] == [campaign]


def test_the_heaps_of_a_campaign_add_up_to_its_messages(ledger: Ledger) -> None:
    campaigns = Campaign.of_rows(ledger.campaigns())
    for campaign in campaigns:
        assert sum(heaps(campaign).values()) == campaign.recipients
    sent = ledger.campaign(sent_campaign(ledger, delivered=8, failed=1, on_the_way=1))
    assert heaps(sent) == dict.fromkeys(HEAPS, 0) | {"delivered": 8, "failed": 1, "on_the_way": 1}


def test_campaigns_are_found_whatever_the_case(ledger: Ledger) -> None:
    sent_campaign(ledger, "Spring (sale)")
    sent_campaign(ledger, "Autumn")
    listed = ledger.campaigns()
    assert find_campaigns(listed, "spring (SALE", ())["name"].tolist() == ["Spring (sale)"]
    assert find_campaigns(listed, "", ("done",)).empty
    assert find_campaigns(listed, " ", ())["name"].tolist() == ["Autumn", "Spring (sale)"]


def test_costs_are_in_money_with_a_price_and_in_credits_without(ledger: Ledger) -> None:
    campaign = ledger.campaign(sent_campaign(ledger))
    assert (estimate_words(campaign), billed_words(campaign)) == ("€0.45", "€0.45")
    frame = ledger.campaigns().assign(cost_low=None, cost_high=None, cost_billed=None)
    without = Campaign.of_rows(frame)[0]
    assert (estimate_words(without), billed_words(without)) == ("10 credits", "10 credits")


def test_time_alone_makes_a_text_final(ledger: Ledger) -> None:
    campaign = sent_campaign(ledger, delivered=8, failed=1, on_the_way=1)
    found, course = ledger.counts(campaign).assign(variant="A"), ledger.course(campaign)
    sent = start_of_quarter(datetime.now(UTC))
    for hours, final in ((1, False), (71, False), (73, True)):
        later = outcome_of(found, course, now=sent + timedelta(hours=hours))
        assert later.rates["final"].tolist() == [final]


def test_a_campaigns_outcome_is_plain_values(ledger: Ledger) -> None:
    campaign = sent_campaign(ledger, delivered=8, failed=1, on_the_way=1)
    found = outcome_of(ledger.counts(campaign), ledger.course(campaign))
    assert list(zip(found.funnel["label"], found.funnel["messages"], strict=True)) == [
        ("Handed to the service", 10),
        ("Accepted", 10),
        ("Sent", 10),
        ("Delivered", 8),
    ]
    assert charts.totals(found.reasons) == [("handset switched off", 1)]
    assert found.charged.credits_billed == 1
    assert charts.totals(found.countries) == [("United Kingdom", 10)]


def test_the_page_draws_the_numbers_of_the_figures(ledger: Ledger, open_page: Callable[..., AppTest]) -> None:
    campaign = sent_campaign(ledger, delivered=8, failed=3, on_the_way=1)
    said, messages = words(open_page("campaign", id=campaign)), ledger.messages(campaign)
    funnel = re.search(r'<div class="funnel">.*?</div></div>', said, re.DOTALL)
    steps = re.findall(r"<b>([0-9,]+)</b>", said[funnel.start() :])[:4] if funnel else []
    assert [int(step) for step in steps] == list(figures.funnel(messages).data[0].x)
    bars = re.findall(r'<span class="name">(.*?)</span>.*?<span class="end">(.*?)</span>', said)
    for make in (figures.failure_reasons, figures.by_country, figures.by_line_type):
        drawn: Counter[str] = Counter()
        for trace in make(messages).data:
            drawn.update(dict(zip(trace.y, map(int, trace.x), strict=True)))
        assert drawn
        assert {(label, str(number)) for label, number in drawn.items()} <= set(bars)


def test_no_text_is_named_while_messages_are_open_or_few() -> None:
    rates = pd.DataFrame(
        {"value": ["A", "B"], "messages": 29, "delivered": [29, 0], "share": [1.0, 0.0], "final": True}
    )
    assert better_text(rates) == "Too few to tell: each text needs 30 accepted messages."
    early = rates.assign(messages=1000, final=[True, False])
    assert better_text(early) == "Too early to tell: some messages have no outcome yet."


@pytest.mark.parametrize(
    ("delivered", "sentence"),
    [
        (
            (950, 800),
            "A gets through more often than B: by 12.2 to 17.9 percentage points (with 95 % confidence).",
        ),
        (
            (800, 950),
            "B gets through more often than A: by 12.2 to 17.9 percentage points (with 95 % confidence).",
        ),
        ((900, 900), "Too close to tell: the difference may be chance."),
        (
            (910, 890),
            "Too close to tell: the difference may be chance. If it is real, 5,062 more people would show it "
            "(with 80 % power).",
        ),
    ],
)
def test_the_better_text_is_named_only_where_it_is_one(delivered: tuple[int, int], sentence: str) -> None:
    fates = {"sent_at": pd.Timestamp("2026-11-20T09:00Z"), "state": "accepted"}
    rows = [
        {**fates, "variant": name, "delivered_at": fates["sent_at"] if place < got else None}
        | {"failure_reason": None if place < got else "expired", "scheduled_at": None}
        for name, got in zip("AB", delivered, strict=True)
        for place in range(1000)
    ]
    assert better_text(delivery_rates(pd.DataFrame(rows), "variant")) == sentence


def test_unknown_batches_come_with_what_is_at_risk(ledger: Ledger) -> None:
    campaign = unknown_campaign(ledger)
    every, chosen = of_total(ledger.unknown_total(campaign)), of_rows(ledger.unknown(campaign))
    assert (every.messages, every.money, every.currency) == (3, Decimal("0.135"), "EUR")
    assert every.risk() == chosen.risk() == "3 messages, €0.14 at risk"
    assert every.resend_from == chosen.resend_from


def test_a_row_of_several_lists_is_named_by_its_list(ledger: Ledger) -> None:
    messages = ledger.recipients(sent_campaign(ledger, delivered=1, failed=0, on_the_way=1))
    table = recipient_table(messages.assign(row=[12, 10_000_012]), now=datetime.now(UTC))
    assert table["Row"].tolist() == ["12 of list 1", "12 of list 2"]


def test_a_page_of_recipients_is_a_table_to_read(ledger: Ledger) -> None:
    campaign = sent_campaign(ledger, delivered=8, failed=1, on_the_way=1)
    table = recipient_table(
        ledger.recipients(campaign, digits=digits_of("07911 000-008")), now=datetime.now(UTC)
    )
    assert table[["Number", "Status", "Reason", "Country"]].to_dict("records") == [
        {
            "Number": "+447911000008",
            "Status": "Failed",
            "Reason": "handset switched off",
            "Country": "United Kingdom",
        }
    ]
