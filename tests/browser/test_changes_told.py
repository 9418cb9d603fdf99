"""Whoever looks after the dashboard reads who did what, and takes it along."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, pick, settled
from playwright.sync_api import Page, expect

pytestmark = [
    pytest.mark.browser,
    ON_BOTH,
]


def test_a_start_is_found_and_a_download_is_told(
    page: Page, look: tuple[str, str], dashboard: str, campaign: str, tmp_path: Path
) -> None:
    del look
    page.goto(f"{dashboard}/history")
    settled(page)
    pick(page, "What", "Started a campaign")
    rows = page.get_by_role("table", name="Who did what").locator("tbody tr")
    expect(rows.filter(has_not_text="Started a campaign")).to_have_count(0)
    expect(rows.filter(has_text="Clean list").first).to_contain_text("system:")
    settled(page)
    assert_accessible(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV, for programs").click()
    waiting.value.save_as(tmp_path / "history.csv")
    with (tmp_path / "history.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert {row["what"] for row in found} == {"start"}
    assert campaign in {row["about"] for row in found}
    page.reload()
    settled(page)
    expect(rows.first).to_contain_text("Downloaded or exported a file")
