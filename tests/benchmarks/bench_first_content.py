"""When a page shows something over a slow line, in a browser: see docs/benchmarks.md.

    python tests/benchmarks/bench_first_content.py
    python tests/benchmarks/bench_first_content.py --check     # fails above 1 s

Chromium slows the line down to 1 MB/s with 40 ms there and back, and measures by its own clock: when it first
painted any words, and when the page had its heading and came to rest. Each look is a browser that was never
there before; the second look of the same browser has the program kept.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.append(str(Path(__file__).parents[1] / "browser"))
sys.path.append(str(Path(__file__).parents[1]))
from dashboard_server import FLAGS, find_chromium, serve, settled, visitor

TIMES, WANTED_S = 5, 1.0
LINE = {"offline": False, "latency": 40, "downloadThroughput": 1_000_000, "uploadThroughput": 1_000_000}
PAGES = {"Overview": "/", "New campaign": "/new", "Campaigns": "/campaigns", "Settings": "/settings"}
FIRST_PAINT = """performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000"""
HEADING = """
(function look() {
  if (document.querySelector("[data-testid=stMain] h1")) window.headed = performance.now() / 1000;
  else requestAnimationFrame(look);
})();
"""
Look = tuple[float, float, float, float]
"""Seconds until the first words, the heading and the page at rest; megabytes that came until then."""


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    slowest = 0.0
    each = "first words, s | heading, s | at rest, s | MB"
    print(f"| page | {each} | again: {each} |\n|---{'|--:' * 8}|")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with serve(Path(name)) as address:
            for heading, path in PAGES.items():
                looks = [both_looks(browser, address + path) for _ in range(TIMES)]
                medians = [statistics.median(times) for times in zip(*looks, strict=True)]
                print(f"| {heading} | {' | '.join(f'{median:.2f}' for median in medians)} |")
                slowest = max(slowest, medians[0])
        browser.close()
    return int(chosen.check and slowest > WANTED_S)


def both_looks(browser: Browser, address: str) -> tuple[float, ...]:
    """The first look of a new browser, and its second."""
    with visitor(browser) as page:
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", LINE)
        came: list[float] = []
        wire.on("Network.loadingFinished", lambda told: came.append(told["encodedDataLength"] / 1_000_000))
        page.add_init_script(HEADING)
        return (*look(page, address, came), *look(page, address, came))


def look(page: Page, address: str, came: list[float]) -> Look:
    """Open the page and wait until it is at rest; `came` is filled meanwhile."""
    came.clear()
    page.goto(address, wait_until="commit")
    settled(page)
    now: float = page.evaluate("performance.now() / 1000")
    return page.evaluate(FIRST_PAINT), page.evaluate("window.headed"), now, sum(came)


if __name__ == "__main__":
    sys.exit(main())
