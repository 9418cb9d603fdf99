"""A worker as a process of its own, to be killed: worker_process.py LEDGER_URL BASE_URL API_KEY."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from dashboard.ledger import Ledger
from dashboard.sending import Engine
from dashboard.service import SmsService


def main(ledger_url: str, base_url: str, api_key: str) -> None:
    ledger = Ledger.open(ledger_url)
    with SmsService(base_url, api_key) as service, Engine(ledger, service) as engine:

        def stop(_signal: int, _frame: FrameType | None) -> None:
            raise KeyboardInterrupt

        signal.signal(signal.SIGTERM, stop)
        print("up", flush=True)  # noqa: T201 - the test waits for it
        engine.wait_until_done()


if __name__ == "__main__":
    main(*sys.argv[1:])
