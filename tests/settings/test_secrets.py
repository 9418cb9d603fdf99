"""Secrets that somebody could guess, or that no header could hold, are refused and never repeated."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from sign_in_settings import AS_FIELDS
from sign_in_settings import SECRET as GOOD

from dashboard.errors import SettingsError
from dashboard.settings import load_settings

OTHERS: Mapping[str, dict[str, str]] = {
    "webhook_secret": {},
    "metrics_token": {},
    "sms_api_key": {"sms_base_url": "https://sms.example.com"},
    **dict.fromkeys(("oidc_cookie_secret", "oidc_client_secret"), AS_FIELDS),
}
"""The secrets, each with what has to be set beside it."""


LEAST = [("webhook_secret", 24), ("oidc_cookie_secret", 32), ("metrics_token", 32)]


def kept(name: str, secret: str) -> str:
    """What the settings make of a secret."""
    return str(getattr(load_settings(**OTHERS[name] | {name: secret}), name).get_secret_value())


@pytest.mark.parametrize("name", OTHERS)
def test_a_good_one_is_taken_without_what_came_along_when_it_was_copied(name: str) -> None:
    for around in (GOOD, f"{GOOD}\n", f"  {GOOD}\r\n", f"\ufeff{GOOD}"[1:]):
        assert kept(name, around) == GOOD


@each("name", OTHERS)
@each(
    "secret",
    [" ", "\n", "\t\r\n", f"{GOOD} {GOOD}", f"{GOOD}\n{GOOD}", f"{GOOD}\0", f"{GOOD}é", f"\u200b{GOOD}"],
)
def test_none_is_blank_or_holds_what_no_header_can(name: str, secret: str) -> None:
    refused(name, secret)


def refused(name: str, secret: str) -> None:
    with pytest.raises(SettingsError, match=f"(DASHBOARD_{name.upper()}|{name.upper()}): ") as caught:
        kept(name, secret)
    assert len(secret.strip()) < 3 or secret.strip() not in str(caught.value)


@pytest.mark.parametrize(("name", "least"), LEAST)
@given(data=st.data())
def test_one_that_can_be_guessed_is_refused(name: str, least: int, data: st.DataObject) -> None:
    begun = "Zq9{}".format  # as no word of a sentence of ours begins
    letters = st.text(st.characters(codec="ascii", categories=["L", "N"])).map(begun)
    short = letters.map(lambda text: text[: least - 1])
    repeated = st.tuples(letters, st.integers(2, 40)).map(lambda pair: pair[0] * pair[1])
    few = st.text("abcdefg", min_size=least)
    refused(name, data.draw(short | repeated | few))


@pytest.mark.parametrize(("name", "least"), LEAST)
def test_the_least_length_is_enough(name: str, least: int) -> None:
    assert kept(name, GOOD[:least]) == GOOD[:least]
    refused(name, GOOD[: least - 1])


@given(st.binary(min_size=32, max_size=64).filter(lambda key: len(set(key.hex())) > 12))
def test_a_random_secret_is_taken(key: bytes) -> None:
    for secret in (key.hex(), b64encode(key).decode(), f"whsec_{b64encode(key).decode()}"):
        if secret not in (secret + secret)[1:-1]:
            assert kept("webhook_secret", secret) == secret


@pytest.mark.parametrize("key", [b"", b"short", b"0123456789abcdefghijklm", bytes(32), b"ab" * 16])
def test_what_follows_whsec_is_a_key_too(key: bytes) -> None:
    refused("webhook_secret", f"whsec_{b64encode(key).decode()}")


def test_a_sentence_says_how_a_secret_is_made() -> None:
    with pytest.raises(SettingsError, match=r"32 characters or more: .*secrets\.token_urlsafe\(32\)"):
        kept("oidc_cookie_secret", "x")
