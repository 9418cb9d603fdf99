from base64 import b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.app.door.signature import WINDOW_S, is_authentic, key_of, sign
from dashboard.errors import SettingsError

KEY = b"fictional secret"
NOW = 1_795_000_000.0
BODY = b'{"data": []}'


def signed(
    body: bytes = BODY, *, key: bytes = KEY, at: float = NOW, message_id: str = "msg_1"
) -> dict[str, str]:
    timestamp = str(int(at))
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(key, message_id, timestamp, body),
    }


@settings(max_examples=draws(300))
@given(st.text(), st.text() | st.integers().map(str), st.text(), st.binary())
def test_strangers_headers_are_refused_and_nothing_else(
    message_id: str, timestamp: str, signature: str, body: bytes
) -> None:
    headers = {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
    assert not is_authentic(KEY, headers, body, now=NOW)
    assert not is_authentic(KEY, {**headers, "webhook-timestamp": str(int(NOW))}, body, now=NOW)


def test_it_is_the_signature_of_standard_webhooks() -> None:
    # The example of the Standard Webhooks specification's libraries.
    key = key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert (
        sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_what_was_signed_with_the_key_just_now_is_authentic() -> None:
    assert is_authentic(KEY, signed(), BODY, now=NOW)


def test_one_fitting_signature_among_several_is_enough() -> None:
    headers = signed()
    headers["webhook-signature"] = "v1,AAAA " + headers["webhook-signature"]
    assert is_authentic(KEY, headers, BODY, now=NOW)


@pytest.mark.parametrize("drift_s", [-WINDOW_S - 1, WINDOW_S + 1])
def test_outside_the_window_nothing_is_authentic(drift_s: int) -> None:
    assert not is_authentic(KEY, signed(at=NOW + drift_s), BODY, now=NOW)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-signature": ""},
        {"webhook-signature": "v1,AAAA"},
        {"webhook-signature": "v1,ÄÖÜ"},
        {"webhook-timestamp": "yesterday"},
        {"webhook-timestamp": "²"},
        {"webhook-timestamp": "9" * 5000},
        {"webhook-timestamp": ""},
        {"webhook-id": ""},
        {"webhook-id": "msg_2"},  # the id is signed too
    ],
)
def test_any_header_that_was_changed_is_refused(change: dict[str, str]) -> None:
    assert not is_authentic(KEY, signed() | change, BODY, now=NOW)


def test_another_body_or_another_key_is_refused() -> None:
    assert not is_authentic(KEY, signed(), BODY + b" ", now=NOW)
    assert not is_authentic(b"another", signed(), BODY, now=NOW)


def test_a_secret_is_its_bytes_or_base64_after_its_prefix() -> None:
    assert key_of("plain ä") == "plain ä".encode()
    assert key_of("whsec_" + b64encode(b"\x00\xff key").decode()) == b"\x00\xff key"
    with pytest.raises(SettingsError, match="base64"):
        key_of("whsec_not base64!")
