"""The key goes to the service and nowhere else: not into reprs, logs, errors, or what errors carry along."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Iterator

import httpx
import pytest
from each import each
from fixtures_sandbox import outgoing
from odd_server import Behaviour, OddServer, Peer, answering, closed_port, echoing

from dashboard.errors import ServiceError, SettingsError
from dashboard.service import RefusedBeforeSendingError, SmsService

KEY = "key-3f9a1c77"


def cut_off(peer: Peer) -> None:
    peer.read_request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{")


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and all that it carries along as cause or context, shown in tracebacks or not."""
    while error is not None:
        yield error
        if error.__cause__ is not None and error.__cause__ is not error.__context__:
            yield from chain(error.__cause__)
        error = error.__context__


def contents(value: object, depth: int = 6, seen: set[int] | None = None) -> Iterator[str]:
    """The texts that can be reached from an object through its attributes and elements."""
    seen = set() if seen is None else seen
    if depth == 0 or id(value) in seen:
        return
    seen.add(id(value))
    yield repr(value)
    inner = list(vars(value).values()) if hasattr(value, "__dict__") else []
    if isinstance(value, dict):
        inner += [*value, *value.values()]
    elif isinstance(value, list | tuple | set):
        inner += value
    for part in inner:
        yield from contents(part, depth - 1, seen)


def assert_secret(error: BaseException) -> None:
    text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    frames_of_ours = "".join(traceback.format_exception(error))
    assert KEY not in frames_of_ours
    # Even with locals shown: only the caller's own frame, which was given the key, may hold it.
    ours = [line for line in text.splitlines() if KEY in line]
    assert not ours, ours
    for part in chain(error):
        assert not any(KEY in found for found in contents(part))


@each(
    "behaviour",
    [cut_off, answering(302), answering(401), answering(422), answering(500), answering(200)],
)
def test_errors_of_answers_hold_no_key(behaviour: Behaviour, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        OddServer(behaviour) as server,
        make(server.base_url) as client,
        pytest.raises(ServiceError) as caught,
    ):
        client.send_bulk([outgoing()])
    assert_secret(caught.value)
    assert KEY not in caplog.text


def test_the_search_for_the_key_finds_it_where_httpx_keeps_it() -> None:
    with (
        httpx.Client(headers={"Authorization": f"Bearer {KEY}"}, trust_env=False) as client,
        pytest.raises(httpx.ConnectError) as caught,
    ):
        client.post(f"http://127.0.0.1:{closed_port()}")
    with pytest.raises(AssertionError):
        assert_secret(caught.value)


@each("body, refusal", [("Hello", ServiceError), ("", RefusedBeforeSendingError)])
def test_errors_without_a_connection_hold_no_key(
    caplog: pytest.LogCaptureFixture, body: str, refusal: type[ServiceError]
) -> None:
    caplog.set_level(logging.DEBUG)
    with make(f"http://127.0.0.1:{closed_port()}") as client, pytest.raises(refusal) as caught:
        client.send_bulk([outgoing(body=body)])
    assert_secret(caught.value)
    assert KEY not in caplog.text


def make(base_url: str) -> SmsService:
    """A service made in a frame of its own, so that the key is in no frame of a test."""
    return SmsService(base_url, KEY)


def test_reprs_hold_no_key() -> None:
    with make("https://sms.example/") as client:
        assert repr(client) == "SmsService('https://sms.example')"
        assert KEY not in repr(vars(client))
        assert KEY not in repr(vars(client._wire))


@each("key", ["", "two words", "line\nbreak", "clé"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(SettingsError, match="The service's key") as caught:
        SmsService("https://sms.example", key)
    assert not key or key not in str(caught.value)


@each("url", ["http://sms.example", "ftp://127.0.0.1", "sms.example", "", "https://ann:word@sms.example"])
def test_an_address_that_is_not_safe_for_a_key_is_refused(url: str) -> None:
    """Which are, is asked in settings/test_settings.py."""
    with pytest.raises(SettingsError, match="The service's address"):
        make(url)
    with make("https://sms.example/v/") as client:
        assert client.base_url == "https://sms.example/v"


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    with OddServer(echoing()) as server, OddServer(answering(200)) as proxy:
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(variable, proxy.base_url)
        for variable in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(variable, raising=False)
        with make(server.base_url) as client:
            client.send_bulk([outgoing()])
        assert proxy.connections == 0
        assert len(server.requests) == 1


def test_many_threads_share_one_client() -> None:
    with OddServer(echoing()) as server, make(server.base_url) as client:
        taken: list[str] = []

        def send(start: int) -> None:
            messages = [outgoing(start + index) for index in range(20)]
            answered = client.send_bulk(messages)
            assert [message.uuid for message in answered] == [message.uuid for message in messages]
            taken.extend(message.uuid for message in answered)

        threads = [threading.Thread(target=send, args=[20 * number]) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(taken)) == 320
        assert server.connections <= 16
