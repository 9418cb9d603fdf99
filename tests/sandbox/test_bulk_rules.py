"""What breaks contract section 4.1 is refused: element and field named, nothing taken, no value quoted."""

from __future__ import annotations

import json
import time
from typing import Any
from uuid import uuid4

from each import each
from fixtures_sandbox import SandboxPeer

UUID = "5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1"
GOOD = {"to": "+447700900123", "body": "Hi"}
JSON = {"Content-Type": "application/json"}

BROKEN = [
    # required
    ("to", {"to": ...}),
    ("body", {"body": ...}),
    # to
    ("to", {"to": "447700900123"}),
    ("to", {"to": "+44 7700 900123"}),
    ("to", {"to": "+99912345678"}),  # a country code that nobody has
    ("to", {"to": 447700900123}),
    # body
    ("body", {"body": ""}),
    ("body", {"body": "x" * 1025}),
    ("body", {"body": ["Hi"]}),
    # uuid
    ("uuid", {"uuid": None}),
    ("uuid", {"uuid": UUID.replace("-", "")}),
    # words
    ("sender", {"sender": ""}),
    ("campaign", {"campaign": None}),
    ("campaignTracking", {"campaignTracking": ""}),
    # shortenLinks
    ("shortenLinks", {"shortenLinks": 0}),
    ("campaignTracking", {"campaignTracking": "spring", "shortenLinks": False}),
    # scheduled_at
    ("scheduled_at", {"scheduled_at": "2020-01-01 00:00:00"}),
    ("scheduled_at", {"scheduled_at": 1_577_836_800}),
    ("scheduled_at", {"scheduled_at": "2999-01-01T00:00:00"}),
    ("scheduled_at", {"scheduled_at": "2999-01-01 00:00"}),
    ("scheduled_at", {"scheduled_at": "2999-02-30 00:00:00"}),
    ("scheduled_at", {"scheduled_at": "2999-01-01 00:00:00Z"}),
    ("scheduled_at", {"scheduled_at": "32503680000"}),
    ("scheduled_at", {"scheduled_at": 32503680000.5}),
    ("scheduled_at", {"scheduled_at": 32503680000000}),  # milliseconds
    ("scheduled_at", {"scheduled_at": True}),
    # a misspelt field must not pass as absent
    ("shortenlinks", {"shortenlinks": False}),
]


@each("field, fields", BROKEN)
def test_each_rule(sandbox: SandboxPeer, field: str, fields: dict[str, Any]) -> None:
    campaign = str(uuid4())
    bad = {name: value for name, value in {**GOOD, **fields}.items() if value is not ...}
    answer = sandbox.post_bulk([{**GOOD, "campaign": campaign}, bad])
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/json"
    errors = answer.json()["errors"]
    assert list(errors) == [f"1.{field}"]
    assert errors[f"1.{field}"][0].endswith(".")
    assert sandbox.messages(campaign) == []
    for value in fields.values():
        assert not isinstance(value, str) or len(value) < 6 or value not in answer.text


@each(
    "fields",
    [
        {"body": "😀" * 1024},
        {"uuid": UUID},
        {"shortenLinks": False},
        {"campaignTracking": "spring", "shortenLinks": True},
        {"scheduled_at": "2999-12-31 23:59:59"},
        {"scheduled_at": int(time.time()) + 86_400},
        {"to": "+12125550123"},
        {"to": "+3903212345"},
        {"to": "+8005550123"},
    ],
)
def test_what_just_keeps_the_rules_is_taken(sandbox: SandboxPeer, fields: dict[str, Any]) -> None:
    answer = sandbox.post_bulk([{**GOOD, **fields}])
    assert answer.status_code == 200
    assert len(answer.json()["data"]) == 1


def test_every_broken_element_is_named(sandbox: SandboxPeer) -> None:
    answer = sandbox.post_bulk([{}, GOOD, "Hi", {"to": "1", "body": ""}])
    assert sorted(answer.json()["errors"]) == ["0.body", "0.to", "2", "3.body", "3.to"]


@each("payload", [[], {}, {"data": [GOOD]}, "Hi", None, 5])
def test_the_request_is_an_array_of_messages(sandbox: SandboxPeer, payload: object) -> None:
    answer = sandbox.http.post("/api/sms/bulk", content=json.dumps(payload), headers=JSON)
    assert answer.status_code == 422
    assert "JSON array" in answer.text


@each("content", [b"", b"{", b"[NaN]", b"\xff", b'["\\ud800"]'])
def test_what_is_not_json_is_refused(sandbox: SandboxPeer, content: bytes) -> None:
    answer = sandbox.http.post("/api/sms/bulk", content=content, headers=JSON)
    assert answer.status_code == 400
    assert answer.json() == {"message": "The request is not JSON."}


@each("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_the_content_type_is_json(sandbox: SandboxPeer, kind: str) -> None:
    answer = sandbox.http.post("/api/sms/bulk", content=json.dumps([GOOD]), headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert "application/json" in answer.json()["message"]
    named = {"Content-Type": "application/json; charset=utf-8"}
    assert sandbox.http.post("/api/sms/bulk", content=json.dumps([GOOD]), headers=named).is_success


def test_a_request_over_64_mb_is_too_large(sandbox: SandboxPeer) -> None:
    answer = sandbox.http.post("/api/sms/bulk", content=b" " * (64 * 1024 * 1024 + 1), headers=JSON)
    assert answer.status_code == 413


@each("key", ["", "Bearer", "Bearer wrong", "Basic {key}", "{key}", "Bearer {key}x", "Bearer clé"])
@each(
    "method, path",
    [
        ("POST", "/api/sms/bulk"),
        ("POST", "/api/validate"),
        ("GET", "/sandbox/messages"),
        ("POST", "/sandbox/faults"),
        ("GET", "/api/nowhere"),
    ],
)
def test_without_the_key_everything_is_refused(
    sandbox: SandboxPeer, method: str, path: str, key: str
) -> None:
    header = key.format(key=sandbox.api_key).encode()
    answer = sandbox.http.request(method, path, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer" in answer.json()["message"]
    assert sandbox.api_key not in answer.text


def test_health_and_short_links_need_no_key_and_what_is_unknown_is_refused_as_json(
    sandbox: SandboxPeer,
) -> None:
    headers = {"Authorization": ""}
    assert sandbox.http.get("/sandbox/health", headers=headers).json()["status"] == "ok"
    assert sandbox.http.get("/s/nowhere", headers=headers).status_code == 404
    assert sandbox.http.get("/api/nowhere").json() == {"message": "Not Found"}
    wrong = sandbox.http.get("/api/sms/bulk")
    assert (wrong.status_code, wrong.json()) == (405, {"message": "Method Not Allowed"})
