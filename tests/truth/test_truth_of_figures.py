"""What a notebook, a campaign's files and exports say of the messages, against the recount."""

from __future__ import annotations

import io
import re
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import recount
import words
from days import CAMPAIGNS, EACH_CAMPAIGN
from each import each
from openpyxl import load_workbook
from rows import Recount, Row
from tiers import only_deep
from world import World

import dashboard.reports as r
from dashboard.app.followup.files import campaign_files
from dashboard.app.seen import in_full
from dashboard.contacts.words.country_names import country_names
from dashboard.ledger.freeze.caps import credits_between
from dashboard.reports.measures.standing import with_derived

ZONE = "Asia/Tokyo"
ZONES = [ZONE, *only_deep("UTC", "America/Los_Angeles")]
IN_WORDS = {
    "Number": "phone",
    "Status": "stage",
    "Reason": "reason",
    "Country of the number": "country",
    "Credits, at least": "credits_low",
    "Credits, at most": "credits_high",
    "Credits billed": "credits_billed",
}
"""The titles of the file for people, and the columns of the one for programs."""


@pytest.fixture(scope="module", params=[None, *EACH_CAMPAIGN])
def rows(request: pytest.FixtureRequest, true: Recount) -> list[Row]:
    """Of one campaign, or of all."""
    return true.of(request.param)


@pytest.fixture(scope="module")
def raw(world: World, rows: list[Row]) -> pd.DataFrame:
    """The ledger's messages of the same."""
    return world.ledger.messages(_one(world, rows))


@pytest.fixture(scope="module", params=["each", "kept"])
def messages(
    request: pytest.FixtureRequest, world: World, raw: pd.DataFrame, rows: list[Row]
) -> pd.DataFrame:
    """The same as they are, and as the ledger keeps their counts."""
    return raw if request.param == "each" else world.ledger.counts(_one(world, rows))


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


def test_money(world: World, raw: pd.DataFrame, rows: list[Row]) -> None:
    worth = r.worth(r.counts(raw, campaigns=world.ledger.campaigns()))
    assert worth.amounts == recount.money(rows)
    assert worth.without_price == recount.without_price(rows)


@pytest.mark.parametrize("zone", ZONES)
def test_hours(messages: pd.DataFrame, rows: list[Row], zone: str) -> None:
    table = r.delivered_by_hour(messages, tz=zone)
    found = {(one.weekday, one.hour): (one.messages, one.delivered, one.open) for one in table.itertuples()}
    assert found == {hour: _three(some) for hour, some in recount.hours(rows, zone).items()}


@each("column", ["variant", "country"])
def test_shares_by_text_and_country(messages: pd.DataFrame, rows: list[Row], column: str) -> None:
    table = r.delivery_rates(messages, column)
    groups = recount.by([row for row in rows if row.accepted], lambda row: getattr(row, column))
    found = {one.value: (one.messages, one.delivered, one.open) for one in table.itertuples()}
    assert found == {value: _three(some) for value, some in groups.items() if value is not None}
    shares = dict(zip(table["value"], table["share"], strict=True))
    assert shares == pytest.approx({value: found[value][1] / found[value][0] for value in found})


@each("kept", [False, True])
def test_how_it_went(world: World, raw: pd.DataFrame, rows: list[Row], kept: bool) -> None:
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
    perhaps = sum(row.high * len(row.sent_again) for row in rows)
    with world.ledger.database.read() as connection:
        whole = credits_between(connection, world.times.old, world.times.to_come)
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
    decisions, again = world.ledger.decisions(), 0
    seen = 0
    for month in world.times.months(zone):
        rows = recount.in_month(true.of(), month, zone)
        made = r.monthly_statement(messages, campaigns, month, tz=zone, decisions=decisions)
        seen += len(rows)
        _check(made.by_campaign, "name", recount.by(rows, lambda row: row.campaign))
        groups = recount.by(rows, lambda row: (row.country, row.asked.currency))
        _check(made.by_country, ["country", "currency"], groups)
        groups = recount.by(rows, lambda row: row.asked.currency)
        _check(made.by_sender, "currency", groups)
        _check(made.totals, "currency", groups)
        assert _counter(made.causes, "cause", "messages") == Counter(row.cause for row in rows)
        assert (made.messages_again, made.credits_again) == recount.sent_again(true.of(), month, zone)
        again += made.messages_again
    assert again
    assert seen == sum(row.handed_over for row in true.of())


def _check(table: pd.DataFrame, keys: str | list[str], groups: dict[Any, list[Row]]) -> None:
    found = dict(iter(table.groupby(keys)))
    assert set(found) == set(groups)
    for key, rows in groups.items():
        (one,) = found[key].to_dict("records")
        cost = next(iter(recount.money(rows).values()), None)
        expected = recount.statement_row(rows) | {"cost_billed": cost}
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


@pytest.fixture(
    scope="module",
    params=["Forgotten", "Links", *only_deep("Dollars", "Letters", "No price", "Trusted", "Later", "Draft")],
)
def of_campaign(request: pytest.FixtureRequest, true: Recount) -> list[Row]:
    """Of a campaign."""
    return true.of(request.param)


@pytest.fixture(scope="module")
def files(world: World, of_campaign: list[Row]) -> dict[str, bytes]:
    """The files of the same campaign, by the end of their names."""
    campaign = world.ledger.campaign(world.ids[of_campaign[0].campaign])
    people, report = campaign_files(world.ledger, campaign, ZONE, in_full)
    return {f"{one.content} ({one.ending.upper()})": one.make() for one in people + report}


