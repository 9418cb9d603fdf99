"""How long a click on the side bar takes until the page stands, in a browser: see docs/benchmarks.md.

    python tests/benchmarks/big_ledger.py big.sqlite
    python tests/benchmarks/bench_page_switch.py big.sqlite
    python tests/benchmarks/bench_page_switch.py big.sqlite --check     # fails above 0.5 s

The browser's own clock runs from the click until the page has its heading, its script has ended and nothing
on it is stale. First every page once, then forth and back along the side bar. The campaign that is being sent
in that ledger stays so, as the pace is all but nothing.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.extend(str(Path(__file__).parents[1] / name) for name in (".", "browser"))
from dashboard_server import FLAGS, find_chromium, serve, settled, visitor

PAGES = (
    *("Overview", "New campaign", "Campaigns", "Contacts", "Opt-outs"),
    *("Check a number", "Delivery reports", "Settings"),
)
TIMES, WANTED_S = 10, 0.5

CLICK = """([heading, limit_ms]) => new Promise((resolve, reject) => {
  const links = [...document.querySelectorAll('[data-testid=stSidebarNav] a')]
  const link = links.find((one) => one.textContent.trim().endsWith(heading))
  const began = performance.now()
  let seen = null
  link.click()
  const look = () => {
    const now = performance.now() - began
    const titles = [...document.querySelectorAll('h1')].map((one) => one.textContent.trim())
    const app = document.querySelector('[data-testid=stApp]')
    const busy = document.querySelector('[data-testid=stSkeleton], [data-stale=true]')
    if (titles.includes(heading)) seen ??= now
    if (seen !== null && app.dataset.testScriptState === 'notRunning' && !busy) resolve([seen, now])
    else if (now > limit_ms) reject(new Error(`${heading} does not come to rest`))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})"""


def main() -> int:
    """Print the tables; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        variables = {
            "DASHBOARD_DATABASE_URL": f"sqlite:///{chosen.file.resolve().as_posix()}",
            "DASHBOARD_MESSAGES_PER_SECOND": "0.001",
        }
        with serve(Path(name), **variables) as address, visitor(browser) as page:
            slowest = measure(page, address)
        browser.close()
    return int(chosen.check and slowest > WANTED_S)


def measure(page: Page, address: str) -> float:
    """Print how long each switch takes; returns the slowest median."""
    page.goto(f"{address}/settings")
    settled(page)
    print("| first visit, s | heading | at rest |\n|---|--:|--:|")
    for name in PAGES:
        seen, rest = switch(page, name)
        print(f"| {name} | {seen:.2f} | {rest:.2f} |")
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    way = [*PAGES, *PAGES[-2:0:-1]]  # forth and back
    switch(page, way[0])
    for left, entered in pairwise([*way * TIMES, way[0]]):
        taken[left, entered].append(switch(page, entered)[1])
    print("\n| from | to | median | p95 |\n|---|---|--:|--:|")
    medians = {pair: statistics.median(seconds) for pair, seconds in taken.items()}
    for pair, seconds in taken.items():
        late = sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1]
        print(f"| {pair[0]} | {pair[1]} | {medians[pair]:.2f} | {late:.2f} |")
    return max(medians.values())


def switch(page: Page, heading: str) -> tuple[float, float]:
    """Click on a page's link; seconds until its heading stands, and until all of it does."""
    seen, rest = page.evaluate(CLICK, [heading, 60_000])
    return seen / 1000, rest / 1000


if __name__ == "__main__":
    sys.exit(main())
