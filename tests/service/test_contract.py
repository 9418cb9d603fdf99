"""Our client against the sandbox over HTTP: every rule of contract section 4, both sides real."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from each import each
from fixtures_sandbox import HELD, QUICK, SandboxPeer, outgoing
from patience import wait_until

from dashboard.service import (
    AuthenticationError,
    OutgoingMessage,
    RejectedError,
    SmsService,
    ThrottledError,
    TooLargeError,
)


def name() -> str:
    """A campaign of this test's own."""
    return f"contract {uuid4()}"


def test_a_batch_is_answered_message_by_message(sandbox: SandboxPeer, service: SmsService) -> None:
    sandbox.settings(**HELD)
    campaign = name()
    sent = [outgoing(number, campaign=campaign, body=f"Hello {number}") for number in range(100)]
    taken = service.send_bulk(sent)
    assert [message.uuid for message in taken] == [message.uuid for message in sent]
    assert [message.to for message in taken] == [message.to for message in sent]
    assert [message.body for message in taken] == [message.body for message in sent]
    assert {message.campaign for message in taken} == {campaign}
    assert {message.status for message in taken} == {"pending"}
    assert {(m.failure_reason, m.sent_at, m.delivered_at, m.scheduled_at) for m in taken} == {
        (None, None, None, None)
    }
    assert [message["uuid"] for message in sandbox.messages(campaign)] == [message.uuid for message in sent]


def test_times_are_utc_with_microseconds_and_z_and_fields_that_do_not_apply_are_absent(
    service: SmsService,
) -> None:
    before = datetime.now(UTC)
    (taken,) = service.send_bulk([outgoing()])
    assert not {"campaign", "scheduled_at"} & set(taken.raw)
    assert {"failure_reason", "sent_at", "delivered_at"} <= set(taken.raw)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", taken.raw["created_at"])
    assert taken.created_at is not None
    assert before <= taken.created_at <= datetime.now(UTC)


def test_a_uuid_is_returned_as_it_was_given_and_made_when_none_is(service: SmsService) -> None:
    unnamed, upper = OutgoingMessage(to="+447700900001", body="Hi"), str(uuid4()).upper()
    given, *made = service.send_bulk([unnamed, unnamed, outgoing(uuid=upper)])  # what has one first
    assert len({UUID(message.uuid) for message in made}) == 2
    assert given.uuid == upper


def test_senders_are_given_or_the_default_and_approved(sandbox: SandboxPeer, service: SmsService) -> None:
    sandbox.settings(default_sender="House")
    taken = service.send_bulk([outgoing(), outgoing(sender="Shop")])
    assert [message.sender for message in taken] == ["House", "Shop"]
    sandbox.settings(approved_senders=["House"])
    campaign = name()
    with pytest.raises(RejectedError) as caught:
        service.send_bulk([outgoing(campaign=campaign), outgoing(sender="Shop", campaign=campaign)])
    assert [(finding.index, finding.field) for finding in caught.value.findings] == [(1, "sender")]
    assert sandbox.messages(campaign) == []


def test_urls_become_short_links_unless_shorten_links_is_false(
    sandbox: SandboxPeer, service: SmsService
) -> None:
    body = "See https://example.com/a?b=1#c."
    by_default, kept, asked = service.send_bulk(
        [
            outgoing(body=body),
            outgoing(body=body, shorten_links=False),
            outgoing(body=body, shorten_links=True),
        ]
    )
    short = rf"See {re.escape(sandbox.base_url)}/s/\w+\."
    assert re.fullmatch(short, by_default.body or "")
    assert kept.body == body
    assert re.fullmatch(short, asked.body or "")


def test_campaign_tracking_goes_into_the_links_target(sandbox: SandboxPeer, service: SmsService) -> None:
    (taken,) = service.send_bulk(
        [outgoing(body="https://example.com/a?b=1#c", campaign_tracking="spring & more")]
    )
    answer = sandbox.http.get(taken.body or "", headers={"Authorization": ""})
    assert answer.status_code == 302
    assert answer.headers["location"] == "https://example.com/a?b=1&svc_campaign=spring%20%26%20more#c"


def test_credits(service: SmsService) -> None:
    """Of the text with short links."""
    expected = {1: 1, 160: 1, 161: 2, 306: 2, 307: 3, 459: 3, 460: 4, 1024: 7}
    taken = service.send_bulk([outgoing(body="é" * length) for length in expected])
    assert [message.credits_used for message in taken] == [*expected.values()]
    url = "https://example.com/" + "x" * 200
    short, whole = service.send_bulk([outgoing(body=url), outgoing(body=url, shorten_links=False)])
    assert (short.credits_used, whole.credits_used) == (1, 2)


