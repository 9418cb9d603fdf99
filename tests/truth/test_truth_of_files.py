"""The files that a campaign's page offers and that an analyst exports, against the recount."""

from __future__ import annotations

import io
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import recount
import words
from days import CAMPAIGNS, FIRST
from openpyxl import load_workbook
from rows import Recount, Row
from tiers import only_deep
from world import World

from dashboard.app.followup.files import campaign_files
from dashboard.app.seen import in_full
from dashboard.contacts.vocabulary.countries.country_names import country_names

ZONE = "Asia/Tokyo"
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


@pytest.fixture(
    scope="module", params=[*FIRST[:3], *only_deep(*(name for name in CAMPAIGNS if name not in FIRST[:3]))]
)
def rows(request: pytest.FixtureRequest, true: Recount) -> list[Row]:
    """Of a campaign."""
    return true.of(request.param)


@pytest.fixture(scope="module")
def files(world: World, rows: list[Row]) -> dict[str, bytes]:
    """The files of the same campaign, by the end of their names."""
    campaign = world.ledger.campaign(world.ids[rows[0].campaign])
    people, report = campaign_files(world.ledger, campaign, ZONE, in_full)
    return {f"{one.content} ({one.ending.upper()})": one.make() for one in people + report}


def test_the_report_to_read(files: dict[str, bytes], rows: list[Row]) -> None:
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
    if stand["handed_over"]:
        funnel = re.search(r"How far the messages got: ([^.]*)\.", said)
        assert funnel
        assert [
            int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", funnel[1])
        ] == recount.funnel(rows)
    if stand["sent"]:
        way = stand["sent"] - stand["delivered"] - stand["failed"]
        gone = f"{stand['delivered']:,} were delivered, {way:,} on their way and {stand['failed']:,} failed."
        assert gone in said


def test_the_report_to_calculate_with(files: dict[str, bytes], rows: list[Row]) -> None:
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


@pytest.mark.parametrize("kind", ["CSV", "XLSX"])
def test_the_list_of_recipients(files: dict[str, bytes], rows: list[Row], kind: str) -> None:
    content = io.BytesIO(files[f"recipients ({kind})"])
    table = pd.read_csv(content, dtype=str) if kind == "CSV" else pd.read_excel(content, dtype=str)
    if kind == "XLSX":
        table = table.rename(columns=IN_WORDS)
        table["stage"] = table["stage"].str.lower()
        table["country"] = table["country"].map({name: code for code, name in country_names().items()})
    columns = ["phone", "stage", "reason", "country", "credits_low", "credits_high", "credits_billed"]
    forgotten = rows[0].campaign == "Forgotten"
    found = [
        tuple("" if pd.isna(cell) else str(cell) for cell in cells)
        for cells in table[columns].itertuples(index=False, name=None)
    ]
    expected = [
        (
            "" if forgotten else row.person.phone,
            row.stage,
            row.reason or "",
            row.country,
            *(str(number) for number in (row.low, row.high)),
            "" if row.billed is None else str(row.billed),
        )
        for row in rows
    ]
    assert sorted(found) == sorted(expected)


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
