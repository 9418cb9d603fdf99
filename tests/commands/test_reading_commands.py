"""`statement` and `export`: what the ledger holds, as files."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from command_line import open_ledger, run
from fixtures_ledger import Clock, accepted, claim, running
from openpyxl import load_workbook


def sent_campaign(folder: Path) -> str:
    """Five messages handed over in November 2026, of which the service named the bill of three."""
    with open_ledger(folder, now=Clock()) as ledger:
        campaign = running(ledger, 5, batch_size=3)
        owner = ledger.outbox.register(0)
        first = claim(ledger, campaign, owner)
        ledger.outbox.settle(first, accepted(first, credits_used=2))
        second = claim(ledger, campaign, owner)
        ledger.outbox.settle(second, accepted(second))
    return campaign


def test_a_month_becomes_a_workbook(tmp_path: Path) -> None:
    sent_campaign(tmp_path)
    done = run(tmp_path, "statement", "2026-11", "--out", "november.xlsx")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("5 messages, 6 credits billed, 2 messages without a bill yet")
    assert done.stdout.endswith("\nWithout a price: 6 credits.\n")
    rows = list(load_workbook(tmp_path / "november.xlsx")["By country"].iter_rows(values_only=True))
    assert rows[1][:3] == ("GB", "EUR", 5)
    empty = run(tmp_path, "statement", "2026-10")
    assert empty.stdout.startswith("0 messages")
    assert empty.stdout.endswith("\nNothing was billed.\n")
    assert (tmp_path / "statement-2026-10.xlsx").is_file()


def test_the_ledger_becomes_parquet_files(tmp_path: Path) -> None:
    campaign = sent_campaign(tmp_path)
    done = run(tmp_path, "export", "tables", "--campaign", campaign)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(pd.read_parquet(tmp_path / "tables" / "messages.parquet")) == 5
    assert len(pd.read_parquet(tmp_path / "tables" / "events.parquet")) == 5
    unknown = run(tmp_path, "export", "tables", "--campaign", "none")
    assert unknown.returncode == 2