def test_the_report_to_read(files: dict[str, bytes], of_campaign: list[Row]) -> None:
    rows = of_campaign
    page = files["report (HTML)"].decode()
    cells = re.findall(r"<tr><td>(.*?)</td><td[^>]*>(.*?)</td><td>(.*?)</td></tr>", page)
    facts = {unescape(fact): (unescape(value), unit) for fact, value, unit in cells}
    stand, (low, high) = recount.standing(rows), recount.estimate(rows)
    expected = {
        **{fact: (f"{number:,}", "messages") for fact, number in _standing(rows).items()},
        "Estimate, at least": (f"{low:,}", "credits"),
        "Estimate, at most": (f"{high:,}", "credits"),
        "Billed so far": (f"{recount.billed(rows):,}", "credits"),
    }
    for fact, value in _in_money(rows).items():
        currency = rows[0].asked.currency
        expected[fact] = (words.amount(value, currency)[1:], currency)
    assert {fact: facts.get(fact) for fact in expected} == expected
    without, at_most = recount.missing(rows)
    missing = [(f"{without:,}", "messages"), (f"{at_most:,}", "credits")] if without else [None, None]
    assert [facts.get("Bill missing"), facts.get("Bill missing, at most")] == missing
    if stand["accepted"]:
        share = words.percent(stand["delivered"], stand["accepted"])
        assert facts["Delivered, of the accepted"][0] == share
    said = " ".join(unescape(words_) for words_ in re.findall(r"<figcaption>(.*?)</figcaption>", page))
    if stand["sent"]:
        way = stand["sent"] - stand["delivered"] - stand["failed"]
        gone = f"{stand['delivered']:,} were delivered, {way:,} on their way and {stand['failed']:,} failed."
        assert gone in said


def test_the_report_to_calculate_with(files: dict[str, bytes], of_campaign: list[Row]) -> None:
    rows = of_campaign
    book = load_workbook(io.BytesIO(files["report (XLSX)"]))
    facts = {fact: value for fact, value, *_ in book["Summary"].iter_rows(values_only=True)}
    low, high = recount.estimate(rows)
    expected: dict[str, Any] = {**_standing(rows), "Estimate, at least": low, "Estimate, at most": high}
    expected["Billed so far"] = recount.billed(rows)
    expected |= {fact: pytest.approx(float(value)) for fact, value in _in_money(rows).items()}
    assert {fact: facts.get(fact) for fact in expected} == expected
    for sheet, label, counted in (
        ("Failures", "Reason", recount.reasons(rows)),
        ("Countries", "Country", Counter(row.country for row in rows)),
        ("Stages", "Stage", recount.stages(rows)),
        ("Causes", "Cause", Counter(row.cause for row in rows if row.state != "dropped")),
    ):
        assert _column(book[sheet], label) == counted, sheet


def _standing(rows: list[Row]) -> dict[str, int]:
    stand = recount.standing(rows)
    return {
        "Recipients": stand["approved"],
        "Handed to the service": stand["handed_over"],
        "Accepted": stand["accepted"],
        "Delivered": stand["delivered"],
        "Failed": stand["failed"],
        "Neither delivered nor failed so far": stand["open"],
        "Rejected": stand["rejected"],
        "Unknown whether sent": stand["unknown"],
    }


def _in_money(rows: list[Row]) -> dict[str, Any]:
    money = {}
    if billed := list(recount.money(rows).values()):
        money["Billed so far, in money"] = billed[0]
    if estimate := recount.estimate_in_money(rows):
        money |= {"Estimate, at least, in money": estimate[0], "Estimate, at most, in money": estimate[1]}
    return money


def _column(sheet: Any, label: str) -> Counter[str]:
    head, *body = sheet.iter_rows(values_only=True)
    found: Counter[str] = Counter()
    for cells in body:
        found[str(cells[head.index(label)])] += cells[head.index("Messages")]
    return +found


@each("kind", ["CSV", "XLSX"])
def test_the_list_of_recipients(files: dict[str, bytes], of_campaign: list[Row], kind: str) -> None:
    rows = of_campaign
    content = io.BytesIO(files[f"recipients ({kind})"])
    table = pd.read_csv(content, dtype=str) if kind == "CSV" else pd.read_excel(content, dtype=str)
    if kind == "XLSX":
        table = table.rename(columns=IN_WORDS)
        table["stage"] = table["stage"].str.lower()
        table["country"] = table["country"].map({name: code for code, name in country_names().items()})
    columns = ["phone", "stage", "reason", "country", "credits_low", "credits_high", "credits_billed"]
    forgotten = rows[0].campaign == "Forgotten"
    expected = [
        (
            *("" if forgotten else row.person.phone, row.stage, row.reason or "", row.country),
            *(str(row.low), str(row.high), "" if row.billed is None else str(row.billed)),
        )
        for row in rows
    ]
    assert sorted(map(tuple, table[columns].fillna("").to_numpy().tolist())) == sorted(expected)


def test_the_tables_for_other_programs(world: World, true: Recount, tmp_path: Path) -> None:
    world.ledger.write_parquet(tmp_path)
    messages = pd.read_parquet(tmp_path / "messages.parquet")
    campaigns = pd.read_parquet(tmp_path / "campaigns.parquet").set_index("name")
    for name in CAMPAIGNS:
        rows, own = true.of(name), messages[messages["campaign"].astype("str") == world.ids[name]]
        assert Counter(own["state"]) == Counter(row.state for row in rows)
        assert int(own["credits_billed"].fillna(0).sum()) == recount.billed(rows)
        assert int(own["handed_over_at"].notna().sum()) == recount.standing(rows)["handed_over"]
        found = campaigns.loc[name, ["accepted", "delivered", "failed", "credits_billed"]].tolist()
        stand = recount.standing(rows)
        assert found == [stand["accepted"], stand["delivered"], stand["failed"], recount.billed(rows)]
