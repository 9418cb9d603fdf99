"""A sheet of 1,000,000 rows through the wizard in a browser, until the button that sends it.

    python tests/benchmarks/bench_big_sheet.py
    python tests/benchmarks/bench_big_sheet.py --rows 200000

For each step: seconds from the click until the page stands still, and the most memory the server ever had
until then, with the processes that it started. The browser's own time to draw is in it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect, sync_playwright

sys.path.append(str(Path(__file__).parents[1] / "browser"))
from dashboard_server import FLAGS, find_chromium, serve, settled, visitor

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


def family(root: int) -> Iterator[Path]:
    """The server and what it started, in /proc."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    ours = {root}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return (Path("/proc", str(pid)) for pid in ours)


def peak_mb(root: int) -> tuple[float, float]:
    """The server's peak of resident memory, and the highest of the processes that it started."""
    peaks = {}
    for process in family(root):
        try:
            line = next(
                row for row in (process / "status").read_text().splitlines() if row.startswith("VmHWM")
            )
        except (OSError, StopIteration):
            continue
        peaks[int(process.name)] = int(line.split()[1]) / 1024
    return peaks.pop(root), max(peaks.values(), default=0.0)


def server_of(address: str) -> int:
    """The process that listens on the address's port."""
    port = int(address.rpartition(":")[2])
    wanted = f"DASHBOARD_PORT={port}".encode()
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if (
                wanted in environ.read_bytes().split(b"\0")
                and b"dashboard\0" in (environ.parent / "cmdline").read_bytes()
            ):
                return int(environ.parent.name)
        except OSError:
            continue
    raise LookupError(address)


@contextmanager
def step(name: str, root: int) -> Iterator[None]:
    """Print what a step took."""
    begun = time.perf_counter()
    yield
    server, child = peak_mb(root)
    print(
        f"{name:<24}{time.perf_counter() - begun:>8.1f} s   peak {server:>6,.0f} MB   other {child:,.0f} MB",
        flush=True,
    )


def through(page: Page, address: str, sheet: Path, rows: int) -> None:
    """The whole wizard."""
    root = server_of(address)
    page.goto(address + "/new")
    settled(page)
    with step("upload and read", root):
        page.locator("input[type=file]").set_input_files(sheet)
        expect(page.get_by_text(f"{rows:,} rows")).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page, 120)
    for name, landmark in (("match columns", "What is in the columns"), ("check rows", "Ready to send")):
        with step(name, root):
            page.get_by_role("button", name="Continue").click()
            expect(page.get_by_text(landmark, exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
            settled(page, 120)
    with step("message", root):
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_text("Preview", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page, 120)
    name = page.get_by_role("textbox", name="Campaign name")
    name.fill("Spring")
    name.press("Tab")
    settled(page, 120)
    with step("write a text", root):
        box = page.get_by_role("textbox", name="Message", exact=True)
        box.fill(
            "Hi {{ First name | there }} in {{ City }}, your code: {{ Voucher }}. Reply STOP to opt out."
        )
        box.press("Control+Enter")
        expect(page.locator(".bubble")).to_contain_text("your code", timeout=MINUTE_MS)
        settled(page, 120)
    with step("review", root):
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_text("The first message", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
        settled(page, 120)
    page.get_by_role("button", name="Send ").click()
    with step("freeze", root):
        page.get_by_role("dialog").get_by_role("button", name="Send now").click()
        expect(page.get_by_role("heading", name="Spring", exact=True)).to_be_visible(timeout=5 * MINUTE_MS)
    with step("campaign page", root):
        settled(page, 300)


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
        with serve(folder) as address, visitor(browser) as page:
            through(page, address, sheet, rows)
        browser.close()


if __name__ == "__main__":
    main()
