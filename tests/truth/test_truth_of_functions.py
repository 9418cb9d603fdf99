"""What a notebook says of the ledger's messages, against the recount."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
import recount
from days import CAMPAIGNS, EACH_CAMPAIGN
from rows import Recount, Row
from tiers import only_deep
from world import World

import dashboard.reports as r
from dashboard.reports.measures.money import used_credits
from dashboard.reports.measures.standing import with_derived

ZONES = ["Asia/Tokyo", *only_deep("UTC", "America/Los_Angeles")]


@pytest.fixture(scope="module", params=[None, *EACH_CAMPAIGN])
def rows(request: pytest.FixtureRequest, true: Recount) -> list[Row]:
    """Of one campaign, or of all."""
    return true.of(request.param)


@pytest.fixture(scope="module")
def raw(world: World, rows: list[Row]) -> pd.DataFrame:
    """The ledger's messages of the same."""
    return world.ledger.messages(_one(world, rows))


@pytest.fixture(scope="module", params=["each", "kept", *only_deep("counted")])
def messages(
    request: pytest.FixtureRequest, world: World, raw: pd.DataFrame, rows: list[Row]
) -> pd.DataFrame:
    """The same as they are, added up, and as the ledger keeps their counts."""
    if request.param == "each":
        return raw
    if request.param == "counted":
        return r.counts(raw, campaigns=world.ledger.campaigns())
    return world.ledger.counts(_one(world, rows))


def _one(world: World, rows: list[Row]) -> str | None:
    """The id of the rows' campaign, if they are of one."""
    names = {row.campaign for row in rows}
    return world.ids[names.pop()] if len(names) == 1 else None


def test_where_messages_stand(messages: pd.DataFrame, rows: list[Row]) -> None:
    found = r.standings(messages).iloc[0].to_dict()
    expected = recount.standing(rows)
    assert {word: int(found[word]) for word in expected} == expected
    summary = r.campaign_summary(messages)
    assert _counter(summary, "stage", "messages") == recount.stages(rows)
    assert r.funnel_steps(messages)["messages"].tolist() == recount.funnel(rows)
    assert r.finals(messages) == [recount.is_final(rows, datetime.now(UTC))]


def test_why_messages_failed_and_where(messages: pd.DataFrame, rows: list[Row]) -> None:
    table = r.failure_reasons(messages)
    assert _counter(table, "reason", "messages") == recount.reasons(rows)
    assert int(table["credits_billed"].sum()) == recount.charged_anyway(rows)
    countries = _counter(r.breakdown(messages, "country"), "value", "messages")
    assert countries == Counter(row.country for row in rows)


def test_credits_and_causes(messages: pd.DataFrame, rows: list[Row]) -> None:
    found = r.reconcile(messages)
    low, high, billed = (int(found[name].sum()) for name in ("credits_low", "credits_high", "credits_billed"))
    assert ((low, high), billed) == (recount.estimate(rows), recount.billed(rows))
    found = found[found["messages"] > 0]
    numbers = (found[name].tolist() for name in ("messages", "credits_billed", "difference"))
    assert dict(zip(found["cause"], zip(*numbers, strict=True), strict=True)) == recount.causes(rows)
    without, at_most = recount.missing(rows)
    missing = r.bill_missing(messages)
    assert (missing.messages, missing.credits_high) == (without, at_most)
    assert used_credits(messages) == recount.used(rows)


def test_money(world: World, raw: pd.DataFrame, rows: list[Row]) -> None:
    worth = r.worth(r.counts(raw, campaigns=world.ledger.campaigns()))
    assert worth.amounts == recount.money(rows)
    assert worth.without_price == recount.without_price(rows)


@pytest.mark.parametrize("zone", ZONES)
def test_hours(messages: pd.DataFrame, rows: list[Row], zone: str) -> None:
    table = r.delivered_by_hour(messages, tz=zone)
    found = {(one.weekday, one.hour): (one.messages, one.delivered, one.open) for one in table.itertuples()}
    assert found == {hour: _three(some) for hour, some in recount.hours(rows, zone).items()}


@pytest.mark.parametrize("column", ["variant", "country"])
def test_shares_by_text_and_country(messages: pd.DataFrame, rows: list[Row], column: str) -> None:
    table = r.delivery_rates(messages, column)
    groups = recount.by([row for row in rows if row.accepted], lambda row: getattr(row, column))
    found = {one.value: (one.messages, one.delivered, one.open) for one in table.itertuples()}
    assert found == {value: _three(some) for value, some in groups.items() if value is not None}
    shares = dict(zip(table["value"], table["share"], strict=True))
    assert shares == pytest.approx({value: found[value][1] / found[value][0] for value in found})


