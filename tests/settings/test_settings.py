"""Settings: what may be set, and the sentence when it cannot be used."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path

import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from sign_in_settings import SIGN_IN
from tiers import draws

from dashboard.errors import SettingsError
from dashboard.settings import Settings, is_safe_base_url, load_settings, variable
from dashboard.settings.hours import TextingTimes

KEY = "fictional-key-4711"


def test_without_any_setting_the_sandbox_is_used() -> None:
    settings = load_settings()
    assert settings.uses_sandbox
    assert settings.host == "127.0.0.1"
    assert settings.ledger_url.startswith("sqlite:///")


def test_a_service_is_used_when_address_and_key_are_set_and_the_key_never_travels_in_the_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SMS_BASE_URL", "https://sms.example.com")
    monkeypatch.setenv("SMS_API_KEY", KEY)
    settings = load_settings()
    assert not settings.uses_sandbox
    assert KEY not in repr(settings)
    monkeypatch.setenv("SMS_BASE_URL", "http://sms.example.com")
    with pytest.raises(SettingsError, match="https://") as caught:
        load_settings()
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", ["SMS_BASE_URL", "SMS_API_KEY"])
def test_half_a_service_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "https://sms.example.com")
    with pytest.raises(SettingsError, match="set SMS_BASE_URL and SMS_API_KEY together"):
        load_settings()


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://sms.example.com", True),
        ("http://127.0.0.1:9000", True),
        ("http://localhost:9000", True),
        ("http://[::1]:9000", True),
        ("http://127.0.0.1.example.com", False),
        ("ftp://127.0.0.1", False),
        ("https://user:password@sms.example.com", False),
        ("https://sms.example.com:port", False),
        ("https://[::1", False),
        ("https://sms.example.com/?", False),
        ("https://sms.example.com#", False),
        ("https://sms..example.com", False),
        ("https://xn--", False),
        ("https://bücher.example", True),
        ("https://xn--strae-oqa.example", True),
        ("https://" + "s" * 64 + ".example.com", False),
        ("https://sms.example.com./sub", True),
        ("https://sms.example.com/\nx", False),
        ("sms.example.com", False),
        ("", False),
    ],
)
def test_which_addresses_may_be_given_a_key(url: str, safe: bool) -> None:
    assert is_safe_base_url(url) is safe


def set_up(monkeypatch: pytest.MonkeyPatch, **changed: str) -> None:
    for name, value in (SIGN_IN | changed).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize("missing", SIGN_IN)
def test_a_sign_in_with_a_gap_is_refused(monkeypatch: pytest.MonkeyPatch, missing: str, blank: str) -> None:
    """Without its issuer, too: who set the rest believes that people have to sign in."""
    set_up(monkeypatch)
    assert load_settings().oidc_issuer == SIGN_IN["DASHBOARD_OIDC_ISSUER"]
    set_up(monkeypatch, **{missing: blank})
    with pytest.raises(SettingsError, match=rf"set {missing} too"):
        load_settings()


@pytest.mark.parametrize("name", [name for name in SIGN_IN if "OIDC" in name] + ["DASHBOARD_OIDC_PUBLIC_URL"])
def test_one_part_of_a_sign_in_alone_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, SIGN_IN.get(name, "https://texts.example.com"))
    with pytest.raises(SettingsError, match="to make people sign in, set"):
        load_settings()


@pytest.mark.parametrize("issuer", ["http://id.example.com", "id.example.com", "ftp://id.example.com"])
def test_the_client_secret_goes_to_no_issuer_in_the_clear(
    monkeypatch: pytest.MonkeyPatch, issuer: str
) -> None:
    set_up(monkeypatch, DASHBOARD_OIDC_ISSUER=issuer)
    with pytest.raises(SettingsError, match=r"DASHBOARD_OIDC_ISSUER: .*https://"):
        load_settings()


@pytest.mark.parametrize("midnight", ["24:00", "00:00"])
def test_texting_hours_may_end_at_midnight(monkeypatch: pytest.MonkeyPatch, midnight: str) -> None:
    set_up(monkeypatch, DASHBOARD_TEXTING_HOURS=f"00:00-{midnight}")
    assert load_settings().texting_hours == TextingTimes(start=time(0), end=time(0))


@pytest.mark.parametrize("url", ["texts.example.com", "https://", "javascript:alert(1)", "https://a b"])
def test_the_public_address_is_one(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    set_up(monkeypatch, DASHBOARD_OIDC_PUBLIC_URL=url)
    with pytest.raises(SettingsError, match="DASHBOARD_OIDC_PUBLIC_URL"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DASHBOARD_PORT", "tcp://10.0.0.1:80", "write a whole number"),  # as Kubernetes sets it
        ("DASHBOARD_PORT", "70000", "write 65535 or less"),
        ("DASHBOARD_MESSAGES_PER_SECOND", "inf", "write a number"),
        ("DASHBOARD_PRICE_PER_CREDIT", "0,07", "write a price from .* with a point, such as 0.045"),
        ("DASHBOARD_PRICE_PER_CREDIT", "Infinity", "write a price from 0 to 1,000,000"),
        ("DASHBOARD_PRICE_PER_CREDIT", "0_045", "write a price from 0 to 1,000,000"),
        ("DASHBOARD_PRICE_PER_CREDIT", "-1", "write a price from 0 to 1,000,000"),
        ("DASHBOARD_PRICE_PER_CREDIT", "1000000.5", "write a price from 0 to 1,000,000"),
        ("DASHBOARD_PAUSE_ON_OPT_OUTS", "maybe", "write true or false"),
        ("DASHBOARD_TEXTING_HOURS", "22:00-08:00", "must end later than they begin"),
        ("DASHBOARD_TEXTING_HOURS", "09:00-24:01", "write times from 00:00 to 23:59"),
        ("DASHBOARD_CURRENCY", "euro", "three letters of a currency .* such as EUR"),
        ("DASHBOARD_TIME_ZONE", "Mars", "time zone .* such as Europe/Berlin"),
        ("DASHBOARD_TIME_ZONE", "../etc/passwd", "time zone .* such as Europe/Berlin"),
        ("DASHBOARD_COUNTRY", "UK", "write GB; that, and not UK, is the code"),
        ("DASHBOARD_PORT", "many", "write a whole number, such as 8501"),
        ("DASHBOARD_WORKBOOK_ROWS", "0", "write 1 or more, such as 1048576"),
        ("DASHBOARD_SESSION_HOURS", "0", "write more than 0, such as 12"),
        ("DASHBOARD_COUNTRY", "gb", "write GB"),
        ("DASHBOARD_COUNTRY", "Germany", "write DE"),
        ("DASHBOARD_COUNTRY", "GBR", "write GB"),
        ("DASHBOARD_COUNTRY", "Atlantis", "write the two letters of a country"),
        ("DASHBOARD_LANGUAGE", "tlh", "choose one of de, en, es, fr, nl, pl;"),
    ],
)
def test_a_mistake_names_its_variable_and_what_to_write(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=rf"{name}: .*{sentence}"):
        load_settings()


TEXTS_TAKEN = {"data", "database_url", "host", "price_list"}
"""Any text may be one of these; the start says what is wrong with it: see test_check_command.py."""

NOT_ALONE = {"sms_base_url", "sms_api_key", "oidc_client_id", "oidc_client_secret"}
"""Refused because others are missing, which the sentence names."""


@each("field", sorted(set(Settings.model_fields) - TEXTS_TAKEN))
@each("bad", ["zqx4\tzqx4", "zqx4{{" * 100, "-1 zqx4"])
def test_every_setting_has_a_sentence_of_its_own(field: str, bad: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(variable(field), bad)
        said, _ = why_not()
    if said == "taken":
        assert field in {"senders", "opt_out_line"}  # texts of people's own, which that may be
        return
    assert re.search(rf"{variable(field)}: \w" if field not in NOT_ALONE else r"(SMS|DASHBOARD)_\w+", said)
    assert re.search(r"such as|write|set|copy|words in", said)
    assert "README" not in said
    assert "zqx4" not in said


MARK = "zqx4"
"""No part of it is in a sentence of ours: a value of chance may be a word of the sentence that refuses it."""
STARTS = ("", " ", "-", "7", "https://", "http://", "sqlite:///", "postgresql://ann:", "ann@example.com=")
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)


@settings(max_examples=draws(2_000))
@given(st.sampled_from(sorted(Settings.model_fields)), st.sampled_from(STARTS), TEXTS, TEXTS)
def test_no_mistake_is_told_with_its_value(field: str, start: str, first: str, second: str) -> None:
    """Whatever it is, nor with a part of it: a key may stand behind the wrong name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(variable(field), f"{start}{MARK}{first}{MARK}{second}{MARK}")
        said, why = why_not()
    assert "zqx" not in said.lower()
    assert "qx4" not in said.lower()
    assert "pydantic" not in said
    assert why is None


