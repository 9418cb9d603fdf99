"""What we send is exactly what the contract's section 4.1 writes, and nothing that breaks it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from each import each
from fixtures_sandbox import outgoing
from odd_server import OddServer, echoing

from dashboard.service import OutgoingMessage, RefusedBeforeSendingError, SmsService

NOW = datetime(2030, 1, 1, 12, 0, 0, 500_000, tzinfo=UTC)
UUID = "5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1"
TO = "+447700900123"


@pytest.fixture
def server() -> Iterator[OddServer]:
    with OddServer(echoing()) as running:
        yield running


@pytest.fixture
def client(server: OddServer) -> Iterator[SmsService]:
    with SmsService(server.base_url, "k", now=lambda: NOW) as running:
        yield running


def sent(server: OddServer) -> dict[str, Any]:
    (element,) = server.requests[-1].json
    assert isinstance(element, dict)
    return element


def test_optional_fields_are_left_out_when_not_given(server: OddServer, client: SmsService) -> None:
    client.send_bulk([OutgoingMessage(to=TO, body="Hi", uuid=UUID)])
    assert sent(server) == {"to": TO, "body": "Hi", "uuid": UUID}


def test_every_field_has_the_contracts_name(server: OddServer, client: SmsService) -> None:
    message = OutgoingMessage(
        to=TO,
        body="Hi https://example.com",
        uuid=UUID,
        sender="Shop",
        shorten_links=True,
        scheduled_at=1_900_000_000,
        campaign="Spring",
        campaign_tracking="spring",
    )
    client.send_bulk([message])
    assert sent(server) == {
        "to": TO,
        "body": "Hi https://example.com",
        "uuid": UUID,
        "sender": "Shop",
        "shortenLinks": True,
        "scheduled_at": 1_900_000_000,
        "campaign": "Spring",
        "campaignTracking": "spring",
    }


def test_headers_are_the_contracts_and_shorten_links_false_is_sent(
    server: OddServer, client: SmsService
) -> None:
    client.send_bulk([outgoing(shorten_links=False)])
    assert sent(server)["shortenLinks"] is False
    (request,) = server.requests
    assert request.line == "POST /api/sms/bulk HTTP/1.1"
    assert request.headers["authorization"] == "Bearer k"
    assert request.headers["content-type"] == "application/json"


@each(
    "at, written",
    [
        (datetime(2030, 6, 1, 9, 5, 7, tzinfo=UTC), "2030-06-01 09:05:07"),
        (datetime(2030, 6, 1, 9, 5, 7, tzinfo=timezone(timedelta(hours=2))), "2030-06-01 07:05:07"),
        # Fractions go up, so that nothing leaves before its time.
        (datetime(2030, 6, 1, 9, 5, 7, 1, tzinfo=UTC), "2030-06-01 09:05:08"),
        (datetime(2030, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), "2031-01-01 00:00:00"),
        (int(NOW.timestamp()) + 1, int(NOW.timestamp()) + 1),
    ],
)
def test_scheduled_at_is_utc_to_the_second(
    server: OddServer, client: SmsService, at: datetime | int, written: str | int
) -> None:
    client.send_bulk([outgoing(scheduled_at=at)])
    assert sent(server)["scheduled_at"] == written


REFUSED = [
    # to: + and the country code first, digits only
    ("to", {"to": "447700900123"}),
    ("to", {"to": "+"}),
    ("to", {"to": "+07700900123"}),
    ("to", {"to": "+44 7700 900123"}),
    ("to", {"to": "+44770090012\u0969"}),  # a Devanagari digit
    ("to", {"to": "+447700900123\n"}),
    ("to", {"to": "+1234567890123456"}),  # 16 digits
    # body: 1 to 1024 characters
    ("body", {"body": ""}),
    ("body", {"body": " \n"}),
    ("body", {"body": "😀" * 1025}),
    ("body", {"body": "half \ud83d"}),
    # uuid
    ("uuid", {"uuid": "42"}),
    ("uuid", {"uuid": UUID.replace("-", "")}),
    ("uuid", {"uuid": f"{{{UUID}}}"}),
    ("uuid", {"uuid": UUID[:-1] + "g"}),
    # scheduled_at: aware and in the future
    ("scheduled_at", {"scheduled_at": datetime(2031, 1, 1)}),  # noqa: DTZ001 - naive is the point
    ("scheduled_at", {"scheduled_at": NOW}),
    ("scheduled_at", {"scheduled_at": int(NOW.timestamp())}),
    ("scheduled_at", {"scheduled_at": 1_900_000_000_000}),  # milliseconds
    ("scheduled_at", {"scheduled_at": True}),
    ("scheduled_at", {"scheduled_at": 1.9e9}),
    ("scheduled_at", {"scheduled_at": "2031-01-01 00:00:00"}),
    # words that are given must say something
    ("sender", {"sender": ""}),
    ("campaign", {"campaign": " "}),
    ("campaign", {"campaign": "\ud83d"}),
    ("campaignTracking", {"campaign_tracking": ""}),
    ("campaignTracking", {"campaign_tracking": "spring", "shorten_links": False}),
]


@each("field, fields", REFUSED)
def test_what_breaks_the_contract_is_never_sent(
    server: OddServer, client: SmsService, field: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(RefusedBeforeSendingError) as caught:
        client.send_bulk([outgoing(), outgoing(**fields)])
    (finding,) = caught.value.findings
    assert (finding.index, finding.field) == (1, field)
    assert f"message 1 {field}: " in str(caught.value)
    assert not server.requests


@each(
    "fields",
    [
        {"body": "😀" * 1024},
        {"to": "+123456789012345"},
        {"uuid": UUID.upper()},
        {"scheduled_at": NOW + timedelta(microseconds=1)},
        {"campaign_tracking": "spring", "shorten_links": True},
    ],
)
def test_what_just_keeps_the_contract_is_sent(
    server: OddServer, client: SmsService, fields: dict[str, Any]
) -> None:
    client.send_bulk([outgoing(**fields)])
    assert server.requests.pop().json


def test_a_uuid_twice_in_one_batch_is_refused_in_any_letter_case(
    server: OddServer, client: SmsService
) -> None:
    with pytest.raises(RefusedBeforeSendingError) as caught:
        client.send_bulk([outgoing(uuid=UUID), outgoing(), outgoing(uuid=UUID.upper())])
    assert [(finding.index, finding.field) for finding in caught.value.findings] == [(2, "uuid")]
    assert not server.requests


def test_an_empty_batch_is_refused(server: OddServer, client: SmsService) -> None:
    with pytest.raises(RefusedBeforeSendingError, match="at least one message"):
        client.send_bulk([])
    assert not server.requests


def test_a_refusal_lists_findings_shortly_and_quotes_neither_number_nor_text(client: SmsService) -> None:
    wrong = outgoing(to="0770 0900123", body="Dear Ann " * 200, campaign="")
    with pytest.raises(RefusedBeforeSendingError, match="and 27 more") as caught:
        client.send_bulk([outgoing(to=wrong.to, body=wrong.body, campaign="") for _ in range(10)])
    assert len(caught.value.findings) == 30
    for secret in ("0770", "900123", "Ann"):
        assert secret not in str(caught.value) + repr(wrong)
    assert wrong.uuid in repr(wrong)


@each(
    "number, country, field",
    [
        ("  ", "GB", "phoneNumber"),
        ("07700 900123", "", "countryCode"),
        ("07700 900123", "GBR", "countryCode"),
        ("07700 900123", "4B", "countryCode"),
    ],
)
def test_a_check_without_number_or_country_is_refused(
    server: OddServer, client: SmsService, number: str, country: str, field: str
) -> None:
    with pytest.raises(RefusedBeforeSendingError) as caught:
        client.validate(number, country)
    assert [finding.field for finding in caught.value.findings] == [field]
    assert not server.requests
