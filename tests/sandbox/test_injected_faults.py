"""Faults on purpose: each kind, counted or by chance, and what was taken meanwhile."""

from __future__ import annotations

import time
from collections import Counter
from uuid import uuid4

import httpx
from each import each
from fixtures_sandbox import SandboxPeer


def post(sandbox: SandboxPeer, campaign: str) -> int | str:
    """The status answered, or the kind of failure on the wire."""
    try:
        return sandbox.post_bulk(
            [{"to": "+447700900123", "body": "Hi", "campaign": campaign}], timeout=5
        ).status_code
    except httpx.TransportError as error:
        return type(error).__name__


@each(
    "fault, seen, taken",
    [
        ({"kind": "throttled"}, {429}, 0),
        ({"kind": "error_before"}, {500}, 0),
        ({"kind": "error_before", "status": 413}, {413}, 0),
        ({"kind": "error_after"}, {500}, 1),
        ({"kind": "error_after", "status": 503}, {503}, 1),
        ({"kind": "dropped_before"}, {"ReadError", "RemoteProtocolError"}, 0),
        ({"kind": "dropped_after"}, {"ReadError", "RemoteProtocolError"}, 1),
        ({"kind": "slow", "delay_s": 0.3}, {200}, 1),
    ],
)
def test_each_kind(sandbox: SandboxPeer, fault: dict[str, object], seen: set[object], taken: int) -> None:
    sandbox.faults({**fault, "next": 1})
    campaign = str(uuid4())
    began = time.monotonic()
    assert post(sandbox, campaign) in seen
    assert time.monotonic() - began >= float(str(fault.get("delay_s", 0)))
    assert len(sandbox.messages(campaign)) == taken
    assert post(sandbox, campaign) == 200
    assert sandbox.http.get("/sandbox/faults").json()["done"][fault["kind"]] == 1


def test_counted_faults_come_in_their_order(sandbox: SandboxPeer) -> None:
    sandbox.faults({"kind": "throttled", "next": 2}, {"kind": "error_before", "status": 502, "next": 1})
    assert [post(sandbox, "order") for _ in range(4)] == [429, 429, 502, 200]


@each(
    "asked, written",
    [
        ({"kind": "throttled"}, "1"),
        ({"kind": "throttled", "retry_after_s": 2.5}, "2.5"),
        ({"kind": "throttled", "retry_after_s": 0}, "0"),
        ({"kind": "error_before", "status": 503, "retry_after_s": 4}, "4"),
    ],
)
def test_retry_after_in_seconds(sandbox: SandboxPeer, asked: dict[str, float], written: str) -> None:
    sandbox.faults({**asked, "next": 1})
    assert sandbox.post_bulk([]).headers["retry-after"] == written


def test_faults_by_chance_repeat_with_their_seed(sandbox: SandboxPeer) -> None:
    plan = [{"kind": "throttled", "probability": 0.3}, {"kind": "error_before", "probability": 0.3}]

    def run(seed: int) -> list[object]:
        sandbox.faults(*plan, seed=seed)
        return [post(sandbox, "chance") for _ in range(40)]

    first = run(5)
    assert first == run(5)
    assert first != run(6)
    assert min(Counter(first).values()) > 3
    assert set(first) == {200, 429, 500}


def test_latency_and_controls_that_never_fail_themselves(sandbox: SandboxPeer) -> None:
    sandbox.faults(latency_s=0.3)
    began = time.monotonic()
    assert post(sandbox, "latency") == 200
    assert time.monotonic() - began >= 0.3
    sandbox.faults({"kind": "dropped_before", "probability": 1})
    assert sandbox.summary()["messages"] >= 0
    sandbox.http.delete("/sandbox/faults").raise_for_status()
    assert post(sandbox, "healed") == 200


@each(
    "fault",
    [
        {"kind": "throttled"},
        {"kind": "throttled", "next": 1, "probability": 0.5},
        {"kind": "meteor", "next": 1},
        {"kind": "error_before", "next": 1, "status": 200},
        {"kind": "slow", "probability": 1.1},
    ],
)
def test_plans_that_make_no_sense_are_refused(sandbox: SandboxPeer, fault: dict[str, object]) -> None:
    answer = sandbox.http.post("/sandbox/faults", json={"faults": [fault]})
    assert answer.status_code == 422
    assert answer.json()["errors"]
    assert sandbox.http.get("/sandbox/faults").json()["plan"]["faults"] == []
    both = {"faults": [{"kind": "slow", "probability": 0.6}, {"kind": "throttled", "probability": 0.6}]}
    assert sandbox.http.post("/sandbox/faults", json=both).status_code == 422