def why_not() -> tuple[str, BaseException | None]:
    """The sentence of a refusal with what it was made from; nothing when the settings are taken."""
    try:
        load_settings()
    except SettingsError as error:
        return str(error) or "no sentence", error.__cause__
    return "taken", None


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("DASHBOARD_PROT", "Did you mean DASHBOARD_PORT?"),
        ("DASHBOARD_COLOUR_OF_THE_WALLPAPER", "README.md"),
        ("DASHBORD_PORT", "Did you mean DASHBOARD_PORT?"),
        ("DASHBOARDPORT", "Did you mean DASHBOARD_PORT?"),
        ("DAHSBOARD_COLOUR_OF_THE_WALLPAPER", "README.md"),
        ("SMS_APIKEY", "Did you mean SMS_API_KEY?"),
    ],
)
def test_a_name_that_is_no_setting_is_pointed_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, near: str
) -> None:
    (tmp_path / ".env").write_text(f"{name}=hidden-value\n", encoding="utf-8")
    load_settings()
    from_file = capsys.readouterr()
    (tmp_path / ".env").unlink()
    monkeypatch.setenv(name, "hidden-value")
    load_settings()
    said = capsys.readouterr()
    assert said == from_file
    assert said.out == ""
    assert name in said.err
    assert near in said.err
    assert "hidden-value" not in said.err


def test_what_is_set_right_and_other_programs_names_are_not_remarked_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DASHBOARD_COUNTRY", "DE")
    for name in ("SMS_PROVIDER_OF_SOMEBODY", "BOARD_PORT", "DASH_HOST", "DATABASE_URL", "AWS_API_KEY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("DASHBOARD_TESTS_NEED_BROWSER", "1")
    load_settings()
    assert capsys.readouterr().err == ""


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(SettingsError, match="DASHBOARD_DATA"):
        load_settings(data=tmp_path / "file" / "data").make_data_folder()
