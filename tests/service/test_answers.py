"""Answers are read leniently (contract sections 2 and 4.2): absent, odd and unknown fields break nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import orjson
import pandas as pd
from each import each
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from odd_server import OddServer, answering

from dashboard.lenient_json import read_json
from dashboard.service import Contact, ContactMethod, Message, NumberCheck, SmsService, read_message

WHOLE = {
    "uuid": "5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1",
    "to": "+447700900123",
    "sender": "Shop",
    "body": "Dear Ann",
    "campaign": "Spring",
    "credits_used": 2,
    "status": "pending",
    "failure_reason": None,
    "created_at": "2030-01-02T03:04:05.678901Z",
    "scheduled_at": "2030-01-03T03:04:05.000000Z",
    "sent_at": None,
    "delivered_at": None,
    "contact": {
        "uuid": "c0",
        "firstname": "Ann",
        "lastname": None,
        "created_at": "2030-01-02T03:04:05.678901Z",
        "contact_methods": [
            {
                "uuid": "m0",
                "type": "phone",
                "address": "+447700900123",
                "created_at": "2030-01-02T03:04:05.678901Z",
                "updated_at": "2030-01-02T03:04:06.000000Z",
            }
        ],
    },
}
CREATED = datetime(2030, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC)


def read(**fields: Any) -> Message:
    message = read_message({"uuid": "u", **fields})
    assert message is not None
    return message


def test_every_field_of_sections_2_1_to_2_3() -> None:
    message = read_message(WHOLE)
    assert message == Message(
        uuid="5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1",
        to="+447700900123",
        sender="Shop",
        body="Dear Ann",
        campaign="Spring",
        credits_used=2,
        status="pending",
        failure_reason=None,
        created_at=CREATED,
        scheduled_at=datetime(2030, 1, 3, 3, 4, 5, tzinfo=UTC),
        sent_at=None,
        delivered_at=None,
        extra={},
        raw=WHOLE,
    )
    assert message.contact == Contact(
        uuid="c0",
        firstname="Ann",
        lastname=None,
        created_at=CREATED,
        contact_methods=(
            ContactMethod(
                uuid="m0",
                type="phone",
                address="+447700900123",
                created_at=CREATED,
                updated_at=datetime(2030, 1, 2, 3, 4, 6, tzinfo=UTC),
            ),
        ),
    )
    assert message.contact_uuid == "c0"


def test_absent_fields_are_none() -> None:
    message = read()
    assert (message.to, message.credits_used, message.created_at, message.contact) == (None, None, None, None)


def test_unknown_fields_are_kept() -> None:
    message = read(segments=2, status="pending")
    assert message.extra == {"segments": 2}
    assert message.raw == {"uuid": "u", "segments": 2, "status": "pending"}


NO_UUIDS = [{"uuid": missing} for missing in (None, "", 5, pd.NA, pd.NaT, float("nan"), np.array([1, 2]))]


@each("element", [None, 5, "text", [], {}, *NO_UUIDS])
def test_what_has_no_uuid_is_no_message(element: object) -> None:
    assert read_message(element) is None


@each(
    "written, meant",
    [
        ("2030-01-02T03:04:05.678901Z", CREATED),
        ("2030-01-02T05:04:05.678901+02:00", CREATED),
        ("2030-01-02T03:04:05.678901", CREATED),  # the contract: all times are UTC
        ("2030-01-02 03:04:05", CREATED.replace(microsecond=0)),
        ("2030-01-02T03:04:05.6789019Z", CREATED),
        (" 2030-01-02T03:04:05.678901Z ", CREATED),
        ("20300102T030405Z", CREATED.replace(microsecond=0)),
        ("20300102", datetime(2030, 1, 2, tzinfo=UTC)),
        (CREATED, CREATED),
        (pd.Timestamp("2030-01-02T03:04:05.678901999Z"), CREATED),
        (pd.Timestamp("2030-01-02T05:04:05.678901999+02:00"), CREATED),
        (pd.Timestamp("2030-01-02T03:04:05.678901999"), CREATED),
        (int(CREATED.timestamp()), CREATED.replace(microsecond=0)),
        (np.int64(CREATED.timestamp()), CREATED.replace(microsecond=0)),
        (str(int(CREATED.timestamp())), CREATED.replace(microsecond=0)),
        (int(CREATED.timestamp()) * 1000, CREATED.replace(microsecond=0)),
        ("1712011500000", datetime(2024, 4, 1, 22, 45, tzinfo=UTC)),  # no day in January 1712
        ("1780010112345", datetime(2026, 5, 28, 23, 15, 12, 345_000, tzinfo=UTC)),  # nor of 1780
        *((odd, None) for odd in (46359.58, "46359.58", 0, -1, 10**400, "9" * 5000, float("nan"), pd.NaT)),
        *((odd, None) for odd in ("03/12/2026 14:05", "20261203140500", "202612031405", "20261203014")),
        *((odd, None) for odd in (np.array([1, 2]), pd.Series([pd.NaT]), [None], {}, np.datetime64("NaT"))),
        ("", None),
        ("0000-00-00T00:00:00Z", None),
        (1e30, None),
        (True, None),
    ],
)
def test_timestamps_become_aware_utc_or_none(written: object, meant: datetime | None) -> None:
    found = read(created_at=written).created_at
    assert (type(found), found) == (type(meant), meant)
    assert found is None or found.tzinfo is UTC


@each(
    "answered, credits_used",
    [
        *((two, 2) for two in (2, "2", 2.0, "2.0", "2.", " 2 ", np.int64(2), np.float64(2), Decimal("2.0"))),
        *((zero, 0) for zero in (Decimal("0E-9"), Decimal(0))),
        *((odd, None) for odd in (Decimal("2.5"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e999999999"))),
        *((nothing, 0) for nothing in (0, 0.0, "0.00")),
        *((odd, None) for odd in (True, 2.5, "2.5", "many", "9" * 99, "2.0.0", [2], None, "", pd.NA, pd.NaT)),
        *((odd, None) for odd in (float("nan"), float("inf"), "inf", "1e3", "1_000", "-2", np.True_)),
    ],
)
def test_credits_are_a_count_or_none(answered: object, credits_used: int | None) -> None:
    assert read(credits_used=answered).credits_used == credits_used


@each(
    "answered, reason",
    [
        *((code, "21610") for code in ("21610", 21610, 21610.0, np.int64(21610), "21610.0", " 21610 ")),
        *((text, text) for text in ("007", "Error 0", "30003.5", "-1", " Blocked ")),
        *((odd, None) for odd in (None, 0, 0.0, False, True, 2.5, ["21610"], {"code": 21610}, pd.NA)),
        *((nothing, None) for nothing in ("", " ", "\u00a0\n", "0", "0.0", "000")),
    ],
)
def test_a_code_in_place_of_a_text_is_a_text(answered: object, reason: str | None) -> None:
    """In a column of a CSV file as in JSON: what has no reason has not failed."""
    assert read(failure_reason=answered, status=answered).failure_reason == reason


def test_an_odd_contact_is_none_and_odd_contact_methods_are_left_out() -> None:
    for odd in ([], "Ann"):
        assert read(contact=odd).contact is None
        assert read(contact=odd).contact_uuid is None
    contact = read(contact={"uuid": "c", "contact_methods": [None, {"address": [5]}]}).contact
    assert contact is not None
    assert contact.contact_methods == (ContactMethod(None, None, None, None, None),)
    assert read(contact={"contact_methods": "none"}).contact == Contact(None, None, None, None, ())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*WHOLE, "other"]), JSON))
def test_no_answer_is_too_odd_to_read(element: dict[str, Any]) -> None:
    message = read_message({**element, "uuid": "u"})
    assert message is not None
    assert message.raw == {**element, "uuid": "u"}


def test_a_messages_repr_shows_neither_number_nor_text_nor_name() -> None:
    message = read_message({**WHOLE, "nickname": "Ann"})
    assert message is not None
    assert "pending" in repr(message)
    for personal in ("900123", "Ann"):
        assert personal not in repr(message) + repr(message.contact)


@each(
    "odd, read",
    [
        (rb'"cut \ud83d", "\ud83d": "\ud83d\ude00"', {"body": "cut ?", "?": "\U0001f600"}),
        (b'"cut \xf0\x9f\x98"', {"body": "cut \ufffd"}),
        (b'"two\nlines\t"', {"body": "two\nlines\t"}),
        *((number, {"body": None}) for number in (b"NaN", b"-Infinity", b"1e999", b"9" * 5_000)),
    ],
)
def test_what_no_json_may_hold_spoils_nothing_around_it(odd: bytes, read: dict[str, object]) -> None:
    content = b'[{"uuid": "a", "body": %b}, {"uuid": "b"}]' % odd
    for whole in (content, b"\xef\xbb\xbf" + content):
        assert read_json(whole) == [{"uuid": "a", **read}, {"uuid": "b"}]


@each("encoding", ["utf-8-sig", "utf-16", "utf-32-le"])
def test_json_is_read_in_each_encoding_that_it_may_have(encoding: str) -> None:
    assert read_json('{"body": "Zoë"}'.encode(encoding)) == {"body": "Zoë"}
    assert read_json('\ufeff{"body": "Zoë"}') == {"body": "Zoë"}


def test_what_is_no_json_is_none() -> None:
    for content in (b"", b"NaN,", b"{'a': 1}", b"[" * 5_000 + b"]" * 5_000):
        assert read_json(content) is None


def check(answer: object) -> NumberCheck:
    with (
        OddServer(answering(200, orjson.dumps(answer))) as server,
        SmsService(server.base_url, "k") as client,
    ):
        return client.validate("07700 900123", "gb")


@each("written", ["MOBILE", " Mobile "])
def test_line_types_in_any_letter_case(written: str) -> None:
    assert check({"valid_format": True, "country": "gb", "type": written}) == NumberCheck(
        valid_format=True,
        country="GB",
        line_type="MOBILE",
        raw={"valid_format": True, "country": "gb", "type": written},
    )
    for nothing in ({}, {"type": None}, {"type": " "}, {"type": 5}):
        bare = check({"valid_format": False, **nothing})
        assert (bare.valid_format, bare.country, bare.line_type) == (False, None, "UNKNOWN")


def test_a_check_is_asked_for_as_a_form() -> None:
    with (
        OddServer(answering(200, b'{"valid_format": true}')) as server,
        SmsService(server.base_url, "k") as client,
    ):
        client.validate("+44 (0)7700 & 900=123", "gb")
        (request,) = server.requests
    assert request.line == "POST /api/validate HTTP/1.1"
    assert request.headers["authorization"] == "Bearer k"
    assert request.headers["accept"] == "application/json"
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.body == b"phoneNumber=%2B44+%280%297700+%26+900%3D123&countryCode=GB"
