"""Keys and webhook secrets are changed while the dashboard runs: nothing is restarted, nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from fixtures_ledger import messages_frame
from fixtures_sandbox import outgoing
from odd_server import OddServer, closed_port, echoing
from patience import PATIENCE_S, wait_until

from dashboard.app.door.signature import WEBHOOK_PATH, key_of, sign
from dashboard.ledger import Ledger
from dashboard.service import SmsService

ROOT = Path(__file__).parents[3]
FIRST, SECOND = "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e", "hT4vQz7NcX2mKe9RbW5sYp8LdJ3gFa6U"


@dataclass(frozen=True)
class Running:
    folder: Path
    port: int

    def posted(self, secret: str) -> int:
        """What it answers to a report that is signed with a secret."""
        now = str(int(time.time()))
        key = key_of(secret)
        headers = {
            "webhook-id": f"msg_{time.monotonic_ns()}",
            "webhook-timestamp": now,
        }
        headers["webhook-signature"] = sign(key, headers["webhook-id"], now, b"[]")
        return self.answer("POST", WEBHOOK_PATH, b"[]", headers)

    def answer(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, headers or {})
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()


@contextmanager
def dashboard(folder: Path, **variables: str) -> Iterator[Running]:
    ours = ("DASHBOARD_", "SMS_")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    running = Running(folder, closed_port())
    own = {"DASHBOARD_DATA": str(folder / "data"), "DASHBOARD_PORT": str(running.port)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard"],
            cwd=folder,
            env=outside | own | variables | {"PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )
    try:
        wait_until(lambda: process.poll() is not None or running.answer("GET", "/healthz") == 200)
        assert process.poll() is None, (folder / "log").read_text()
        yield running
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The files of the secrets, as the environment names them."""
    names = ("SMS_API_KEY", "DASHBOARD_WEBHOOK_SECRET", "DASHBOARD_WEBHOOK_SECRET_BEFORE")
    return {f"{name}_FILE": tmp_path / name.lower() for name in names}


def test_both_secrets_count_during_a_change_and_one_after_it(files: dict[str, Path], tmp_path: Path) -> None:
    key, newest, before = files.values()
    key.write_text(FIRST)
    newest.write_text(FIRST)
    before.write_text("")
    with OddServer(echoing()) as service:
        named = {name: str(path) for name, path in files.items()}
        with dashboard(tmp_path, SMS_BASE_URL=service.base_url, **named) as running:
            assert [running.posted(FIRST), running.posted(SECOND)] == [200, 401]
            before.write_text(FIRST)
            newest.write_text(SECOND)
            assert [running.posted(FIRST), running.posted(SECOND)] == [200, 200]
            before.write_text("")
            assert [running.posted(FIRST), running.posted(SECOND)] == [401, 200]
            newest.unlink()  # nobody is locked out by a mistake
            assert running.posted(SECOND) == 200
            assert "DASHBOARD_WEBHOOK_SECRET_FILE" in (tmp_path / "log").read_text()
    assert SECOND not in (tmp_path / "log").read_text()


def test_the_next_request_has_the_new_key(files: dict[str, Path], tmp_path: Path) -> None:
    key = files["SMS_API_KEY_FILE"]
    key.write_text(FIRST)
    with OddServer(echoing()) as service:
        variables = {"SMS_BASE_URL": service.base_url, "SMS_API_KEY_FILE": str(key)}
        with (
            dashboard(tmp_path, **variables),
            Ledger.open(tmp_path / "data" / "ledger.sqlite") as ledger,
        ):
            for number, secret in enumerate((FIRST, SECOND)):
                key.write_text(f"{secret}\n")
                texts = messages_frame(1, campaign=f"Campaign {number}", first=number)
                campaign = ledger.create_campaign(f"Campaign {number}", texts, batch_size=1)
                ledger.start(campaign)
                wait_until(lambda of=campaign: ledger.campaign(of).accepted == 1)  # type: ignore[misc]
        keys = [request.headers["authorization"] for request in service.requests]
    assert keys == [f"Bearer {FIRST}", f"Bearer {SECOND}"]


def test_a_client_asks_for_its_key_each_time() -> None:
    keys = iter((FIRST, SECOND))
    with OddServer(echoing()) as server, SmsService(server.base_url, lambda: next(keys)) as service:
        service.send_bulk([outgoing(1)])
        service.send_bulk([outgoing(2)])
        seen = [request.headers["authorization"] for request in server.requests]
    assert seen == [f"Bearer {FIRST}", f"Bearer {SECOND}"]
