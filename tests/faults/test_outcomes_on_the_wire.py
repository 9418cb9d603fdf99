"""Every row of the outcome table, from a raw socket to the ledger: what each answer leaves behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from each import each
from fixtures_ledger import counts, gate_of, own_copy, running
from odd_server import Behaviour, OddServer, Peer, bulk_answer, closed_port
from sending.senders import send, sender, walk

from dashboard.ledger import Ledger
from dashboard.sending.sender import Sender
from dashboard.service import Message, OutgoingMessage, SmsService

SIZE = 4


def status(code: int, headers: dict[str, str] | None = None, body: bytes = b"{}") -> Behaviour:
    return after_reading(lambda peer, _: peer.answer(code, body, headers))


def echo(change: Callable[[list[dict[str, Any]]], list[Any]], code: int = 200) -> Behaviour:
    return after_reading(lambda peer, sent: peer.answer(code, bulk_answer(change(sent))))


def after_reading(act: Callable[[Peer, list[dict[str, Any]]], None]) -> Behaviour:
    return lambda peer: act(peer, peer.read_request().json)


def half(peer: Peer, sent: list[dict[str, Any]]) -> None:
    body = bulk_answer(sent)
    peer.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[: len(body) // 2])


def until_a_date(peer: Peer, _: list[dict[str, Any]]) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=3000), usegmt=True)
    peer.answer(429, b"{}", {"Retry-After": date})


# What ends in the ledger as another row does is not here; that it is read so is asked in tests/service.
ROWS: dict[str, tuple[Behaviour, dict[str, int]]] = {
    "every uuid, in capitals, another order, 201": (
        echo(lambda sent: [{"uuid": one["uuid"].upper()} for one in reversed(sent)], 201),
        {"accepted": 4},
    ),
    "every uuid, one with another number": (
        echo(lambda sent: [{**sent[0], "to": "+447400999999"}, *sent[1:]]),
        {"accepted": 4},
    ),
    "every uuid, one once more with another number": (
        echo(lambda sent: [*sent, {**sent[1], "to": "+447400999999"}]),
        {"accepted": 4},
    ),
    "some uuids, one first with another number": (
        echo(lambda sent: [{**sent[0], "to": "+447400999999"}, *sent[:2]]),
        {"accepted": 2, "unknown": 2},
    ),
    "every uuid, the numbers spelled otherwise": (
        echo(lambda sent: [{**one, "to": f"00{one['to'][1:3]} {one['to'][3:]}"} for one in sent]),
        {"accepted": 4},
    ),
    "some uuids": (echo(lambda sent: sent[1:3]), {"accepted": 2, "unknown": 2}),
    "uuids of somebody else": (
        echo(lambda sent: [{"uuid": f"0{one['uuid'][1:-1]}x"} for one in sent]),
        {"unknown": 4},
    ),
    "half an answer": (after_reading(half), {"unknown": 4}),
    "500": (status(500), {"unknown": 4}),
    "503 with Retry-After": (status(503, {"Retry-After": "3000"}), {"unknown": 4}),
    "429 until a date": (after_reading(until_a_date), {"ready": 4}),
    "429": (status(429), {"ready": 4}),
    "413": (status(413), {"ready": 4}),
    "401": (status(401), {"ready": 4}),
    "422": (status(422), {"ready": 4}),
}

SHUTS = {"429", "429 until a date", "503 with Retry-After"}
PAUSES = {
    *("every uuid, one with another number", "every uuid, one once more with another number"),
    *("some uuids, one first with another number", "401"),
}
HALVES = {"413", "422"}


def send_once(ledger: Ledger, base_url: str) -> str:
    """A campaign of one batch, which is requested once."""
    campaign = running(ledger, SIZE, batch_size=SIZE)
    with SmsService(base_url, "key") as service:
        once = OnlyOnce(service)
        once.sender = sender(ledger, once)
        send(once.sender, campaign)
    return campaign


class OnlyOnce:
    """Asks its sender to stop with the first request."""

    sender: Sender

    def __init__(self, service: SmsService) -> None:
        self._service = service

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        self.sender.stopping.set()
        return self._service.send_bulk(messages)


@pytest.mark.first
@each("row", ROWS)
def test_what_an_answer_leaves_in_the_ledger(
    tmp_path_factory: pytest.TempPathFactory, empty_file: bytes, row: str
) -> None:
    path = own_copy(tmp_path_factory.mktemp("row") / "ledger.sqlite", empty_file)
    behaviour, after = ROWS[row]
    began = datetime.now(UTC)
    with OddServer(behaviour) as server, Ledger.open(path) as ledger:
        campaign = send_once(ledger, server.base_url)
        assert len(server.requests) == 1
        judge(ledger, campaign, row, after, began)


def judge(ledger: Ledger, campaign: str, row: str, after: dict[str, int], began: datetime) -> None:
    """What must be true of any row."""
    assert counts(ledger, campaign) == after
    shut_for = (gate_of(ledger).closed_until - began).total_seconds()
    assert (shut_for > 0) == (row in SHUTS)
    assert (shut_for > 2900) == (row in SHUTS - {"429"})
    assert (ledger.campaign(campaign).state == "paused") == (row in PAUSES)
    assert ledger.batches(campaign)["state"].tolist().count("split") == (row in HALVES)
    evidence = ledger.attempts(campaign)
    assert evidence["event"].iloc[0] == "claimed"
    assert len(evidence) == 2, "each attempt says how it ended"
    if row.startswith("every uuid"):
        answered = 201 if "201" in row else 200
        assert evidence["http_status"].iloc[1] == answered
        assert ledger.batches(campaign)["http_status"].tolist() == [answered]


@pytest.mark.first
def test_a_port_where_nobody_listens_leaves_everything_ready(ledger: Ledger) -> None:
    campaign = send_once(ledger, f"http://127.0.0.1:{closed_port()}")
    assert counts(ledger, campaign) == {"ready": 4}
    assert ledger.attempts(campaign)["event"].tolist() == ["claimed", "not sent"]
    assert gate_of(ledger).strikes == 1


@pytest.mark.first
def test_a_batch_is_halved_until_bad_messages_are_alone_with_evidence_of_each_try(ledger: Ledger) -> None:
    """Of 256 messages three are bad: a request for each half on the way to them, and for each good rest."""
    bad = {"+447400900000", "+447400900100", "+447400900255"}

    def judge(peer: Peer) -> None:
        while True:
            sent = json.loads(peer.read_request().body)
            if any(one["to"] in bad for one in sent):
                peer.answer(422, b"{}")
            else:
                peer.answer(200, bulk_answer(sent))

    campaign = running(ledger, 256, batch_size=256)
    with OddServer(judge) as server, SmsService(server.base_url, "key") as service:
        assert walk(ledger, campaign, service) == "nothing ready"
        requests = len(server.requests)
    assert counts(ledger, campaign) == {"accepted": 253, "rejected": 3}
    messages = ledger.messages(campaign)
    assert set(messages.loc[messages["state"] == "rejected", "to"]) == bad
    assert requests <= 3 * 2 * 8 + 1, "eight halvings lead to one of 256"
    batches = ledger.batches(campaign).set_index("batch")
    depth = {}
    for batch, parent in batches["parent"].items():
        depth[batch] = 0 if parent not in depth else depth[parent] + 1
    alone = batches.index[batches["state"] == "rejected"]
    assert [depth[batch] for batch in alone] == [8, 8, 8]
    tried = ledger.attempts(campaign)
    assert len(tried) == 2 * requests
    assert tried.loc[tried["event"] == "rejected", "http_status"].eq(422).all()
    assert tried.loc[tried["event"] == "rejected", "detail"].notna().all()
