"""Settings: what may be set, and the sentence when it cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.errors import SettingsError
from dashboard.settings import Settings, is_safe_base_url, load_settings, variable

KEY = "fictional-key-4711"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_any_setting_the_sandbox_is_used() -> None:
    settings = load_settings()
    assert settings.uses_sandbox
    assert settings.host == "127.0.0.1"
    assert settings.ledger_url.startswith("sqlite:///")


def test_a_service_is_used_when_address_and_key_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMS_BASE_URL", "https://sms.example.com")
    monkeypatch.setenv("SMS_API_KEY", KEY)
    settings = load_settings()
    assert not settings.uses_sandbox
    assert KEY not in repr(settings)


def test_settings_come_from_a_dotenv_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DASHBOARD_COUNTRY=DE\nDASHBOARD_PORT=8600\n", encoding="utf-8")
    settings = load_settings()
    assert (settings.country, settings.port) == ("DE", 8600)


def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMS_BASE_URL", "")
    monkeypatch.setenv("SMS_API_KEY", "")
    assert load_settings().uses_sandbox


@pytest.mark.parametrize("name", ["SMS_BASE_URL", "SMS_API_KEY"])
def test_half_a_service_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "https://sms.example.com")
    with pytest.raises(SettingsError, match="set SMS_BASE_URL and SMS_API_KEY together"):
        load_settings()


def test_a_key_never_travels_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMS_BASE_URL", "http://sms.example.com")
    monkeypatch.setenv("SMS_API_KEY", KEY)
    with pytest.raises(SettingsError, match="https://") as caught:
        load_settings()
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://sms.example.com", True),
        ("http://127.0.0.1:9000", True),
        ("http://localhost:9000", True),
        ("http://[::1]:9000", True),
        ("http://127.0.0.1.example.com", False),
        ("http://localhost.example.com", False),
        ("ftp://127.0.0.1", False),
        ("sms.example.com", False),
        ("", False),
    ],
)
def test_which_addresses_may_be_given_a_key(url: str, safe: bool) -> None:
    assert is_safe_base_url(url) is safe


def test_people_are_read_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_PEOPLE", "Ann@Example.com=admin, bob@example.com=viewer")
    assert load_settings().people == {"ann@example.com": "admin", "bob@example.com": "viewer"}


def test_a_person_needs_a_known_role(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_PEOPLE", "ann@example.com=boss")
    with pytest.raises(SettingsError, match=r"DASHBOARD_PEOPLE: .*viewer, sender, admin"):
        load_settings()


def test_half_a_sign_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_OIDC_ISSUER", "https://id.example.com")
    with pytest.raises(SettingsError, match="DASHBOARD_OIDC_CLIENT_ID"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("DASHBOARD_PORT", "many"), ("DASHBOARD_COUNTRY", "gb"), ("DASHBOARD_BATCH_SIZE", "0")],
)
def test_a_mistake_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name):
        load_settings()


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(SettingsError, match="DASHBOARD_DATA"):
        load_settings(data=tmp_path / "file" / "data").make_data_folder()
