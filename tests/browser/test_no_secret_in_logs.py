"""The log of a server and of a worker over the real sandbox: lines of JSON, and nothing of anybody."""

from __future__ import annotations

import json
import signal
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pandas as pd
import pytest
from dashboard_server import ROOT, ask, environment, served
from fixtures_ledger import messages_frame
from fixtures_sandbox import QUICK, SandboxPeer
from forked import Forked, program
from odd_server import closed_port
from page_socket import PageSocket
from patience import PATIENCE_S, wait_until
from sqlalchemy import text
from test_secrets_in_errors import DIGITS, KEY, MARKS, NAME, PHONE
from tiers import only_deep

from dashboard import __version__
from dashboard.ledger import Ledger

SECRET = "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e"
FAULTS: tuple[dict[str, Any], ...] = (
    {"kind": "throttled", "next": 1, "retry_after_s": 0},
    {"kind": "error_before", "status": 422, "next": 1},
    {"kind": "error_after", "next": 1},
)


def marked(count: int) -> pd.DataFrame:
    """Messages to one country's numbers that all have the marked digits, with a name in each text."""
    frame = messages_frame(count, NAME, body=[f"Dear {NAME}, {KEY}"] * count)
    phones = [f"+44{DIGITS[:-2]}{number:02}" for number in range(count)]
    return frame.assign(to=pd.Series([PHONE, *phones[1:]], dtype="str"))


def settled(ledger: Ledger, campaign: str) -> bool:
    found = ledger.campaign(campaign)
    if found.state == "paused":
        ledger.resume(campaign)
    return found.state == "done"


