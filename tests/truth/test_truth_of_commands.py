"""What commands say, against the recount."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import recount
import words
from click.testing import CliRunner
from fixtures_sandbox import SandboxPeer
from rows import Recount, credits_of
from tiers import only_deep
from world import World

from dashboard.commands.cli import cli


@pytest.mark.parametrize("zone", ["Asia/Tokyo", *only_deep("UTC", "America/Los_Angeles")])
def test_the_months_statements(world: World, true: Recount, tmp_path: Path, zone: str) -> None:
    """What is in their tables is `monthly_statement`'s: test_truth_of_figures.py::test_statements."""
    settings = {"DASHBOARD_DATABASE_URL": world.url, "DASHBOARD_DATA": str(tmp_path)}
    settings |= {"DASHBOARD_TIME_ZONE": zone}
    for month in world.times.months(zone):
        rows, out = recount.in_month(true.of(), month, zone), tmp_path / f"{month}.xlsx"
        done = CliRunner().invoke(cli, ["statement", month, "--out", str(out)], env=settings)
        assert done.exit_code == 0, done.output
        without, at_most = recount.missing(rows)
        said = f"{len(rows):,} messages, {recount.billed(rows):,} credits billed"
        said += f", {without:,} messages without a bill yet"
        said += f" (at most {at_most:,} credits)" if without else ""
        money = dict(sorted(recount.money(rows).items()))
        again, more = recount.sent_again(true.of(), month, zone)
        assert done.output.splitlines() == [
            f"{said}: {out}",
            f"In money: {words.bill(money, recount.without_price(rows))}.",
            *([words.sent_again(again, more)] if again else []),
        ]


SHEET = """Name,Phone
Ann,+44 7400 950001
Ben,+44 7400 950002
Ann again,+44 7400 950001
Carl,12
Dora,+44 7400 950004
"""


@pytest.mark.deep
def test_what_sending_says(emptied_sandbox: SandboxPeer, tmp_path: Path) -> None:
    """Three people get two credits each; one is a duplicate, one has no number."""
    (tmp_path / "sheet.csv").write_text(SHEET, encoding="utf-8")
    settings = {"DASHBOARD_DATA": str(tmp_path / "data"), "DASHBOARD_PRICE_PER_CREDIT": "0.045"}
    settings |= {"SMS_BASE_URL": emptied_sandbox.base_url, "SMS_API_KEY": emptied_sandbox.api_key}
    text = "Hi {{Name}}" + "!" * 160
    given = (str(tmp_path / "sheet.csv"), "--template", text, "--campaign", "Sent here", "--country", "GB")
    done = CliRunner().invoke(cli, ["send", *given, "--yes", "--json"], env=settings)
    assert done.exit_code == 0, done.stderr
    said, books = json.loads(done.stdout), emptied_sandbox.messages("Sent here")
    assert {one["to"] for one in books} == {f"+44740095000{last}" for last in (1, 2, 4)}
    credits_ = sum(credits_of(one["body"]) for one in books)
    assert (credits_, sum(one["credits_used"] for one in books)) == (6, 6)
    assert (said["messages"], said["outcome"]) == (len(books), {"accepted": len(books)})
    assert (said["credits_low"], said["credits_high"], said["credits_billed"]) == (6, 6, 6)
    assert (said["cost_low"], said["cost_high"], said["currency"]) == ("0.270", "0.270", "EUR")
