"""One fact is one number: on the page, in a figure, in a report, in a file and in a command's words."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest
from click.testing import CliRunner
from fixtures_ledger import Clock
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lived_campaigns import Recount, lived, lives
from openpyxl import load_workbook
from tiers import draws

from dashboard.app.standing.stages import handed_over, heaps
from dashboard.commands.cli import cli
from dashboard.commands.steps.following import outcome_counts
from dashboard.jobs.outcome import outcome_of
from dashboard.ledger import Campaign, Ledger
from dashboard.reports import (
    billed_cost,
    campaign_facts,
    campaign_summary,
    campaign_workbook,
    charts,
    figures,
    monthly_statement,
    reconcile,
)
from dashboard.reports.files.campaign_page import campaign_page

MONTH = "2026-11"
BARS = {
    "reasons": (figures.failure_reasons, "Failures", "reason"),
    "countries": (figures.by_country, None, None),
    "line_types": (figures.by_line_type, None, None),
}


@pytest.mark.deep
@settings(
    max_examples=draws(8),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drawn=st.data())
def test_whatever_happened_every_door_says_the_same(
    ledger: Ledger, ledger_url: str, clock: Clock, tmp_path: Path, drawn: st.DataObject
) -> None:
    campaign = lived(ledger, clock, drawn.draw(lives))
    messages, events = ledger.messages(campaign), ledger.events(campaign)
    listed = ledger.campaigns()
    row = listed[listed["campaign"] == campaign]
    true = Recount.of(messages)
    assert Campaign.of_rows(row) == [ledger.campaign(campaign)]
    _check_page(ledger, campaign, true)
    _check_figures(messages, true)
    _check_report(ledger, row, messages, events, true)
    _check_workbook(row, messages, true)
    _check_statement(ledger, campaign, true)
    _check_command(ledger_url, tmp_path / "statement.xlsx", Recount.of(ledger.messages()))


def _check_page(ledger: Ledger, campaign: str, true: Recount) -> None:
    kept = ledger.campaign(campaign)
    found = outcome_of(ledger.counts(campaign), ledger.course(campaign))
    assert found.funnel["messages"].tolist() == true.funnel
    assert handed_over(kept) == true.handed_over
    assert heaps(kept)["delivered"] == true.delivered
    assert (heaps(kept)["failed"], heaps(kept)["rejected"]) == (true.failed, true.refused)
    assert heaps(kept)["unknown"] == true.unknown
    assert sum(heaps(kept).values()) == kept.recipients
    for name in BARS:
        counts = charts.totals(getattr(found, name))
        assert Counter(dict(counts)) == getattr(true, name), name
        shown = charts.totals(charts.by_label(getattr(found, name), most=2))
        assert shown[:2] == counts[:2]
        assert sum(number for _, number in shown) == getattr(true, name).total(), name
    assert found.charged.credits_billed == true.charged
    assert kept.credits_billed == int(found.bill["credits_billed"].sum()) == true.billed
    assert kept.credits_high == int(found.bill["credits_high"].sum()) == true.estimate
    assert kept.cost_high == true.cost
    assert billed_cost(ledger.messages(campaign)) == (kept.cost_billed, kept.credits_without_price)
    assert found.missing.messages == true.bills_missing
    if not found.over_time.empty:
        assert found.over_time.iloc[-1][["delivered", "failed"]].tolist() == [true.delivered, true.failed]
        assert found.over_time.iloc[-1]["sent"] == true.sent - true.delivered - true.failed
    outcomes = outcome_counts([kept])
    assert [outcomes.get(state, 0) for state in ("accepted", "rejected", "unknown")] == [
        true.accepted,
        true.refused,
        true.unknown,
    ]


def _check_figures(messages: pd.DataFrame, true: Recount) -> None:
    drawn = figures.funnel(messages)
    if true.handed_over:
        assert list(drawn.data[0].x) == true.funnel
        numbers = re.findall(r'class="number"[^>]*>([\d,]+)', figures.Still(drawn).svg)
        assert numbers == [f"{n:,}" for n in true.funnel]
    for name, (make, _sheet, _title) in BARS.items():
        _check_bars(make(messages), getattr(true, name))


def _check_bars(shown: go.Figure, true: Counter[str]) -> None:
    """The labels drawn have their numbers, and what is left is said with its own."""
    drawn: Counter[str] = Counter()
    for trace in shown.data:
        for label, number in zip(trace.y, trace.x, strict=True):
            drawn[unescape(label)] += int(number)
    others = sum(number for label, number in drawn.items() if label not in true)
    named = {label: number for label, number in drawn.items() if label in true}
    assert named == {label: true[label] for label in named}
    assert others == true.total() - sum(named.values())
    if others:
        assert f"{len(true) - len(named)} others" in drawn


def _check_report(
    ledger: Ledger, row: pd.DataFrame, messages: pd.DataFrame, events: pd.DataFrame, true: Recount
) -> None:
    page = campaign_page(row, messages, events=events).decode()
    said = [unescape(words) for words in re.findall(r"<figcaption>(.*?)</figcaption>", page)]
    if true.handed_over:
        funnel = next(words for words in said if words.startswith("How far the messages got: "))
        assert [int(number) for number in re.findall(r"\d+", funnel)] == true.funnel
    if true.sent:
        way = true.sent - true.delivered - true.failed
        end = f"At the end {true.delivered} were delivered, {way} on their way and {true.failed} failed."
        assert end in " ".join(said)
        over_time = figures.status_over_time(ledger.course(row["campaign"].iloc[0]))
        assert _plotted(page, "figure-1") == json.loads(over_time.to_json())["data"]
    facts = campaign_facts(row).set_index("fact")["value"]
    assert facts["Delivered"] == true.delivered
    assert (facts["Failed"], facts["Rejected"]) == (true.failed, true.refused)
    assert facts["Billed so far"] == true.billed
    assert facts["Estimate, at most"] == true.estimate
    assert facts["Handed to the service"] == true.handed_over
    if true.accepted:
        assert facts["Delivered, of the accepted"] == true.delivered / true.accepted


def _plotted(page: str, name: str) -> Any:
    """The data of a figure in a report."""
    found = re.search(rf'Plotly\.newPlot\(\s*"{name}",\s*', page)
    assert found is not None
    return json.JSONDecoder().raw_decode(page, found.end())[0]


def _check_workbook(row: pd.DataFrame, messages: pd.DataFrame, true: Recount) -> None:
    book = load_workbook(io.BytesIO(campaign_workbook(row, messages)))
    assert _column(book["Failures"], "Reason", "Messages") == true.reasons
    assert _column(book["Countries"], "Country", "Messages").total() == len(messages)
    stages = _column(book["Stages"], "Stage", "Messages")
    assert (stages["delivered"], stages["failed"], stages["rejected"]) == (
        true.delivered,
        true.failed,
        true.refused,
    )
    assert stages == _counter(campaign_summary(messages), "stage", "messages")
    assert int(reconcile(messages)["credits_billed"].sum()) == true.billed


def _column(sheet: Any, label: str, number: str) -> Counter[str]:
    rows: Iterable[tuple[Any, ...]] = sheet.iter_rows(values_only=True)
    head, *body = rows
    found: Counter[str] = Counter()
    for cells in body:
        found[str(cells[head.index(label)])] += cells[head.index(number)]
    return found


def _counter(table: pd.DataFrame, label: str, number: str) -> Counter[str]:
    return Counter(dict(zip(table[label].astype("str"), table[number].astype("int"), strict=True)))


def _check_statement(ledger: Ledger, campaign: str, true: Recount) -> None:
    made = monthly_statement(ledger.messages(campaign), ledger.campaigns(), MONTH)
    columns = ["messages", "accepted", "delivered", "failed", "unknown", "credits_billed"]
    sums = made.by_campaign[columns].sum().tolist()
    assert sums == [
        *(true.handed_over, true.accepted, true.delivered, true.failed, true.unknown, true.billed)
    ]


def _check_command(ledger_url: str, out: Path, everything: Recount) -> None:
    settings_ = {"DASHBOARD_DATABASE_URL": ledger_url, "DASHBOARD_DATA": str(out.parent)}
    done = CliRunner().invoke(cli, ["statement", MONTH, "--out", str(out)], env=settings_)
    assert done.exit_code == 0, done.output
    said = f"{everything.handed_over:,} messages, {everything.billed:,} credits billed, "
    assert done.output.startswith(said)
