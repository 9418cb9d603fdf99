"""A sheet of 1,000,000 rows through the wizard in a browser, until the button that sends it.

    python tests/benchmarks/bench_big_sheet.py
    python tests/benchmarks/bench_big_sheet.py --rows 200000

For each step: seconds from the click until the page stands still, and the most memory the server ever had
until then, with the processes that it started. The browser's own time to draw is in it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
from playwright.sync_api import Page, expect, sync_playwright

sys.path.extend(str(Path(__file__).parents[1] / name) for name in (".", "browser"))
from dashboard_server import FLAGS, Server, find_chromium, served, settled, visitor

MINUTE_MS = 60_000


def write_sheet(path: Path, rows: int) -> None:
    """Contacts as CSV; the phones are all different and British."""
    chance = np.random.default_rng(3)
    pd.DataFrame(
        {
            "First name": chance.choice(["Ann", "Zoë", "Łukasz", "Bob", ""], rows),
            "Mobile": [
                f"07{number:09d}" for number in 400_000_000 + chance.choice(99_999_999, rows, replace=False)
            ],
            "City": chance.choice(["Leeds", "York", "Bath"], rows),
            "Voucher": [f"V{number:07d}" for number in range(rows)],
        }
    ).to_csv(path, index=False)


def peak_mb(process: psutil.Process) -> float:
    """The most memory that was ever resident, or 0 if it has ended."""
    try:
        status = Path("/proc", str(process.pid), "status").read_text()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM")) / 1024


@contextmanager
def step(name: str, process: psutil.Process) -> Iterator[None]:
    """Print what a step took."""
    begun = time.perf_counter()
    yield
    server = peak_mb(process)
    child = max(map(peak_mb, process.children(recursive=True)), default=0.0)
    print(
        f"{name:<24}{time.perf_counter() - begun:>8.1f} s   peak {server:>6,.0f} MB   other {child:,.0f} MB",
        flush=True,
    )


def through(page: Page, server: Server, sheet: Path, rows: int) -> None:
    """The whole wizard."""
    root = psutil.Process(server.pid)
    page.goto(server.address + "/new")
    settled(page)
    with step("upload and read", root):
        page.locator("input[type=file]").set_input_files(sheet)
        expect(page.get_by_text(f"{rows:,} rows")).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page)
    for name, landmark in (("match columns", "What is in the columns"), ("check rows", "Ready to send")):
        with step(name, root):
            page.get_by_role("button", name="Continue").click()
            expect(page.get_by_text(landmark, exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
            settled(page)
    with step("message", root):
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_text("Preview", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page)
    name = page.get_by_role("textbox", name="Campaign name")
    name.fill("Spring")
    name.press("Tab")
    settled(page)
    with step("write a text", root):
        box = page.get_by_role("textbox", name="Message", exact=True)
        box.fill(
            "Hi {{ First name | there }} in {{ City }}, your code: {{ Voucher }}. Reply STOP to opt out."
        )
        box.press("Control+Enter")
        expect(page.locator(".bubble")).to_contain_text("your code", timeout=MINUTE_MS)
        settled(page)
    with step("review", root):
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_text("The first message", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page)
    page.get_by_role("button", name=re.compile(r"^Send \d")).click()
    with step("freeze", root):
        page.get_by_role("dialog").get_by_role("button", name="Send now").click()
        expect(page.get_by_role("heading", name="Spring", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
    with step("campaign page", root):
        settled(page)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        sheet = folder / "people.csv"
        write_sheet(sheet, rows)
        print(f"{rows:,} rows, {sheet.stat().st_size / 1e6:.0f} MB")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with served(folder) as server, visitor(browser) as page:
            through(page, server, sheet, rows)
        browser.close()


if __name__ == "__main__":
    main()