def test_a_scheduled_message_waits(sandbox: SandboxPeer, service: SmsService) -> None:
    """Whether its time is given as one or in Unix seconds. What then becomes of it: test_delays_are_kept."""
    sandbox.settings(**QUICK, delivered_share=1)
    campaign = name()
    at = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    forms = (at, int(at.timestamp()))
    taken = service.send_bulk([outgoing(campaign=campaign, scheduled_at=form) for form in forms])
    assert [one.scheduled_at for one in taken] == [at, at]
    assert all(one.raw["scheduled_at"].endswith(".000000Z") for one in taken)
    (other,) = service.send_bulk([outgoing(campaign=campaign)])
    wait_until(lambda: {one["status"] for one in sandbox.messages(campaign)} == {"pending", "delivered"})
    pending = {one["uuid"] for one in sandbox.messages(campaign) if one["status"] == "pending"}
    assert pending == {one.uuid for one in taken} - {other.uuid}


def test_a_contact_is_made_once_per_number_and_linked_again(service: SmsService) -> None:
    number = f"+1212{time.time_ns() % 10_000_000:07d}"
    first, again = service.send_bulk([outgoing(to=number), outgoing(to=number)])
    (later,) = service.send_bulk([outgoing(to=number)])
    assert first.contact is not None
    assert first.contact == again.contact == later.contact
    assert (first.contact.firstname, first.contact.lastname) == (None, None)
    (method,) = first.contact.contact_methods
    assert (method.type, method.address) == ("phone", number)
    assert UUID(first.contact.uuid) != UUID(method.uuid)
    assert first.contact.created_at is not None
    assert method.updated_at == method.created_at == first.contact.created_at


def test_a_wrong_key_is_refused(sandbox: SandboxPeer) -> None:
    campaign = name()
    with SmsService(sandbox.base_url, "wrong") as stranger:
        with pytest.raises(AuthenticationError) as caught:
            stranger.send_bulk([outgoing(campaign=campaign)])
        with pytest.raises(AuthenticationError):
            stranger.validate("07700 900123", "GB")
    assert caught.value.status == 401
    assert sandbox.messages(campaign) == []


def test_the_servers_own_refusal_names_the_element(sandbox: SandboxPeer, service: SmsService) -> None:
    campaign = name()
    with pytest.raises(RejectedError) as caught:  # a country code that nobody has; ours cannot know
        service.send_bulk([outgoing(campaign=campaign), outgoing(campaign=campaign, to="+99912345678")])
    assert caught.value.status == 422
    assert [(finding.index, finding.field) for finding in caught.value.findings] == [(1, "to")]
    assert sandbox.messages(campaign) == []


def test_a_batch_over_the_services_limit_is_too_large(sandbox: SandboxPeer, service: SmsService) -> None:
    sandbox.settings(max_batch=2)
    assert len(service.send_bulk([outgoing(), outgoing()])) == 2
    with pytest.raises(TooLargeError):
        service.send_bulk([outgoing(), outgoing(), outgoing()])


@each("form", ["seconds", "date"])
def test_throttling(sandbox: SandboxPeer, service: SmsService, form: str) -> None:
    sandbox.faults({"kind": "throttled", "next": 1, "retry_after_s": 5, "retry_after_form": form})
    campaign = name()
    with pytest.raises(ThrottledError) as caught:
        service.send_bulk([outgoing(campaign=campaign)])
    assert caught.value.retry_after_s is not None
    assert 3 < caught.value.retry_after_s <= 6  # by the Date header, which may be a second old
    assert sandbox.messages(campaign) == []
    assert len(service.send_bulk([outgoing(campaign=campaign)])) == 1


def test_a_message_sent_twice_is_seen_twice(sandbox: SandboxPeer, service: SmsService) -> None:
    campaign = name()
    message = outgoing(campaign=campaign)
    service.send_bulk([message])
    service.send_bulk([message])
    assert sandbox.summary(campaign) | {"by_status": {}, "reports_waiting": 0} == {
        "messages": 2,
        "uuids": 1,
        "credits_used": 2,
        "by_status": {},
        "reports_waiting": 0,
    }


@each(
    "number, country, valid, line_type",
    [
        ("07400 123456", "GB", True, "MOBILE"),
        ("+44 (0)7400 123-456", "gb", True, "MOBILE"),
        ("+44 7400 123456", "DE", False, "UNKNOWN"),
        ("112", "DE", True, "EMERGENCY"),
    ],
)
def test_validation(service: SmsService, number: str, country: str, valid: bool, line_type: str) -> None:
    found = service.validate(number, country)
    assert (found.valid_format, found.country, found.line_type) == (valid, country.upper(), line_type)
