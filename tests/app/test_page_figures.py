"""Sums, comparisons and attention over campaigns, and the tables of one campaign."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from app_seeds import sent_campaign, started_campaign, unknown_campaign, waiting_campaign
from each import each

from dashboard.app.followup.unknown_table import of_rows, of_total
from dashboard.app.phrasing.change import in_points, relative
from dashboard.app.runtime import Runtime
from dashboard.app.standing.attention import concerns
from dashboard.app.standing.period import period
from dashboard.app.standing.recipient_table import recipient_table
from dashboard.formatting import bill_words
from dashboard.jobs.outcome import outcome_of
from dashboard.ledger import Ledger
from dashboard.reports import better_text
from dashboard.reports.measures.stages import start_of_quarter

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def ledger(wired: Runtime) -> Ledger:
    return wired.ledger


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ledger, str]]:
    """A ledger with a campaign to look at: 8 delivered, 1 failed, 1 on the way."""
    with Ledger.open(tmp_path_factory.mktemp("sent") / "ledger.sqlite") as ledger:
        yield ledger, sent_campaign(ledger)


def test_a_period_counts_messages_by_the_day_they_were_handed_over(sent: tuple[Ledger, str]) -> None:
    now, found = datetime.now(UTC), sent[0].counts()
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
    nothing = period(found.iloc[:0], days=30, now=now, zone=BERLIN)
    assert (nothing.now.standing["sent"], nothing.now.delivered_share, nothing.now.one_amount) == (
        0,
        None,
        None,
    )
    assert len(nothing.daily) == 30


def test_a_day_is_that_of_the_reporting_time_zone(sent: tuple[Ledger, str]) -> None:
    late = sent[0].counts().assign(handed_over_at=pd.Timestamp("2026-11-20T23:30Z"))
    for zone, accepted in (("UTC", [10, 0]), ("Europe/Berlin", [0, 10])):
        shown = period(late, days=2, now=datetime(2026, 11, 21, 12, tzinfo=UTC), zone=ZoneInfo(zone))
        assert shown.daily["accepted"].tolist() == accepted


def test_what_no_single_amount_says_is_named_beside_it(sent: tuple[Ledger, str]) -> None:
    """Two currencies and credits without a price: no campaign's bill is left out, none is converted."""
    one = sent[0].counts().iloc[:1]
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


@each(
    "amounts, without, said",
    [
        ({"EUR": Decimal("782.55")}, 1951, "€782.55 and 1,951 credits without a price"),
        ({"EUR": Decimal("0.125")}, 0, "€0.13"),
        ({"EUR": Decimal("1e30") + Decimal("0.005")}, 0, "€1" + ",000" * 10 + ".00"),
        ({"JPY": Decimal("1250.5")}, 1, "¥1,251 and 1 credit without a price"),
        ({"EUR": None}, 7, "7 credits"),
        ({}, 0, "0 credits"),
    ],
)
def test_a_bill_in_words(amounts: dict[str, Decimal | None], without: int, said: str) -> None:
    assert bill_words(amounts, without) == said


def test_a_change_is_said_in_percent_and_that_of_a_share_in_points() -> None:
    pairs = [(112, 100), (969, 1000), (100, 100), (5, 0), (None, 5), (Decimal(2), Decimal(1))]
    assert [relative(*pair) for pair in pairs] == ["12%", "-3.1%", 0, None, None, "100%"]
    pairs = [(0.951, 0.957), (0.9, 0.9), (None, 0.9)]
    assert [in_points(*pair) for pair in pairs] == ["-0.6 points", 0, None]


def test_unknown_messages_come_before_failures_which_are_named_for_a_week(ledger: Ledger) -> None:
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
    now = datetime.now(UTC)
    over = ledger.campaigns().assign(finished_at=pd.to_datetime([now - timedelta(days=8)] * 6, utc=True))
    for later, named in ((timedelta(days=-2), ["Bad numbers"]), (timedelta(0), [])):
        found = concerns(over, now=now + later, waiting={})
        assert [one.name for one in found if one.sentence.endswith("failed.")] == named


def test_time_alone_makes_a_text_final(sent: tuple[Ledger, str]) -> None:
    ledger, campaign = sent
    found, course = ledger.counts(campaign).assign(variant="A"), ledger.course(campaign)
    at = start_of_quarter(datetime.now(UTC))
    for hours, final in ((1, False), (71, False), (73, True)):
        later = outcome_of(found, course, now=at + timedelta(hours=hours))
        assert later.rates["final"].tolist() == [final]


def test_how_much_better_a_text_is_and_how_many_more_would_show_it_is_said_in_numbers() -> None:
    def said(*delivered: int) -> str:
        rates = {"value": ["A", "B"], "messages": 1000, "delivered": delivered, "final": True}
        return better_text(pd.DataFrame(rates | {"share": [one / 1000 for one in delivered]}))

    confident = "by 12.2 to 17.9 percentage points (with 95 % confidence)."
    assert said(800, 950) == f"B gets through more often than A: {confident}"
    assert said(910, 890) == (
        "Too close to tell: the difference may be chance. If it is real, 5,062 more people would show it "
        "(with 80 % power)."
    )


def test_unknown_batches_come_with_what_is_at_risk(ledger: Ledger) -> None:
    campaign = unknown_campaign(ledger)
    every, chosen = of_total(ledger.unknown_total(campaign)), of_rows(ledger.unknown(campaign))
    assert (every.messages, every.money, every.currency) == (3, Decimal("0.135"), "EUR")
    assert every.risk() == chosen.risk() == "3 messages, €0.14 at risk"
    assert every.resend_from == chosen.resend_from


def test_a_page_of_recipients_is_a_table_to_read(sent: tuple[Ledger, str]) -> None:
    ledger, campaign = sent
    found = ledger.recipients(campaign, numbers=["+447911000008"])
    table = recipient_table(found, now=datetime.now(UTC))
    assert table[["Number", "Status", "Reason", "Country"]].to_numpy().tolist() == [
        ["+447911000008", "Failed", "handset switched off", "United Kingdom"]
    ]
    messages = ledger.recipients(campaign).head(2).assign(row=[12, 10_000_012])
    table = recipient_table(messages, now=datetime.now(UTC))
    assert table["Row"].tolist() == ["12 of list 1", "12 of list 2"]
