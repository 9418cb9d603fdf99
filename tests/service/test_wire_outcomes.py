"""What each odd answer, or none, is made of: one test per row of the outcome table, on real sockets."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpcore
import orjson
import pytest
from each import each
from fixtures_sandbox import outgoing
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_server import Behaviour, OddServer, Peer, answering, bulk_answer, closed_port, echoing, response
from patience import PATIENCE_S, wait_until
from tiers import draws

from dashboard.errors import ServiceError
from dashboard.service import (
    AuthenticationError,
    IncompleteAnswerError,
    NotSentError,
    OutcomeUnknownError,
    OutgoingMessage,
    RejectedError,
    SmsService,
    ThrottledError,
    TooLargeError,
    transport,
)
from dashboard.service.transport import CONNECTIONS, DeadlineTransport
from dashboard.service.wire import retry_after_s

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
LATE_S = 60
"""Sooner than any server here gives up; a busy machine is seconds late itself."""
LARGE = [outgoing(body="x" * 1000) for _ in range(5000)]


def send(
    behaviour: Behaviour, messages: list[OutgoingMessage] | None = None, *, timeout: float = PATIENCE_S
) -> ServiceError:
    """The error of sending one batch to a server that behaves so."""
    with (
        OddServer(behaviour) as server,
        SmsService(server.base_url, "k", timeout=timeout, now=lambda: NOW) as client,
        pytest.raises(ServiceError) as caught,
    ):
        client.send_bulk(messages or [outgoing()])
    return caught.value


# Nothing left this process


def test_refused_connection_is_not_sent() -> None:
    with (
        SmsService(f"http://127.0.0.1:{closed_port()}", "k") as client,
        pytest.raises(NotSentError) as caught,
    ):
        client.send_bulk([outgoing()])
    assert caught.value.status is None


def test_no_free_connection_in_time_is_not_sent() -> None:
    release = threading.Event()

    def hold(peer: Peer) -> None:
        peer.read_request()
        release.wait(PATIENCE_S)

    transport = DeadlineTransport()  # one crowded pool, two degrees of patience
    with (
        OddServer(hold) as server,
        SmsService(server.base_url, "k", transport=transport) as patient,
        SmsService(server.base_url, "k", transport=transport, timeout=0.2) as impatient,
    ):

        def occupy() -> None:
            with contextlib.suppress(OutcomeUnknownError):
                patient.send_bulk([outgoing()])

        holders = [threading.Thread(target=occupy) for _ in range(CONNECTIONS)]
        for holder in holders:
            holder.start()
        while server.connections < CONNECTIONS:
            time.sleep(0.01)
        with pytest.raises(NotSentError, match="did not answer in time"):
            impatient.send_bulk([outgoing()])
        release.set()
        for holder in holders:
            holder.join()


# Definite: nothing was taken


@each("status", [401, 403, 413])
def test_a_refused_key_and_a_batch_that_is_too_large(status: int) -> None:
    error = send(answering(status))
    assert type(error) is (TooLargeError if status == 413 else AuthenticationError)
    assert error.status == status


def test_too_large_said_before_the_body_was_read() -> None:
    def behave(peer: Peer) -> None:
        peer.read_some()
        peer.answer(413, headers={"Connection": "close"})
        peer.wait(0.2)
        peer.reset()

    assert isinstance(send(behave, LARGE), TooLargeError)


@each(
    "header, seconds",
    [
        ("120", 120.0),
        ("0", 0.0),
        ("1.5", 1.5),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
        ("Tuesday, 01-Jan-30 12:01:00 GMT", 60.0),  # the old form that RFC 9110 still asks to read
        (None, None),
        ("soon", None),
        ("-5", None),
        ("inf", None),
        ("1e9", None),
        ("Mon, 01 Jan 99999999999 00:00:00 GMT", None),
    ],
)
def test_throttled_reads_retry_after_in_both_forms(header: str | None, seconds: float | None) -> None:
    error = send(answering(429, headers={"Retry-After": header} if header else {}))
    assert isinstance(error, ThrottledError)
    assert error.status == 429
    assert error.retry_after_s == seconds


DATES = st.builds(
    "{}{} {} {} {}:{}:{} {}".format,
    st.sampled_from(["", "Mon, ", "Monday, "]),
    st.integers(),
    st.sampled_from(["Jan", "Feb", "Dec", "13", ""]),
    st.integers(),
    st.integers(),
    st.integers(),
    st.integers(),
    st.sampled_from(["GMT", "-0000", "+1400", "-2500", "+999999999999", "EST", ""]),
)


@settings(max_examples=draws(500))
@given(st.one_of(st.text(), DATES, st.text(alphabet="0123456789:-+ .,eGMTJan")))
def test_no_retry_after_is_too_odd_to_be_read_or_let_go(header: str) -> None:
    pause = retry_after_s(header, now=NOW)
    assert pause is None or pause >= 0


@each(
    "headers",
    [
        {"Retry-After": "9" * 5000},
        {"Set-Cookie": "a=b; expires=Mon, 01 Jan 99999999999 00:00:00 GMT; max-age=" + "9" * 5000},
        {"Set-Cookie": "=;;;", "Content-Type": "x" * 500, "Date": "never", "Age": "-1"},
    ],
)
def test_an_odd_header_leaves_a_clear_answer_clear(headers: dict[str, str]) -> None:
    message = outgoing()
    behaviour = answering(200, bulk_answer([message.payload()]), headers=headers)
    with OddServer(behaviour) as server, SmsService(server.base_url, "k", now=lambda: NOW) as client:
        assert [each.uuid for each in client.send_bulk([message])] == [message.uuid]


@each("off_s", [-7200, 0, 90])
def test_a_date_to_come_back_at_is_read_by_the_services_clock(off_s: int) -> None:
    there = NOW + timedelta(seconds=off_s)
    headers = {"Date": format_datetime(there, usegmt=True)}
    headers["Retry-After"] = format_datetime(there + timedelta(seconds=120), usegmt=True)
    error = send(answering(429, headers=headers))
    assert isinstance(error, ThrottledError)
    assert error.retry_after_s == 120


@each("status", [400, 402, 404, 408, 409, 415, 422, 451])
def test_other_4xx_is_rejected(status: int) -> None:
    error = send(answering(status, b"<h1>Not Found</h1>"))
    assert isinstance(error, RejectedError)
    assert error.status == status
    assert status != 404 or "check the address" in str(error)


@each(
    "errors",
    [
        {"1.to": ["+447700900123 is no number"]},
        {"data.1.to": ["bad"]},
        {"messages[1].to": ["bad"]},
        [{"index": 1, "field": "to", "message": "+447700900123 is no number"}],
    ],
)
def test_a_rejection_names_element_and_field_but_quotes_nothing(errors: object) -> None:
    body = orjson.dumps({"message": "+447700900123 of Ann is no number", "errors": errors})
    error = send(answering(422, body), [outgoing(), outgoing()])
    assert isinstance(error, RejectedError)
    assert [(finding.index, finding.field) for finding in error.findings] == [(1, "to")]
    assert "message 1 to" in str(error)
    assert "900123" not in str(error)
    assert "Ann" not in str(error)


@each(
    "body",
    [
        b"+447700900123 is no number",
        b'{"errors": {"+447700900123": ["is no number"], "Ann": ["unknown"]}}',
        b'{"errors": [{"index": 7, "field": "+447700900123"}, "+447700900123", {"index": true}]}',
        b'{"errors": "+447700900123"}',
        b'["+447700900123"]',
    ],
)
def test_a_rejection_never_takes_over_what_might_be_personal(body: bytes) -> None:
    error = send(answering(422, body))
    assert isinstance(error, RejectedError)
    assert error.findings == ()
    assert "900123" not in str(error)


# Nobody can tell


@each("status", [500, 502, 503, 504, 300, 301, 302, 307, 308])
def test_5xx_and_3xx_are_unknown(status: int) -> None:
    pause = {"Retry-After": "7"} if status == 503 else {}
    error = send(answering(status, b"oops", {"Location": "/elsewhere", **pause}))
    assert isinstance(error, OutcomeUnknownError)
    assert (error.status, error.retry_after_s) == (status, 7.0 if pause else None)


def test_a_redirect_is_not_followed() -> None:
    with OddServer(answering(200)) as elsewhere:

        def behave(peer: Peer) -> None:
            peer.read_request()
            peer.answer(307, headers={"Location": f"{elsewhere.base_url}/api/sms/bulk"})

        assert isinstance(send(behave), OutcomeUnknownError)
        assert elsewhere.connections == 0


@each(
    "body",
    [b"", b"<html>", b"null", b"[]", b"{}", b'{"data": null}', b'{"data": {}}', b'{"data": [', b"\xff"],
)
def test_an_unreadable_success_is_unknown(body: bytes) -> None:
    error = send(answering(200, body))
    assert isinstance(error, OutcomeUnknownError)
    assert not isinstance(error, IncompleteAnswerError)
    assert error.status == 200


def no_answer(peer: Peer) -> None:
    peer.read_request()
    peer.wait(PATIENCE_S)


def said(data: bytes) -> Behaviour:
    """Reads a request, says just this and closes."""

    def behave(peer: Peer) -> None:
        peer.read_request()
        peer.send(data)

    return behave


def cut_in_the_body(peer: Peer) -> None:
    request = peer.read_request()
    peer.send(response(200, bulk_answer(request.json))[:-5])


def reset_after_reading(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def switches_protocols(peer: Peer) -> None:
    peer.read_request()
    peer.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
    peer.wait(PATIENCE_S)


@each(
    "behaviour",
    [
        no_answer,
        said(b""),
        said(b"HTTP/1.1 2"),
        said(b"220 mail.example ESMTP\r\n\r\n"),
        cut_in_the_body,
        reset_after_reading,
        switches_protocols,
        answering(200, b"not gzip", {"Content-Encoding": "gzip"}),
    ],
)
def test_no_whole_answer_is_unknown(behaviour: Behaviour) -> None:
    timeout = 1 if behaviour in (no_answer, switches_protocols) else PATIENCE_S
    assert isinstance(send(behaviour, timeout=timeout), OutcomeUnknownError)


def test_a_4xx_is_definite_though_its_body_breaks_off() -> None:
    assert isinstance(send(said(b"HTTP/1.1 422 Odd\r\nContent-Length: 500\r\n\r\n{")), RejectedError)


@each("behaviour", [Peer.close, Peer.reset])
def test_a_connection_that_ends_at_once_may_end_before_anything_left(behaviour: Behaviour) -> None:
    assert isinstance(send(behaviour), OutcomeUnknownError | NotSentError)  # a race; either is true


def test_reset_while_a_large_batch_is_written_is_unknown() -> None:
    def behave(peer: Peer) -> None:
        peer.read_some()
        peer.reset()

    assert isinstance(send(behave, LARGE), OutcomeUnknownError)


def test_a_server_that_reads_nothing_ends_by_the_deadline() -> None:
    began = time.monotonic()
    assert isinstance(send(lambda peer: peer.wait(PATIENCE_S), LARGE, timeout=0.5), OutcomeUnknownError)
    assert time.monotonic() - began < LATE_S


def slow_head(peer: Peer) -> None:
    peer.read_request()
    peer.drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100, every_s=0.2)


def slow_body(peer: Peer) -> None:
    peer.read_request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    peer.drip(b" " * 1000, every_s=0.2)


@each("behaviour", [slow_head, slow_body])
def test_a_slow_drip_ends_by_the_deadline(behaviour: Behaviour) -> None:
    began = time.monotonic()
    error = send(behaviour, timeout=0.7)
    assert isinstance(error, OutcomeUnknownError)
    assert "in time" in str(error)
    assert 0.6 < time.monotonic() - began < LATE_S


def test_an_endless_answer_is_cut_off() -> None:
    given = 0

    def behave(peer: Peer) -> None:
        nonlocal given
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            peer.send(b" " * 65_536)
            given += 65_536

    assert isinstance(send(behave, timeout=30), OutcomeUnknownError)
    assert given < 16 * 1024 * 1024


def test_a_kept_connection_that_closes_under_a_request_is_unknown() -> None:
    def behave(peer: Peer) -> None:
        peer.answer(200, bulk_answer(peer.read_request().json))
        peer.read_some()

    with OddServer(behave) as server, SmsService(server.base_url, "k") as client:
        client.send_bulk([outgoing()])
        with pytest.raises(OutcomeUnknownError):
            client.send_bulk([outgoing()])
        assert server.connections == 1


def test_a_kept_connection_that_closed_while_idle_is_replaced() -> None:
    with (
        OddServer(lambda peer: peer.answer(200, bulk_answer(peer.read_request().json))) as server,
        SmsService(server.base_url, "k") as client,
    ):
        client.send_bulk([outgoing()])
        wait_until(lambda: server.ended == 1)
        client.send_bulk([outgoing()])
        assert server.connections == 2


def test_a_kept_connection_that_expires_as_a_request_begins_is_not_closed_under_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "KEEPALIVE_S", 0.3)
    here = threading.get_ident()
    given, goes, arrived, others_done = (threading.Event() for _ in range(4))
    begin, has_expired = httpcore.HTTPConnection.handle_request, httpcore.HTTPConnection.has_expired

    def behave(peer: Peer) -> None:
        while True:
            sent = peer.read_request().json
            if sent[0]["body"] == "late":
                arrived.set()
                others_done.wait(PATIENCE_S)
            peer.answer(200, bulk_answer(sent))

    def begin_late(connection: httpcore.HTTPConnection, request: httpcore.Request) -> httpcore.Response:
        if threading.get_ident() != here:
            given.set()
            goes.wait(PATIENCE_S)
        return begin(connection, request)

    def look(connection: httpcore.HTTPConnection) -> bool:
        expired = has_expired(connection)
        if expired and threading.get_ident() == here:  # the late one begins before this is acted upon
            goes.set()
            arrived.wait(PATIENCE_S)
        return expired

    with OddServer(behave) as server, SmsService(server.base_url, "k") as client:
        client.send_bulk([outgoing()])
        monkeypatch.setattr(httpcore.HTTPConnection, "handle_request", begin_late)
        monkeypatch.setattr(httpcore.HTTPConnection, "has_expired", look)
        with ThreadPoolExecutor(1) as elsewhere:
            late = elsewhere.submit(client.send_bulk, [outgoing(body="late")])
            assert given.wait(PATIENCE_S)
            time.sleep(0.4)
            client.send_bulk([outgoing()])
            goes.set()
            others_done.set()
            assert len(late.result()) == 1


# Successes


@each("status", [200, 202, 207])
def test_any_2xx_that_echoes_every_uuid_is_taken(status: int) -> None:
    messages = [outgoing(number) for number in range(3)]
    behaviour = answering(status, bulk_answer([message.payload() for message in messages]))
    with OddServer(behaviour) as server, SmsService(server.base_url, "k") as client:
        assert [taken.uuid for taken in client.send_bulk(messages)] == [sent.uuid for sent in messages]


@each(
    "change",
    [
        lambda sent: sent[::-1],
        lambda sent: [{**message, "uuid": message["uuid"].upper()} for message in sent],
        lambda sent: [{"uuid": "a stranger"}, *sent, *sent],
        lambda sent: [None, "text", {}, {"uuid": 5}, *sent],
    ],
)
def test_messages_are_matched_by_uuid(change: Callable[[list[object]], list[object]]) -> None:
    messages = [outgoing(number) for number in range(3)]
    with OddServer(echoing(change)) as server, SmsService(server.base_url, "k") as client:
        taken = client.send_bulk(messages)
    assert [message.uuid.lower() for message in taken] == [message.uuid for message in messages]
    assert [message.to for message in taken] == [message.to for message in messages]


@each(
    "change, there",
    [
        (lambda sent: sent[:1], 1),
        (lambda sent: [sent[0], sent[0], sent[0]], 1),
        (lambda sent: [sent[0], {**sent[1], "uuid": "another"}, {**sent[2], "uuid": None}], 1),
        (lambda _: [], 0),
    ],
)
def test_a_success_that_lacks_uuids_holds_those_it_has(
    change: Callable[[list[dict[str, object]]], list[object]], there: int
) -> None:
    messages = [outgoing(number) for number in range(3)]
    error = send(echoing(change), messages)
    assert isinstance(error, IncompleteAnswerError)
    assert [message.uuid for message in error.messages] == [sent.uuid for sent in messages[:there]]
    assert (error.missing, error.status) == (3 - there, 200)


def test_of_two_answers_about_one_message_the_one_that_names_another_number_counts() -> None:
    """Whichever comes first, or a campaign that texts the wrong people would go on."""
    other = "+447700900999"
    for numbers in ({}, {"to": other}), ({"to": other}, {}):
        change = echoing(lambda sent, numbers=numbers: [{**sent[0], **number} for number in numbers])
        with OddServer(change) as server, SmsService(server.base_url, "k") as client:
            assert [message.to for message in client.send_bulk([outgoing(1)])] == [other]


def test_messages_without_a_uuid_of_ours_get_the_services() -> None:
    mine = outgoing(1)
    unnamed = [OutgoingMessage(to="+447700900002", body="a"), OutgoingMessage(to="+447700900003", body="b")]

    def name(sent: list[dict[str, object]]) -> list[object]:
        return [{"uuid": f"made-{index}", **message} for index, message in enumerate(sent)]

    with OddServer(echoing(name)) as server, SmsService(server.base_url, "k") as client:
        taken = client.send_bulk([unnamed[0], mine, unnamed[1]])
        assert [message.uuid for message in taken] == [mine.uuid, "made-0", "made-2"]


def test_a_check_whose_answer_is_no_check_is_unknown() -> None:
    for body in (b"[]", b"{}", b'{"valid_format": "yes"}', b"<html>"):
        with (
            OddServer(answering(200, body)) as server,
            SmsService(server.base_url, "k") as client,
            pytest.raises(OutcomeUnknownError),
        ):
            client.validate("07700 900123", "GB")
