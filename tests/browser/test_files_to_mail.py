"""The files that people mail: their names, what is in them, and a report that opens anywhere and prints."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import Server, settled
from journey_steps import head, leave_draft
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect
from sandbox_books import QUICK, SandboxBooks

pytestmark = pytest.mark.browser
PEOPLE = "First name,Mobile,Shop\nZoë,07400 111222,Leeds\nBen,07400 333444,York\n"
PAPER = {"width": 688, "height": 1017}
"""A4 between margins of 14 mm, in CSS pixels."""
TEXT = "Hi {{ First name }}, doors open at ten."


def test_a_campaigns_files_are_named_after_it_and_made_to_be_read(
    chromium: Browser, page: Page, small_batches: Server, tmp_path: Path
) -> None:
    name = "Spring: sale/now"
    SandboxBooks(small_batches.folder).simulate(QUICK)
    send_text(page, small_batches, name)
    expect(page.locator(".stages").first).to_contain_text("Delivered 2")
    page.reload()
    settled(page)
    page.get_by_role("button", name="Download", exact=True).click()
    assert_accessible(page)
    today = datetime.now(UTC).date().isoformat()
    called = name.replace(": ", " ").replace("/", " ")

    people = download(page, "Excel, to read and e-mail", tmp_path)
    assert people.name == f"{called} – recipients – {today}.xlsx"
    titles, *rows = load_workbook(io.BytesIO(people.read_bytes())).active.iter_rows(values_only=True)
    found = [dict(zip(titles, row, strict=True)) for row in rows]
    assert [(row["First name"], row["Shop"], row["Number"], row["Status"]) for row in found] == [
        ("Zoë", "Leeds", "+447400111222", "Delivered"),
        ("Ben", "York", "+447400333444", "Delivered"),
    ]
    assert "Mobile" not in titles
    assert all(isinstance(row["Delivered (UTC)"], datetime) for row in found)
    assert download(page, "CSV, for programs", tmp_path).name == f"{called} – recipients – {today}.csv"

    report = download(page, "Web page, without people", tmp_path)
    assert report.name == f"{called} – report – {today}.html"
    assert_a_report_without_people(chromium, report, name)


def assert_a_report_without_people(chromium: Browser, report: Path, name: str) -> None:
    """It opens without a network, says the text as it was written, and fits on paper."""
    context = chromium.new_context(offline=True, viewport={"width": 1100, "height": 800})
    page = context.new_page()
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.locator("blockquote")).to_have_text(TEXT)
    assert "447400" not in page.content()
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size(PAPER)
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    context.close()


def send_text(page: Page, server: Server, name: str) -> None:
    """Send to Zoë and Ben from a draft at its last step; ends on the campaign's page."""
    page.goto(server.address + leave_draft(server.folder, PEOPLE, name=name, template=TEXT, step=5))
    page.get_by_role("button", name="Send 2 messages").click()
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(head(page)).to_contain_text("Done")


def download(page: Page, label: str, folder: Path) -> Path:
    """Press one of the buttons under Download."""
    with page.expect_download() as coming:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name=label).first.click()
    target = folder / coming.value.suggested_filename
    coming.value.save_as(target)
    return target