@pytest.mark.parametrize("kept", [False, True])
def test_how_it_went(world: World, raw: pd.DataFrame, rows: list[Row], *, kept: bool) -> None:
    happened = world.ledger.course(_one(world, rows)) if kept else raw
    over_time, stand = r.status_over_time(happened), recount.standing(rows)
    assert over_time.empty == (stand["sent"] == 0)
    if not over_time.empty:
        last = over_time.iloc[-1]
        on_the_way = stand["sent"] - stand["delivered"] - stand["failed"]
        expected = [on_the_way, stand["delivered"], stand["failed"]]
        assert last[["sent", "delivered", "failed"]].tolist() == expected


def test_the_list_of_campaigns(world: World, true: Recount) -> None:
    listed = with_derived(world.ledger.campaigns()).set_index("name")
    assert set(listed.index) == set(CAMPAIGNS)
    for name, found in listed.iterrows():
        rows = true.of(str(name))
        expected = recount.standing(rows)
        del expected["waiting"]  # a campaign's row does not tell those
        assert {word: int(found[word]) for word in expected} == expected, name
        assert (found["credits_low"], found["credits_high"]) == recount.estimate(rows), name
        assert found["credits_billed"] == recount.billed(rows), name
        assert found["credits_without_price"] == recount.without_price(rows), name
        assert _known(found["cost_billed"]) == recount.money(rows).get(found["currency"]), name
        low_high = recount.estimate_in_money(rows) or (None, None)
        assert (_known(found["cost_low"]), _known(found["cost_high"])) == low_high, name


def test_what_counts_against_a_cap(world: World, true: Recount) -> None:
    """What is still ready will count, and what was sent again may have been taken twice."""
    rows = true.of()
    will = sum(row.high for row in rows if row.state == "ready")
    perhaps = sum(row.high * row.sent_again for row in rows)
    whole = world.ledger.credits_between(world.times.old, world.times.to_come)
    assert whole == recount.used(rows) + will + perhaps


def test_people(world: World, true: Recount) -> None:
    """Some got several messages; who was forgotten is not among them."""
    table = world.ledger.contacts()
    columns = ["messages", "sent", "delivered", "failed", "credits_billed"]
    numbers = zip(*(table[name].fillna(0) for name in columns), strict=True)
    kept = [row for row in true.of() if row.campaign != "Forgotten"]
    assert dict(zip(table["phone"], numbers, strict=True)) == {
        phone: (len(rows), *_news(rows), recount.billed(rows))
        for phone, rows in recount.by(kept, lambda row: row.person.phone).items()
    }


def _news(rows: list[Row]) -> tuple[int, int, int]:
    stand = recount.standing(rows)
    return stand["sent"], stand["delivered"], stand["failed"]


@pytest.mark.parametrize("zone", ZONES)
def test_statements(world: World, true: Recount, zone: str) -> None:
    messages, campaigns = world.ledger.messages(), world.ledger.campaigns()
    seen = 0
    for month in world.times.months(zone):
        rows = recount.in_month(true.of(), month, zone)
        made = r.monthly_statement(messages, campaigns, month, tz=zone)
        seen += len(rows)
        _check(made.by_campaign, "name", recount.by(rows, lambda row: row.campaign))
        groups = recount.by(rows, lambda row: (row.country, row.asked.currency))
        _check(made.by_country, ["country", "currency"], groups)
        groups = recount.by(rows, lambda row: row.asked.currency)
        _check(made.by_sender, "currency", groups)
        _check(made.totals, "currency", groups)
        assert _counter(made.causes, "cause", "messages") == Counter(row.cause for row in rows)
    assert seen == sum(row.handed_over for row in true.of())


def _check(table: pd.DataFrame, keys: str | list[str], groups: dict[Any, list[Row]]) -> None:
    found = dict(iter(table.groupby(keys)))
    assert set(found) == set(groups)
    for key, rows in groups.items():
        (one,) = found[key].to_dict("records")
        stand, (without, at_most) = recount.standing(rows), recount.missing(rows)
        expected = {
            "messages": len(rows),
            **{word: stand[word] for word in ("accepted", "delivered", "failed", "unknown")},
            "credits_low": recount.estimate(rows)[0],
            "credits_high": recount.estimate(rows)[1],
            "credits_billed": recount.billed(rows),
            "credits_without_price": recount.without_price(rows),
            "messages_not_billed": without,
            "open_high": at_most,
            "cost_billed": next(iter(recount.money(rows).values()), None),
        }
        assert {word: _known(one[word]) for word in expected} == expected, key


def _three(rows: list[Row]) -> tuple[int, int, int]:
    stand = recount.standing(rows)
    return stand["accepted"], stand["delivered"], stand["open"]


def _counter(table: pd.DataFrame, label: str, number: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for name, messages in zip(table[label].astype("str"), table[number].astype("int"), strict=True):
        counted[name] += messages
    return +counted


def _known(value: Any) -> Decimal | int | None:
    return None if pd.isna(value) else value
