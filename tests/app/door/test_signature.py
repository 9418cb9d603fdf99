from base64 import b64encode

import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.app.door.signature import WINDOW_S, is_authentic, key_of, sign
from dashboard.errors import SettingsError

KEY = b"fictional secret"
NOW = 1_795_000_000.0
BODY = b'{"data": []}'


def signed(body: bytes = BODY, *, key: bytes = KEY, own: str = "msg_1", at: float = NOW) -> dict[str, str]:
    """The headers of a body that was signed then."""
    signature = sign(key, own, str(int(at)), body)
    return {"webhook-id": own, "webhook-timestamp": str(int(at)), "webhook-signature": signature}


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


def test_only_what_was_signed_with_the_key_just_now_is_authentic_beside_other_signatures_too() -> None:
    headers = signed()
    assert is_authentic(KEY, headers, BODY, now=NOW)
    beside = headers | {"webhook-signature": "v1,AAAA " + headers["webhook-signature"]}
    assert is_authentic(KEY, beside, BODY, now=NOW)
    assert not is_authentic(KEY, headers, BODY + b" ", now=NOW)
    assert not is_authentic(b"another", headers, BODY, now=NOW)
    for drift_s in (-WINDOW_S - 1, WINDOW_S + 1):
        assert not is_authentic(KEY, signed(at=NOW + drift_s), BODY, now=NOW)


@each(
    "header, value",
    [
        *(("webhook-signature", value) for value in ("", "v1,AAAA", "v1,ÄÖÜ")),
        *(("webhook-timestamp", value) for value in ("yesterday", "²", "9" * 5000, "")),
        *(("webhook-id", value) for value in ("", "msg_2")),  # the id is signed too
    ],
)
def test_any_header_that_was_changed_is_refused(header: str, value: str) -> None:
    assert not is_authentic(KEY, signed() | {header: value}, BODY, now=NOW)


def test_a_secret_is_its_bytes_or_base64_after_its_prefix() -> None:
    assert key_of("plain ä") == "plain ä".encode()
    assert key_of("whsec_" + b64encode(b"\x00\xff key").decode()) == b"\x00\xff key"
    with pytest.raises(SettingsError, match="base64"):
        key_of("whsec_not base64!")
