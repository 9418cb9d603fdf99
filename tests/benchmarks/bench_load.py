"""Many people at once on one server: how long pages take, and what open ones cost: see docs/benchmarks.md.

    python tests/benchmarks/big_ledger.py team.sqlite --messages 100000 --campaigns 40
    python tests/benchmarks/bench_load.py team.sqlite
    python tests/benchmarks/bench_load.py team.sqlite --processes 2     # each person stays with one of them
    python tests/benchmarks/bench_load.py team.sqlite --idle 200        # pages that are open and nothing more

A person is a websocket that asks for a page, reads all of it, thinks for three seconds and asks for another.
Whoever reads shares the cores with the server, as a browser on the same machine would, at a fraction of what
drawing costs. Seeded: the pages and the pauses are the same in every run.
"""

from __future__ import annotations

import argparse
import math
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import psutil

sys.path.extend(str(Path(__file__).parents[1] / name) for name in (".", "browser"))
from dashboard_server import Server, served
from page_socket import PageSocket

PAGES = ("", "campaigns", "campaign", "contacts", "opt-outs", "person", "new", "settings")
"""The side bar's, and a campaign's own; an empty name is Overview."""

THINKS_S = 3.0
STARTS_OVER_S = 10.0
"""People come one after another; whoever came first is not counted before all are there."""


@dataclass(frozen=True)
class Switch:
    """A page that somebody asked for, and the seconds until all of it was there."""

    page: str
    seconds: float


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--switches", type=int, default=12, help="by each of them")
    parser.add_argument("--processes", type=int, default=1, help="servers of the same ledger")
    parser.add_argument(
        "--idle", type=int, help="open so many pages instead, and look at the server's memory"
    )
    chosen = parser.parse_args()
    with ExitStack() as opened:
        servers = [opened.enter_context(_server(opened, chosen.file)) for _ in range(chosen.processes)]
        if chosen.idle:
            idle(servers, chosen.idle)
        else:
            load(servers, chosen.file, chosen.people, chosen.switches)


def _server(opened: ExitStack, file: Path) -> AbstractContextManager[Server]:
    folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
    address = f"sqlite:///{file.resolve().as_posix()}"
    return served(folder, DASHBOARD_DATABASE_URL=address, DASHBOARD_MESSAGES_PER_SECOND="0.001")


def load(servers: list[Server], file: Path, people: int, switches: int) -> None:
    """Everybody at once."""
    campaigns = campaigns_of(file)
    taken: list[Switch] = []
    threads = [
        Thread(
            target=person, args=(servers[number % len(servers)], number, people, switches, campaigns, taken)
        )
        for number in range(people)
    ]
    cpu, began = [cpu_s(server) for server in servers], time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took, spent = (
        time.perf_counter() - began,
        [cpu_s(one) - before for one, before in zip(servers, cpu, strict=True)],
    )
    print("| page | switches | median, s | p95, s |\n|---|--:|--:|--:|")
    for page in (*PAGES, None):
        seconds = sorted(one.seconds for one in taken if page in {None, one.page})
        if not seconds:
            continue
        p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
        name = "**all**" if page is None else page or "overview"
        print(f"| {name} | {len(seconds)} | {statistics.median(seconds):.2f} | {p95:.2f} |")
    every = people * (switches + 1)
    cores = ", ".join(f"{one / took:.2f}" for one in spent)
    print(f"{sum(spent) / every * 1000:.0f} ms of CPU a switch; cores used by each server: {cores}")


def person(
    server: Server, number: int, people: int, switches: int, campaigns: list[str], taken: list[Switch]
) -> None:
    """One of them: come, look at one page after another, go."""
    dice = random.Random(number)  # noqa: S311 - figures to measure with, not secrets
    time.sleep(STARTS_OVER_S * number / people)
    with PageSocket(server.address, {}) as page:
        look_at(page, "", "")
        time.sleep(STARTS_OVER_S * (1 - number / people))
        for _ in range(switches):
            time.sleep(THINKS_S * dice.uniform(0.5, 1.5))
            name = dice.choice(PAGES)
            query = f"id={dice.choice(campaigns)}" if name == "campaign" else ""
            began = time.perf_counter()
            look_at(page, name, query)
            taken.append(Switch(name, time.perf_counter() - began))


def look_at(page: PageSocket, name: str, query: str) -> None:
    """Ask for a page and read all of it."""
    page.open_page(name, query)
    page.frames.clear()


def idle(servers: list[Server], pages: int) -> None:
    """Open pages and leave them alone."""
    before = [memory_mb(server) for server in servers]
    with ExitStack() as opened:
        for number in range(pages):
            page = opened.enter_context(PageSocket(servers[number % len(servers)].address, {}))
            look_at(page, "", "")
        held, cpu = [memory_mb(server) for server in servers], [cpu_s(server) for server in servers]
        time.sleep(30)
        spent = [cpu_s(one) - then for one, then in zip(servers, cpu, strict=True)]
        look_at(page, "settings", "")  # it was open all the while
    print(
        f"{pages} open pages: {sum(held):,.0f} MB in all, {sum(before):,.0f} MB before the first; "
        f"{sum(spent) / 30 * 1000:.0f} ms of CPU a second while nobody does anything"
    )


def campaigns_of(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        return [str(row[0]) for row in connection.execute("SELECT id FROM campaign ORDER BY id")]


def processes_of(server: Server) -> list[psutil.Process]:
    """The server's own and its children's."""
    own = psutil.Process(server.pid)
    return [own, *own.children(recursive=True)]


def cpu_s(server: Server) -> float:
    spent = [one.cpu_times() for one in processes_of(server)]
    return float(sum(times.user + times.system for times in spent))


def memory_mb(server: Server) -> float:
    return float(sum(one.memory_info().rss for one in processes_of(server)) / 2**20)


if __name__ == "__main__":
    main()