def lines_of(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def since_the_start(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what the checks before it warn of, such as a ledger in memory."""
    return [line for line in lines if line["logger"] != "dashboard.jobs.logs" or line["level"] != "warning"]


def assert_silent(said: str, *more: str) -> None:
    assert not [mark for mark in (*MARKS, quote(NAME), *more) if mark in said]


@pytest.mark.first
@pytest.mark.parametrize("database", ["sqlite", *only_deep("postgresql")])
def test_a_server_says_what_it_did_and_nothing_of_anybody(
    database: str, request: pytest.FixtureRequest, sandbox: SandboxPeer, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'data' / 'ledger.sqlite'}"
    if database == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    variables = {
        "DASHBOARD_LOG_FORMAT": "json",
        "DASHBOARD_WEBHOOK_SECRET": SECRET,
        "DASHBOARD_DATABASE_URL": url,
        "SMS_BASE_URL": sandbox.base_url,
        "SMS_API_KEY": sandbox.api_key,
    }
    sandbox.settings(**QUICK)
    sandbox.faults(*FAULTS)
    with served(tmp_path, **variables) as server, Ledger.open(url) as ledger:
        campaign = ledger.create_campaign(NAME, marked(60), batch_size=10)
        ledger.start(campaign)
        wait_until(lambda: settled(ledger, campaign))
        own = strange_requests(server.address)
        broken_page(server.address, ledger, campaign)
        wait_until(lambda: any("error" in line for line in lines_of(_log(tmp_path))))
    said = _log(tmp_path)
    assert_silent(said, SECRET, sandbox.api_key)
    lines = lines_of(said)
    began, *_, ended = (line["message"] for line in since_the_start(lines))
    where = server.address.replace("localhost", "127.0.0.1")
    assert began == f"The dashboard is at {where} (version {__version__}; Ctrl-C stops it)"
    assert ended == "The dashboard has stopped, as it was asked to."
    tried = [line for line in lines if line["message"] == "A batch was tried."]
    assert {line["campaign"] for line in tried} == {campaign}
    assert {"accepted", "throttled", "rejected", "unknown"} == {line["outcome"] for line in tried}
    assert all(line["batch"] and line["attempt"] and "took_ms" in line for line in tried)
    routes = {line["request"]: line["route"] for line in lines if "route" in line}
    assert [routes[one] for one in own] == ["other", "/", "/media/…", "/webhooks/delivery-reports", "other"]
    assert any(line["logger"].startswith("streamlit") and "error" in line for line in lines)


def test_as_text_a_page_that_fails_is_said_and_not_what_it_quotes(
    sandbox: SandboxPeer, tmp_path: Path
) -> None:
    variables = {"SMS_BASE_URL": sandbox.base_url, "SMS_API_KEY": sandbox.api_key}
    with (
        served(tmp_path, **variables) as server,
        Ledger.open(f"sqlite:///{tmp_path / 'data' / 'ledger.sqlite'}") as ledger,
    ):
        campaign = ledger.create_campaign(NAME, marked(10), batch_size=10)
        broken_page(server.address, ledger, campaign)
        wait_until(lambda: "Uncaught app execution\n  " in _log(tmp_path))
    assert_silent(_log(tmp_path), sandbox.api_key)


def _log(folder: Path) -> str:
    return (folder / "dashboard.log").read_text(encoding="utf-8")


def strange_requests(address: str) -> list[str]:
    """Ask for what holds a number, a name and a key; the ids of the requests."""
    said = quote(f"{NAME} {PHONE} {KEY}")
    asked = [
        ("GET", f"/{said}", b""),
        ("GET", f"/?{said}={said}", b""),
        ("GET", f"/media/{said}", b""),
        ("POST", f"/webhooks/delivery-reports?{said}", said.encode()),
        (f"X-{DIGITS}", f"/campaigns/{said}", b""),
    ]
    ids = []
    for method, path, body in asked:
        connection = HTTPConnection("localhost", urlsplit(address).port, timeout=PATIENCE_S)
        connection.request(method, path, body or None, {"X-Name": said, "X-Request-Id": said})
        answer = connection.getresponse()
        answer.read()
        ids.append(answer.getheader("x-request-id") or "")
        connection.close()
    return ids


def broken_page(address: str, ledger: Ledger, campaign: str) -> None:
    """Open a page that fails over a state that nobody knows, and quotes it."""
    with ledger.database.write() as connection:
        statement = text("UPDATE campaign SET state = :state WHERE id = :id")
        connection.execute(statement, {"state": NAME[:16], "id": campaign})
    with PageSocket(address, {}) as page:
        page.open_page("campaigns")
    ask("GET", f"{address}/campaign?id={campaign}")


def test_a_worker_says_what_it_did_and_nothing_of_anybody(sandbox: SandboxPeer, tmp_path: Path) -> None:
    variables = {
        "DASHBOARD_LOG_FORMAT": "json",
        "SMS_BASE_URL": sandbox.base_url,
        "SMS_API_KEY": sandbox.api_key,
    }
    sandbox.settings(**QUICK)
    sandbox.faults({"kind": "throttled", "next": 2})
    with Ledger.open(f"sqlite:///{tmp_path / 'data' / 'ledger.sqlite'}") as ledger:
        campaign = ledger.create_campaign(NAME, marked(30), batch_size=10)
        ledger.start(campaign)
    out, log, given = tmp_path / "out", tmp_path / "log", environment(tmp_path, closed_port()) | variables
    words = ["worker", "--until-done", "--json"]
    assert Forked(program, words, folder=ROOT, environment=given, out=out, err=log).wait(PATIENCE_S) == 0
    assert_silent(log.read_text() + out.read_text(), sandbox.api_key)
    assert json.loads(out.read_text())["accepted"] == 30
    outcomes = [line["outcome"] for line in lines_of(log.read_text()) if "batch" in line]
    assert sorted(outcomes) == ["accepted"] * 3 + ["throttled"] * 2


def test_a_worker_that_waits_says_so_in_its_log(sandbox: SandboxPeer, tmp_path: Path) -> None:
    variables = {
        "DASHBOARD_LOG_FORMAT": "json",
        "SMS_BASE_URL": sandbox.base_url,
        "SMS_API_KEY": sandbox.api_key,
    }
    log, given = tmp_path / "log", environment(tmp_path, closed_port()) | variables
    worker = Forked(program, ["worker"], folder=ROOT, environment=given, out=log, err=log)
    wait_until(lambda: worker.poll() is not None or (log.exists() and "Ctrl-C stops it" in log.read_text()))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(PATIENCE_S) == 0
    assert [line["message"] for line in since_the_start(lines_of(log.read_text()))] == [
        f"Sending running campaigns (version {__version__}; Ctrl-C stops it)",
        "Stopped, as asked. Start a worker or the dashboard to continue sending.",
    ]
