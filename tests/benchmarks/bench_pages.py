"""How long the server takes for a page over a large ledger: see docs/benchmarks.md.

    python tests/benchmarks/big_ledger.py big.sqlite
    python tests/benchmarks/bench_pages.py big.sqlite
    python tests/benchmarks/bench_pages.py big.sqlite --check     # fails above 0.3 s

The whole page is drawn by Streamlit's own AppTest: the first time with nothing kept, then again as after a
click. Nothing of that ledger is sent: the engine works on another.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import streamlit as st
from clocks import timed
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger
from dashboard.settings import load_settings

sys.path.append(str(Path(__file__).parents[1]))
from odd_server import closed_port

MAIN = Path(__file__).parents[2] / "dashboard" / "app" / "main.py"
TIMES, WANTED_S = 7, 0.3


def main() -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        opened = Runtime.open(
            load_settings(data=folder, port=closed_port(), country="GB", sms_base_url=None, sms_api_key=None)
        )
        ledger = Ledger.open(f"sqlite:///{chosen.file.as_posix()}")
        runtime.use(replace(opened, ledger=ledger))
        slowest = measure(ledger)
        runtime.use(None)
        ledger.close()
        opened.close()
    return int(chosen.check and slowest > WANTED_S)


def measure(ledger: Ledger) -> float:
    """Time everything; the slowest of what is wanted within `WANTED_S`."""
    campaigns = ledger.campaigns()
    ordered = campaigns.sort_values("recipients", ascending=False)["campaign"]
    largest, typical, running = ordered.iloc[0], ordered.iloc[100], campaigns["campaign"].iloc[0]
    sizes = campaigns.set_index("campaign")["recipients"]
    pages: dict[str, tuple[str, dict[str, str]]] = {
        "overview": ("overview", {}),
        "campaigns": ("campaigns", {}),
        f"campaign of {sizes[typical]:,}": ("campaign", {"id": typical}),
        f"campaign of {sizes[running]:,}, being sent": ("campaign", {"id": running}),
        f"campaign of {sizes[largest]:,}": ("campaign", {"id": largest}),
    }
    print("| page, s | first | again | most of 7 |\n|---|--:|--:|--:|")
    wanted = []
    for name, (view, query) in pages.items():
        first, again = page_times(view, query)
        print(f"| {name} | {first:.3f} | {statistics.median(again):.3f} | {max(again):.3f} |")
        wanted.append(statistics.median(again))
    queries: dict[str, Callable[[], object]] = {
        "first page of 500": lambda: ledger.recipients(largest, limit=501),
        "those that failed": lambda: ledger.recipients(largest, limit=501, stages=["failed"]),
        "from the middle": lambda: ledger.recipients(largest, limit=501, after=int(sizes[largest]) // 2),
        "a number that nobody has": lambda: ledger.recipients(largest, limit=501, numbers=["99999999999"]),
    }
    print(f"\n| recipients of {sizes[largest]:,}, s | median |\n|---|--:|")
    for name, ask in queries.items():
        taken = statistics.median(seconds(ask) for _ in range(TIMES))
        print(f"| {name} | {taken:.3f} |")
        wanted.append(taken)
    return max(wanted[:-1])


def page_times(view: str, query: dict[str, str]) -> tuple[float, list[float]]:
    """Seconds for the first look, with nothing kept, and for each one after it."""
    page = AppTest.from_file(str(MAIN), default_timeout=60).run()
    page.switch_page(f"views/{view}.py").run() if not query else None
    st.cache_data.clear()
    for name, value in query.items():
        page.query_params[name] = value
    page.switch_page(f"views/{view}.py")
    first = seconds(page.run)
    assert not page.exception, page.exception
    return first, [seconds(page.run) for _ in range(TIMES)]


def seconds(work: Callable[[], object]) -> float:
    return timed(work)[0]


if __name__ == "__main__":
    sys.exit(main())
