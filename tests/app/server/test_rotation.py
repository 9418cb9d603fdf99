"""Keys and webhook secrets are changed while the dashboard runs: nothing is restarted, nothing is lost."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from commands.command_line import environment
from fixtures_ledger import messages_frame
from forked import Forked, program
from odd_server import OddServer, closed_port, echoing
from patience import PATIENCE_S, wait_until

from dashboard.app.door.signature import WEBHOOK_PATH, key_of, sign
from dashboard.ledger import Ledger

FIRST, SECOND = "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e", "hT4vQz7NcX2mKe9RbW5sYp8LdJ3gFa6U"


def posted(address: str, secret: str) -> int:
    """What a dashboard answers to a report that is signed with a secret."""
    now, own = str(int(time.time())), f"msg_{time.monotonic_ns()}"
    signature = sign(key_of(secret), own, now, b"[]")
    signed = {"webhook-id": own, "webhook-timestamp": now, "webhook-signature": signature}
    return httpx.post(address + WEBHOOK_PATH, content=b"[]", headers=signed, timeout=PATIENCE_S).status_code


@contextmanager
def dashboard(folder: Path, **variables: str) -> Iterator[str]:
    """The address of one that runs in a process of its own."""
    port = closed_port()
    given = environment(folder, DASHBOARD_PORT=str(port), **variables)
    process = Forked(program, [], folder=folder, environment=given, out=folder / "out", err=folder / "err")

    def is_up() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_S).status_code == 200
        except httpx.TransportError:
            return process.poll() is not None

    try:
        wait_until(is_up)
        assert process.poll() is None, (folder / "err").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)


def test_both_secrets_count_during_a_change_and_the_next_request_has_the_new_key(tmp_path: Path) -> None:
    names = ("SMS_API_KEY", "DASHBOARD_WEBHOOK_SECRET", "DASHBOARD_WEBHOOK_SECRET_BEFORE")
    key, newest, before = (tmp_path / name.lower() for name in names)
    for file, holds in ((key, FIRST), (newest, FIRST), (before, "")):
        file.write_text(holds)
    files = {f"{name}_FILE": str(tmp_path / name.lower()) for name in names}
    with (
        OddServer(echoing()) as service,
        dashboard(tmp_path, SMS_BASE_URL=service.base_url, **files) as address,
        Ledger.open(tmp_path / "data" / "ledger.sqlite") as ledger,
    ):
        assert [posted(address, FIRST), posted(address, SECOND)] == [200, 401]
        before.write_text(FIRST)
        newest.write_text(SECOND)
        assert [posted(address, FIRST), posted(address, SECOND)] == [200, 200]
        before.write_text("")
        assert [posted(address, FIRST), posted(address, SECOND)] == [401, 200]
        newest.unlink()  # nobody is locked out by a mistake
        assert posted(address, SECOND) == 200
        for number, secret in enumerate((FIRST, SECOND)):
            key.write_text(f"{secret}\n")
            texts = messages_frame(1, campaign=f"Campaign {number}", first=number)
            campaign = ledger.create_campaign(f"Campaign {number}", texts, batch_size=1)
            ledger.start(campaign)
            wait_until(lambda of=campaign: ledger.campaign(of).accepted == 1)  # type: ignore[misc]
        keys = [request.headers["authorization"] for request in service.requests]
    assert keys == [f"Bearer {FIRST}", f"Bearer {SECOND}"]
    said = (tmp_path / "out").read_text() + (tmp_path / "err").read_text()
    assert "DASHBOARD_WEBHOOK_SECRET_FILE" in said
    assert SECOND not in said
