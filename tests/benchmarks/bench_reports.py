"""Delivery reports into a ledger on SQLite, and messages out of it; see docs/benchmarks.md.

    python tests/benchmarks/bench_reports.py --messages 1000000 --reports 100000
    python tests/benchmarks/bench_reports.py --check      # fails when a promise is broken
    python tests/benchmarks/bench_reports.py --profile    # where the time of taking reports goes
    python tests/benchmarks/bench_reports.py --webhook 200    # to a dashboard, 200 in a request

Every report is about another message, drawn from all of them, and tells something new. Seconds are by the
clock and of CPU; other programs on the machine weigh on the first, so reports are judged by the second. Of
reading, which uses two cores, the least of five counts.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import secrets
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import httpx
import orjson

sys.path.extend(str(Path(__file__).parents[1] / name) for name in (".", "browser"))

from bench_sending import frame
from clocks import timed
from dashboard_server import served
from fixtures_ledger import accepted, claim

from dashboard.app.door.signature import sign
from dashboard.ledger import Ledger

SEED = 7
BATCH = 500
POSTS_AT_ONCE = 8
SECRET = secrets.token_urlsafe()
WANTED_PER_S, WANTED_READ_S = 10_000, 3.0
REPORTING = ("new reports", "the same again")
TEXT = (
    "Hi Ann, our spring sale starts on Friday, your code is {{number}}: "
    "https://shop.example.com/spring Reply STOP to end"
)
"""About 120 characters with a link."""


def sent_campaign(ledger: Ledger, count: int) -> str:
    """A campaign whose messages the service accepted."""
    campaign = ledger.create_campaign("Spring", frame(count, TEXT), batch_size=BATCH)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    for _ in range(-(-count // BATCH)):
        got = claim(ledger, campaign, owner)
        ledger.outbox.settle(got, accepted(got, credits_used=1))
    return campaign


def reports_of(uuids: list[str]) -> list[dict[str, object]]:
    """One about each, in any order: 19 of 20 delivered."""
    random.Random(SEED).shuffle(uuids)  # noqa: S311 - seeded on purpose
    sent = {"sent_at": "2026-11-20T09:00:05.000000Z", "credits_used": 1}
    delivered = {**sent, "status": "delivered", "delivered_at": "2026-11-20T09:00:09.000000Z"}
    failed = {**sent, "status": "failed", "failure_reason": "unreachable"}
    return [{"uuid": uuid, **(delivered if place % 20 else failed)} for place, uuid in enumerate(uuids)]


def post(url: str, folder: Path, reports: list[dict[str, object]], at_once: int) -> None:
    """Have a dashboard take them, so many in a request."""
    settings = {"DASHBOARD_DATABASE_URL": url, "DASHBOARD_WEBHOOK_SECRET": SECRET}
    with served(folder, **settings) as server, httpx.Client(trust_env=False) as client:

        def send(some: list[dict[str, object]]) -> int:
            body, uuid, at = orjson.dumps(some), str(uuid4()), str(int(time.time()))
            headers = {"webhook-id": uuid, "webhook-timestamp": at}
            headers["webhook-signature"] = sign(SECRET.encode(), uuid, at, body)
            answer = client.post(f"{server.address}/webhooks/delivery-reports", content=body, headers=headers)
            return int(answer.raise_for_status().json()["taken"])

        parts = [reports[start : start + at_once] for start in range(0, len(reports), at_once)]
        began = time.perf_counter()
        with ThreadPoolExecutor(POSTS_AT_ONCE) as threads:
            taken = sum(threads.map(send, parts))
        took = time.perf_counter() - began
    print(f"webhook, {at_once:,} in a request: {taken:,} of {len(reports):,}, {taken / took:,.0f} a second")


def main() -> int:
    """Print the table; the exit code says whether what is wanted holds."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--messages", type=int, default=1_000_000)
    options.add_argument("--reports", type=int, default=100_000)
    options.add_argument("--check", action="store_true")
    options.add_argument("--profile", action="store_true")
    options.add_argument("--webhook", type=int)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.sqlite'}"
        ledger = Ledger.open(url)
        campaign = sent_campaign(ledger, given.messages)
        uuids = ledger.messages(campaign, columns=["uuid"])["uuid"].sample(given.reports, random_state=SEED)
        reports = reports_of(uuids.tolist())
        if given.profile:
            profile = cProfile.Profile()
            profile.runcall(ledger.record_reports, reports)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
            return 0
        if given.webhook:
            ledger.close()
            post(url, Path(folder), reports, given.webhook)
            return 0
        took = {"new reports": timed(lambda: ledger.record_reports(reports))}
        took["the same again"] = timed(lambda: ledger.record_reports(reports))
        ledger.close()
        reader = Ledger.open(url, read_only=True)
        took["messages()"] = min(timed(reader.messages) for _ in range(5))
        took["events()"] = min(timed(reader.events) for _ in range(5))
        took["contacts()"] = min(timed(reader.contacts) for _ in range(5))
        took["write_parquet()"] = timed(lambda: reader.write_parquet(Path(folder) / "parquet"))
        reader.close()
    for what, (clock_s, cpu_s) in took.items():
        rows = given.reports if what in REPORTING else given.messages
        print(f"{what:16} {clock_s:8.2f} s {cpu_s:8.2f} CPU s {rows / clock_s:12,.0f} a second")
    per_s = given.reports / took["new reports"][1]
    read_s = took["messages()"][0] * 1_000_000 / given.messages
    kept = per_s >= WANTED_PER_S and read_s <= WANTED_READ_S
    return int(given.check and not kept)


if __name__ == "__main__":
    sys.exit(main())
