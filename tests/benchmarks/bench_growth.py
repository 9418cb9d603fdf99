"""Memory over an hour of random use: pages, uploads, pauses and delivery reports: see docs/benchmarks.md.

    python tests/benchmarks/big_ledger.py team.sqlite --messages 100000 --campaigns 40
    python tests/benchmarks/bench_growth.py team.sqlite --minutes 60

People come, look at pages, upload a sheet now and then, and go; others come. Beside them campaigns are paused
and resumed, and reports come in, as another process would do it. Prints the server's memory each minute, and
how much more it held in the last third than in the second: the first is for what is loaded once.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

sys.path.extend(str(Path(__file__).parents[1] / name) for name in (".", "browser"))
from bench_load import PAGES, campaigns_of, look_at, memory_mb
from dashboard_server import Server, served
from page_socket import PageSocket

from dashboard.errors import DashboardError
from dashboard.ledger import Ledger

STAYS = 20
"""Pages that somebody looks at before they go."""

UPLOADS = 0.1
"""Share of the steps in which somebody uploads a sheet."""

SHEET_BYTES = 2_000_000


def main() -> None:
    """Print the memory, minute by minute."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--people", type=int, default=10)
    chosen = parser.parse_args()
    url, over = f"sqlite:///{chosen.file.resolve().as_posix()}", Event()
    campaigns, held = campaigns_of(chosen.file), list[float]()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), DASHBOARD_DATABASE_URL=url, DASHBOARD_MESSAGES_PER_SECOND="1") as server,
    ):
        threads = [
            Thread(target=person, args=(server, number, campaigns, over)) for number in range(chosen.people)
        ]
        threads.append(Thread(target=elsewhere, args=(url, campaigns, over)))
        for thread in threads:
            thread.start()
        for minute in range(chosen.minutes):
            time.sleep(60)
            held.append(memory_mb(server))
            print(f"{minute + 1} min: {held[-1]:,.0f} MB", flush=True)
        over.set()
        for thread in threads:
            thread.join()
    third = max(1, len(held) // 3)
    before, after = statistics.median(held[-2 * third : -third] or held), statistics.median(held[-third:])
    print(f"second third {before:,.0f} MB, last third {after:,.0f} MB: {after - before:+,.0f} MB")


def person(server: Server, number: int, campaigns: list[str], over: Event) -> None:
    """One after another: come, look at pages, upload, go."""
    dice = random.Random(number)  # noqa: S311 - steps to measure with, not secrets
    while not over.is_set():
        with PageSocket(server.address, {}) as page:
            page.open_page("")
            session = page.session
            for step in range(STAYS):
                if over.wait(dice.uniform(0.5, 3)):
                    return
                if dice.random() < UPLOADS:
                    upload(server, session, f"{number}-{step}", dice)
                name = dice.choice(PAGES)
                look_at(page, name, f"id={dice.choice(campaigns)}" if name == "campaign" else "")


def upload(server: Server, session: str, name: str, dice: random.Random) -> None:
    """Put a sheet into the memory of a page."""
    wire = HTTPConnection("localhost", urlsplit(server.address).port or 0, timeout=60)
    wire.request("GET", "/_stcore/health")
    answer = wire.getresponse()
    answer.read()
    token = (answer.getheader("set-cookie") or "").partition("_streamlit_xsrf=")[2].partition(";")[0]
    head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'
    body = head.encode() + dice.randbytes(SHEET_BYTES) + b"\r\n--cut--\r\n"
    headers = {
        "Cookie": f"_streamlit_xsrf={token}",
        "X-Xsrftoken": token,
        "Content-Type": "multipart/form-data; boundary=cut",
    }
    wire.request("PUT", f"/_stcore/upload_file/{session}/{name}", body, headers)
    status = wire.getresponse().status
    wire.close()
    if status not in {204, 413, 503}:
        raise SystemExit(f"An upload was answered {status}.")


def elsewhere(url: str, campaigns: list[str], over: Event) -> None:
    """Pause, resume and report, beside the server."""
    dice = random.Random(0)  # noqa: S311 - steps to measure with, not secrets
    with Ledger.open(url) as ledger:
        while not over.wait(2):
            campaign = dice.choice(campaigns)
            with suppress(DashboardError):
                ledger.pause(campaign, "Paused to measure.")
                ledger.resume(campaign)
            uuids = ledger.messages(campaign, columns=["uuid"])["uuid"].head(200)
            now = datetime.now(UTC).isoformat()
            ledger.record_reports(
                [{"uuid": uuid, "status": "pending", "created_at": now, "sent_at": now} for uuid in uuids]
            )


if __name__ == "__main__":
    main()
