"""The sandbox as a process: one per folder, found or started, and gone with its starter."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from fixtures_sandbox import SandboxPeer
from patience import PATIENCE_S, wait_until

from dashboard.reports import read_reports
from dashboard.sandbox import Sandbox, SandboxError
from dashboard.sandbox.folder import SandboxFolder
from dashboard.service import OutgoingMessage, SmsService

KEPT = ("sandbox.json", "sandbox.sqlite")
STARTER = """
import sys
from pathlib import Path
from dashboard.sandbox import Sandbox
sandbox = Sandbox.start(Path(sys.argv[1]))
print(sandbox.base_url, sandbox.api_key, flush=True)
sys.stdin.read()
"""


def starter(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STARTER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def is_up(base_url: str) -> bool:
    try:
        return httpx.get(f"{base_url}/sandbox/health", trust_env=False, timeout=2).is_success
    except httpx.TransportError:
        return False


def first_line(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


def text_to(phone: str) -> OutgoingMessage:
    return OutgoingMessage(uuid=str(uuid4()), to=phone, body="Hi", campaign="x")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_it_is_found_by_others_set_waited_for_and_asked_and_tells_nobody_else(tmp_path: Path) -> None:
    folder = tmp_path / "sandbox"
    with Sandbox.start(folder) as sandbox, SmsService(sandbox.base_url, sandbox.api_key) as service:
        with Sandbox.start(folder) as second:
            assert (second.base_url, second.api_key) == (sandbox.base_url, sandbox.api_key)
        before = httpx.get(f"{sandbox.base_url}/sandbox/health", trust_env=False).json()
        sandbox.ensure()
        assert httpx.get(f"{sandbox.base_url}/sandbox/health", trust_env=False).json() == before

        changed = sandbox.change(delivered_share=0.0, send_delay_s=[0, 0], delivery_delay_s=[0, 0.2])
        assert changed["delivered_share"] == 0
        service.send_bulk([text_to("+447700900123"), text_to("+447700900124")])
        sandbox.wait_until_final()
        assert [report["status"] for report in read_reports(sandbox.reports())] == ["failed"] * 2
        with pytest.raises(SandboxError, match="no_such"):
            sandbox.change(no_such=1)
        sandbox.change(send_delay_s=[60, 60])
        service.send_bulk([text_to("+447700900125")])
        with pytest.raises(SandboxError, match="still on their way"):
            sandbox.wait_until_final(timeout_s=0.2)

        peer = SandboxPeer(sandbox)
        peer.post_bulk([{"to": "+4477009001234567890", "body": "Dear Ann"}])
        peer.http.get("/s/nothing")
        peer.http.close()
        assert sandbox.api_key not in repr(sandbox)
        modes = {name: stat.S_IMODE((folder / name).stat().st_mode) for name in (".", *KEPT)}
        assert modes == {".": 0o700, **dict.fromkeys(KEPT, 0o600)}
        port = int(sandbox.base_url.rpartition(":")[2])
        for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), port)}:
            if not str(address).startswith("127."):
                with pytest.raises(ConnectionRefusedError):
                    socket.create_connection((address, port), timeout=2)
    assert not is_up(sandbox.base_url)
    with pytest.raises(SandboxError, match="does not answer"):
        sandbox.reports()
    log = (folder / "sandbox.log").read_text()
    assert not [secret for secret in (sandbox.api_key, "900123", "Ann") if secret in log]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_killed_it_is_started_again_as_it_was_but_at_another_port_if_that_is_taken(
    tmp_path: Path,
) -> None:
    with Sandbox.start(tmp_path) as sandbox:
        peer = SandboxPeer(sandbox)
        peer.post_bulk([{"to": "+447700900123", "body": "http://example.com", "campaign": "kept"}])
        (message,) = peer.messages("kept")
        peer.settings(seed=9)
        was = (sandbox.base_url, sandbox.api_key)
        assert sandbox._child is not None
        os.kill(sandbox._child.pid, signal.SIGKILL)
        wait_until(lambda: not is_up(sandbox.base_url))
        sandbox.ensure()
        assert (sandbox.base_url, sandbox.api_key) == was
        assert [kept["uuid"] for kept in peer.messages("kept")] == [message["uuid"]]
        assert peer.http.get(message["body"]).headers["location"] == "http://example.com"
        assert peer.http.get("/sandbox/settings").json()["seed"] == 9
        peer.http.close()
        os.kill(sandbox._child.pid, signal.SIGKILL)
        sandbox.ensure()  # while it is ending
        assert is_up(sandbox.base_url)
    port = int(sandbox.base_url.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)), Sandbox.start(tmp_path) as second:
        assert (second.base_url != was[0], second.api_key) == (True, was[1])
        assert is_up(second.base_url)


def test_what_is_over_is_forgotten_and_nothing_of_it_stays_on_disk(tmp_path: Path) -> None:
    with Sandbox.start(tmp_path) as sandbox, SmsService(sandbox.base_url, sandbox.api_key) as service:
        sandbox.change(send_delay_s=[0, 0], delivery_delay_s=[0, 0])
        peer = SandboxPeer(sandbox)
        twice, once = "+447700900123", "+447700900124"
        for phone in (twice, once):
            link = OutgoingMessage(uuid=str(uuid4()), to=phone, body="Hi Zebedee https://example.com/zebedee")
            service.send_bulk([link])
        sandbox.wait_until_final()
        old = peer.messages()
        sandbox.change(send_delay_s=[60, 60])
        service.send_bulk([text_to(twice)])
        before, soon = peer.summary(), datetime.now(UTC) + timedelta(seconds=2)

        assert sandbox.forget(datetime.now(UTC) - timedelta(days=1)) == 0
        assert sandbox.forget(soon) == 2
        assert sandbox.forget(soon) == 0
        assert peer.summary() == before
        first, second, waiting = peer.messages()
        assert (first["to"], first["body"]) == (twice, "")  # a younger message has the number
        assert (second["to"], second["body"]) == ("forgotten 2", "")
        assert (waiting["to"], waiting["body"]) == (twice, "Hi")
        assert peer.http.get(old[0]["body"].split()[-1]).status_code == 404
        service.send_bulk([text_to(once)])
        assert peer.messages()[-1]["to"] == once
        left = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        assert b"ebedee" not in left
        peer.http.close()


def test_starting_processes_at_once_share_one_sandbox(tmp_path: Path) -> None:
    processes = [starter(tmp_path) for _ in range(2)]
    lines = [first_line(process) for process in processes]
    assert lines[0] == lines[1]
    for process in processes:
        process.communicate()
    wait_until(lambda: not is_up(lines[0][0]))


def test_it_ends_with_its_starter_and_whoever_lost_it_starts_it_again_at_the_same_address(
    tmp_path: Path,
) -> None:
    process = starter(tmp_path)
    base_url, key = first_line(process)
    with Sandbox.start(tmp_path) as attached:
        process.kill()
        process.communicate()
        wait_until(lambda: not is_up(base_url))
        attached.ensure()
        assert (attached.base_url, attached.api_key) == (base_url, key)
        assert is_up(base_url)


def test_one_that_cannot_start_says_where_to_look(tmp_path: Path) -> None:
    SandboxFolder(tmp_path).database.mkdir()
    with pytest.raises(SandboxError, match=r"sandbox\.log"):
        Sandbox.start(tmp_path)
    assert (tmp_path / "sandbox.log").read_text()


def test_a_folder_in_which_it_cannot_write_is_said(tmp_path: Path) -> None:
    SandboxFolder(tmp_path).log.mkdir()
    with pytest.raises(SandboxError, match=r"cannot write in .*Make that folder"):
        Sandbox.start(tmp_path)


def run_alone(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dashboard.sandbox", str(folder), *options]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def test_alone_on_a_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run_alone(tmp_path, "--port", str(port))
        _, error = refused.communicate(timeout=PATIENCE_S)
        assert refused.returncode == 1
        assert error.decode() == f"Port {port} is taken. Choose another one with --port.\n"
    process = run_alone(tmp_path, "--port", str(port))
    try:
        wait_until(lambda: is_up(f"http://127.0.0.1:{port}"))
        with Sandbox.start(tmp_path) as attached:
            assert attached.base_url == f"http://127.0.0.1:{port}"
        assert is_up(attached.base_url)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
