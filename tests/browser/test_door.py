"""The server itself: where it listens, what it sends with every answer, what it refuses."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from dashboard_server import ROOT, ask, environment, get, served
from patience import PATIENCE_S

from dashboard.app.door.signature import WEBHOOK_PATH, sign

pytestmark = pytest.mark.first

SECRET = "fictional-webhook-secret"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Started as a person does; those of the other files are forked."""
    folder = tmp_path_factory.mktemp("door")
    with served(folder, forked=False, DASHBOARD_WEBHOOK_SECRET=SECRET) as server:
        yield server.address


def headers_of(address: str) -> dict[str, str]:
    from http.client import HTTPConnection  # noqa: PLC0415

    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=PATIENCE_S)
    connection.request("GET", parts.path or "/")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return {name.lower(): value for name, value in answer.getheaders()}


@pytest.mark.parametrize("path", ["/", "/healthz", "/app/static/icon.png", "/nowhere"])
def test_every_answer_has_the_security_headers(server: str, path: str) -> None:
    headers = headers_of(server + path)
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert "unsafe" not in policy["script-src"]
    assert policy["frame-ancestors"] == "'none'"


def test_streamlits_metrics_are_not_served(server: str) -> None:
    assert get(f"{server}/_stcore/metrics")[0] == 404
    assert get(f"{server}/_stcore/metrics/")[0] == 404


def test_another_host_name_is_refused(server: str) -> None:
    assert get(server, {"Host": "dashboard.evil.example"})[0] == 400


def test_it_listens_on_this_machine_only(server: str) -> None:
    port = urlsplit(server).port
    others = {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"} | {"127.0.0.2"}:
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((address, port)) != 0


@pytest.mark.deep
def test_a_taken_port_is_a_sentence(server: str, tmp_path: Path) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "dashboard"],
        cwd=ROOT,
        env=environment(tmp_path, int(urlsplit(server).port or 0)),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert second.returncode != 0
    assert "set DASHBOARD_PORT to another one" in second.stderr
    assert "Traceback" not in second.stderr


def test_reports_need_a_signature_made_just_now(server: str) -> None:
    body = json.dumps({"data": []}).encode()
    now = str(int(time.time()))
    old = str(int(time.time()) - 301)
    assert ask("POST", server + WEBHOOK_PATH, body)[0] == 401
    assert ask("POST", server + WEBHOOK_PATH, body, _signed(body, old))[0] == 401
    assert ask("POST", server + WEBHOOK_PATH, body, _signed(body, now))[0] == 200
    assert ask("POST", server + WEBHOOK_PATH, body, _signed(body, now))[0] == 409


@pytest.mark.deep
def test_reports_are_answered_at_once(server: str) -> None:
    body = b'{"data": []}'
    now = str(int(time.time()))
    took = []
    for number in range(20):
        began = time.perf_counter()
        assert ask("POST", server + WEBHOOK_PATH, body, _signed(body, now, f"quick-{number}"))[0] == 200
        took.append(time.perf_counter() - began)
    assert min(took) < 0.03  # without TCP_NODELAY each takes 44 ms, however idle the machine


def _signed(body: bytes, timestamp: str, message_id: str = "door") -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(SECRET.encode(), message_id, timestamp, body),
    }
