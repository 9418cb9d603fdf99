"""The route itself: what it takes, what it refuses, and that a replay has no effect."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import orjson
import pytest
from anyio.from_thread import start_blocking_portal
from app_seeds import started_campaign
from each import each
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.routing import Route
from test_signature import signed

from dashboard.app import runtime
from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.runtime import Runtime
from dashboard.app.server.webhook import MAX_BODY_BYTES, DeliveryReports
from dashboard.errors import LedgerRefusedError
from dashboard.ledger import Ledger

Door = Callable[..., httpx.Response]


@pytest.fixture
def door(wired: Runtime) -> Iterator[Door]:
    del wired
    app = Starlette(routes=[Route(WEBHOOK_PATH, DeliveryReports)])

    async def post(content: bytes, headers: dict[str, str]) -> httpx.Response:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost"
        ) as client:
            return await client.post(WEBHOOK_PATH, content=content, headers=headers)

    with start_blocking_portal() as portal:  # a thread of its own: browser tests leave a loop in this one
        yield lambda content, headers=None: portal.call(post, content, headers or {})


def sign(wired: Runtime, body: bytes, **how: Any) -> dict[str, str]:
    return signed(body, key=wired.webhook_keys()[0], **{"at": time.time()} | how)


def report_of(wired: Runtime, campaign: str) -> bytes:
    uuid = wired.ledger.messages(campaign)["uuid"].iloc[0]
    return orjson.dumps(
        {"data": [{"uuid": uuid, "status": "sent", "sent_at": "2030-01-01T10:00:00.000000Z"}]}
    )


def test_a_replay_is_refused_and_a_fresh_signature_is_not(door: Door, wired: Runtime) -> None:
    campaign = started_campaign(wired.ledger, "Spring sale", 2)
    body = report_of(wired, campaign)
    headers = sign(wired, body)
    answer = door(body, headers)
    expected = {"taken": 1, "stale": 0, "unreadable": 0, "unread_times": 0, "unknown": 0, "provisional": True}
    assert (answer.status_code, answer.json()) == (200, expected)
    assert wired.ledger.campaign(campaign).accepted == 1
    assert door(body, headers).status_code == 409
    again = door(body, sign(wired, body, at=time.time() + 2))
    assert (again.status_code, again.json()["stale"]) == (200, 1)


@each(
    "body, status",
    [
        (b"not JSON", 400),
        (b"[]", 200),
        (b'{"data": {}}', 400),
        (b'{"uuid": "7"}', 200),
        (b"7", 400),
        (b'{"data": ["x"]}', 400),
        (b'{"data": ["x", {}]}', 200),
        (b'{"data": []}', 200),
    ],
)
def test_a_signed_body_must_hold_messages(door: Door, wired: Runtime, body: bytes, status: int) -> None:
    headers = sign(wired, body, own=f"body {body!r}")
    assert door(body, headers).status_code == status


def test_a_body_that_is_not_quite_json_is_taken_all_the_same(door: Door, wired: Runtime) -> None:
    body = report_of(wired, started_campaign(wired.ledger, "Spring sale", 2))
    body = body.replace(b'"status"', rb'"body": "half of an emoji \ud83d", "credits_used": NaN, "status"')
    assert door(body, sign(wired, body)).json()["taken"] == 1


def test_without_a_fitting_signature_nothing_is_taken(door: Door, wired: Runtime) -> None:
    campaign = started_campaign(wired.ledger, "Spring sale", 2)
    body = report_of(wired, campaign)
    assert door(body).status_code == 401
    old = sign(wired, body, at=time.time() - 301)
    assert door(body, old).status_code == 401
    assert wired.ledger.campaign(campaign).accepted == 0


def test_what_could_not_be_stored_may_come_again(door: Door, wired: Runtime) -> None:
    body = report_of(wired, started_campaign(wired.ledger, "Spring sale", 2))
    headers = sign(wired, body)
    rename(wired.ledger, "result", "away")
    with pytest.raises(LedgerRefusedError):
        door(body, headers)
    rename(wired.ledger, "away", "result")
    assert door(body, headers).json()["taken"] == 1


def rename(ledger: Ledger, table: str, name: str) -> None:
    with ledger.database.write() as connection:
        connection.execute(text(f"ALTER TABLE {table} RENAME TO {name}"))


def test_a_body_that_is_too_large_is_not_read_whole_and_a_strangers_not_at_all(
    door: Door, wired: Runtime
) -> None:
    body = b"x" * (MAX_BODY_BYTES + 1)
    headers = sign(wired, body)
    assert door(body, headers).status_code == 413
    for strange in (*({name: ""} for name in headers), {"webhook-timestamp": "1"}):
        assert door(body, headers | strange).status_code == 401


def test_whoever_leaves_before_the_body_has_come_leaves_no_error(wired: Runtime) -> None:
    headers = [(name.encode(), value.encode()) for name, value in sign(wired, b"{}").items()]
    gone: list[Any] = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    answered: list[Any] = []

    async def receive() -> Any:
        return gone.pop(0)

    async def send(event: Any) -> None:
        answered.append(event)

    scope = {"type": "http", "method": "POST", "path": WEBHOOK_PATH, "headers": headers, "query_string": b""}
    with start_blocking_portal() as portal:
        portal.call(DeliveryReports, scope, receive, send)
    assert answered[0]["status"] == 400


def test_without_a_secret_the_door_is_shut_and_says_why(door: Door, wired: Runtime) -> None:
    runtime.use(replace(wired, webhook_keys=list))
    answer = door(b"{}")
    assert answer.status_code == 503
    assert "DASHBOARD_WEBHOOK_SECRET" in answer.json()["error"]
