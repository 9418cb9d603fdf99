"""Delivery reports: posted to a webhook on this machine, signed, in order, and kept until taken."""

from __future__ import annotations

import base64
import hmac
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from each import each
from fixtures_sandbox import HELD, QUICK, SandboxPeer
from odd_server import OddServer, Peer, SeenRequest, answering, closed_port
from patience import wait_until

from dashboard.sandbox import Sandbox
from dashboard.sandbox.carriers.reports import signature

SECRET = "a secret of the test"


def send(sandbox: SandboxPeer, count: int) -> list[str]:
    uuids = [str(uuid4()) for _ in range(count)]
    payload = [{"to": "+447700900123", "body": "Hi", "uuid": uuid, "campaign": "reports"} for uuid in uuids]
    sandbox.post_bulk(payload).raise_for_status()
    return uuids


def reported(requests: list[SeenRequest]) -> list[dict[str, Any]]:
    return [message for request in requests for message in request.json["data"]]


def is_signed(request: SeenRequest, secret: bytes) -> bool:
    report_id, at = request.headers["webhook-id"], request.headers["webhook-timestamp"]
    digest = hmac.digest(secret, f"{report_id}.{at}.".encode() + request.body, "sha256")
    fresh = abs(int(at) - time.time()) < 60
    return fresh and request.headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


def test_the_present_state_is_posted_to_a_given_url_and_each_change_in_order(
    fresh_sandbox: SandboxPeer,
) -> None:
    fresh_sandbox.settings(**HELD)
    send(fresh_sandbox, 700)
    with OddServer(answering(202)) as receiver:
        wanted = {"url": receiver.base_url, "secret": "whsec_" + base64.b64encode(b"key").decode()}
        answer = fresh_sandbox.http.post("/sandbox/reports", json=wanted)
        assert answer.json() == {"posted": 700, "statuses": [202, 202]}
        assert reported(receiver.requests) == fresh_sandbox.messages()
        assert all(is_signed(request, b"key") for request in receiver.requests)
        other = fresh_sandbox.http.post("/sandbox/reports", json={**wanted, "campaign": "another"})
        assert other.json() == {"posted": 0, "statuses": []}
    fresh_sandbox.settings(**QUICK, delivered_share=0.5)
    with OddServer(answering(204)) as receiver:
        fresh_sandbox.webhook(f"{receiver.base_url}/hook?of=tests", SECRET)
        uuids = send(fresh_sandbox, 40)
        wait_until(lambda: len(reported(receiver.requests)) == 80)
        wait_until(lambda: fresh_sandbox.summary()["reports_waiting"] == 0)
    final = {message["uuid"]: message for message in fresh_sandbox.messages()}
    for uuid in uuids:
        sent, ended = (message for message in reported(receiver.requests) if message["uuid"] == uuid)
        assert (sent["status"], sent["delivered_at"], sent["failure_reason"]) == ("sent", None, None)
        assert ended == final[uuid]
        assert sent["sent_at"] == ended["sent_at"]
    for request in receiver.requests:
        assert request.line == "POST /hook?of=tests HTTP/1.1"
        assert request.headers["content-type"] == "application/json"
        assert is_signed(request, SECRET.encode())
    assert len({request.headers["webhook-id"] for request in receiver.requests}) == len(receiver.requests)


def test_the_signature_is_that_of_standard_webhooks() -> None:
    # The specification's own example.
    headers = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        b'{"test": 2432232314}',
        report_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        at=1614265330,
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_reports_wait_even_beyond_the_end_of_the_sandbox_until_a_webhook_takes_them(tmp_path: Path) -> None:
    with Sandbox.start(tmp_path) as process:
        peer = SandboxPeer(process)
        peer.settings(**QUICK, delivered_share=1)
        peer.webhook(f"http://127.0.0.1:{closed_port()}", SECRET)
        uuids = send(peer, 3)
        wait_until(lambda: peer.summary()["reports_waiting"] == 6)
        peer.http.close()

    def refuse_twice(peer: Peer) -> None:
        peer.read_request()
        peer.answer({1: 500, 2: 401}.get(peer.number, 200))

    with Sandbox.start(tmp_path) as process, OddServer(refuse_twice) as receiver:
        peer = SandboxPeer(process)
        assert peer.http.get("/sandbox/webhook").json()["url"].startswith("http://127.0.0.1:")
        peer.webhook(receiver.base_url, SECRET)
        wait_until(lambda: peer.summary()["reports_waiting"] == 0)
        assert [len(request.json["data"]) for request in receiver.requests] == [6, 6, 6]
        assert len({request.headers["webhook-id"] for request in receiver.requests}) == 1
        assert {message["uuid"] for message in reported(receiver.requests)} == set(uuids)
        peer.http.delete("/sandbox/webhook")
        send(peer, 2)
        wait_until(lambda: peer.summary()["reports_waiting"] == 4)
        assert len(receiver.requests) == 3
        peer.http.close()


@each(
    "wanted, field",
    [
        ({"url": "http://192.0.2.1/hook", "secret": SECRET}, "url"),
        ({"url": "https://127.0.0.1/hook", "secret": SECRET}, "url"),
        ({"url": "http://127.0.0.1:port/", "secret": SECRET}, "url"),
        ({"url": "http://127.0.0.1/", "secret": ""}, "secret"),
        ({"url": "http://127.0.0.1/", "secret": "whsec_%%"}, "secret"),
        ({"url": "http://127.0.0.1/"}, "secret"),
    ],
)
@each("path", ["/sandbox/webhook", "/sandbox/reports"])
def test_only_this_machine_is_a_target(
    sandbox: SandboxPeer, path: str, wanted: dict[str, str], field: str
) -> None:
    answer = sandbox.http.post(path, json=wanted)
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [field]
    assert SECRET not in answer.text
    assert sandbox.http.get("/sandbox/webhook").json() == {"url": None}
