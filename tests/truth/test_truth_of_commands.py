"""What commands say and write, against the recount."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import recount
import words
from click.testing import CliRunner, Result
from openpyxl import load_workbook
from rows import Recount, Row, credits_of
from world import World

from dashboard.commands.cli import cli

pytestmark = pytest.mark.deep
ZONES = ["Asia/Tokyo", "UTC", "America/Los_Angeles"]


def command(world: World, folder: Path, zone: str, *given: str, says: str = "") -> Result:
    settings = {
        "DASHBOARD_DATABASE_URL": world.url,
        "DASHBOARD_DATA": str(folder),
        "DASHBOARD_TIME_ZONE": zone,
    }
    return CliRunner().invoke(cli, list(given), env=settings, input=says)


@pytest.mark.parametrize("zone", ZONES)
def test_the_months_statements(world: World, true: Recount, tmp_path: Path, zone: str) -> None:
    for month in world.times.months(zone):
        rows = recount.in_month(true.of(), month, zone)
        out = tmp_path / f"{month}.xlsx"
        done = command(world, tmp_path, zone, "statement", month, "--out", str(out))
        assert done.exit_code == 0, done.output
        assert done.output.splitlines()[0] == f"{_counts(rows)}: {out}"
        _check_money(done.output.splitlines()[1], rows)
        book = load_workbook(out)
        by_currency = recount.by(rows, lambda row: row.asked.currency)
        for sheet, key in (
            ("By campaign", lambda row: row.campaign),
            ("By country", lambda row: row.country),
        ):
            own, totals = _table(book[sheet])
            _check(totals.set_index("Currency"), by_currency)
            for currency, some in by_currency.items():
                mine = own[own["Currency"] == currency]
                label = "Name" if sheet == "By campaign" else "Country"
                _check(mine.set_index(label), recount.by(some, key))
        causes, _ = _table(book["Causes"])
        found = causes[causes["Messages"] > 0].set_index("Cause")
        numbers = zip(*(found[name] for name in ("Messages", "Credits billed", "Difference")), strict=True)
        assert dict(zip(found.index, numbers, strict=True)) == recount.causes(rows)


def _counts(rows: list[Row]) -> str:
    without, at_most = recount.missing(rows)
    said = f"{len(rows):,} messages, {recount.billed(rows):,} credits billed, "
    missing = f"{without:,} messages without a bill yet"
    return f"{said}{missing} (at most {at_most:,} credits)" if without else f"{said}{missing}"


def _check_money(line: str, rows: list[Row]) -> None:
    """The order of the currencies is the statement's."""
    money, without = dict(sorted(recount.money(rows).items())), recount.without_price(rows)
    said = f"{'In money' if money else 'Without a price'}: {words.bill(money, without)}."
    assert line == (said if money or without else "Nothing was billed.")


def _table(sheet: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows, and the totals below them."""
    head, *body = sheet.iter_rows(values_only=True)
    table = pd.DataFrame(body, columns=[_title(str(name)) for name in head])
    is_total = table.iloc[:, 0] == "Total"
    return table[~is_total], table[is_total]


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _check(table: pd.DataFrame, groups: dict[Any, list[Row]]) -> None:
    assert set(table.index) == set(groups)
    for key, rows in groups.items():
        one = table.loc[key]
        expected = {_title(name): number for name, number in recount.statement_row(rows).items()}
        assert {name: one[name] for name in expected} == expected, key
        money = next(iter(recount.money(rows).values()), None)
        shown = one["Cost billed"]
        assert shown == "missing" if money is None else Decimal(str(shown)) == money, key


def test_the_export(world: World, true: Recount, tmp_path: Path) -> None:
    done = command(
        world, tmp_path, "UTC", "export", str(tmp_path / "tables"), "--campaign", world.ids["Links"]
    )
    assert done.exit_code == 0, done.output
    messages, rows = pd.read_parquet(tmp_path / "tables" / "messages.parquet"), true.of("Links")
    assert Counter(messages["state"]) == Counter(row.state for row in rows)
    assert int(messages["credits_billed"].sum()) == recount.billed(rows)


SHEET = """Name,Phone
Ann,+44 7400 950001
Ben,+44 7400 950002
Ann again,+44 7400 950001
Carl,12
Dora,+44 7400 950004
"""


def test_what_sending_says(world: World, tmp_path: Path) -> None:
    """Three people get two credits each; one is a duplicate, one has no number."""
    (tmp_path / "sheet.csv").write_text(SHEET, encoding="utf-8")
    settings = {"DASHBOARD_DATA": str(tmp_path / "data"), "DASHBOARD_PRICE_PER_CREDIT": "0.045"}
    settings |= {"SMS_BASE_URL": world.peer.base_url, "SMS_API_KEY": world.peer.api_key}
    text = "Hi {{Name}}" + "!" * 160
    given = (str(tmp_path / "sheet.csv"), "--template", text, "--campaign", "Sent here", "--country", "GB")
    done = CliRunner().invoke(cli, ["send", *given, "--yes", "--json"], env=settings)
    assert done.exit_code == 0, done.stderr
    said, books = json.loads(done.stdout), world.peer.messages("Sent here")
    assert {one["to"] for one in books} == {f"+44740095000{last}" for last in (1, 2, 4)}
    credits_ = sum(credits_of(one["body"]) for one in books)
    assert (credits_, sum(one["credits_used"] for one in books)) == (6, 6)
    assert (said["messages"], said["outcome"]) == (len(books), {"accepted": len(books)})
    assert (said["credits_low"], said["credits_high"], said["credits_billed"]) == (6, 6, 6)
    assert (said["cost_low"], said["cost_high"], said["currency"]) == ("0.270", "0.270", "EUR")


def test_what_a_decision_would_be_about(world: World, true: Recount, tmp_path: Path) -> None:
    why = ("--who", "ann", "--why", "asked")
    given = ("decide", world.ids["No price"], "left", *why)
    said = command(world, tmp_path, "UTC", *given, says="n\n").output
    unknown = [row for row in true.of("No price") if row.state == "unknown"]
    about = f"about {words.many(len(unknown), 'message')} of “No price”"
    assert f"{about}, {sum(row.high for row in unknown):,} credits at most?" in said
    assert "Nothing was decided." in said
