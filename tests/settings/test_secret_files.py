"""Secrets in files of their own: read at the start, and again whenever the file changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sign_in_settings import SECRET, SIGN_IN

from dashboard.errors import SettingsError
from dashboard.settings import Settings, load_settings, variable
from dashboard.settings.secret_files import SECRETS, file_variable

FIRST, SECOND = SECRET, "hT4vQz7NcX2mKe9RbW5sYp8LdJ3gFa6U"
OTHERS = SIGN_IN | {
    "SMS_BASE_URL": "https://sms.example.com",
    "SMS_API_KEY": FIRST,
    "DASHBOARD_WEBHOOK_SECRET": FIRST,
    "DASHBOARD_WEBHOOK_SECRET_BEFORE": FIRST,
    "DASHBOARD_OIDC_CLIENT_SECRET": FIRST,
    "DASHBOARD_METRICS_TOKEN": FIRST,
    "DASHBOARD_DATABASE_URL": "sqlite:///ledger.sqlite",
}


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name, value in OTHERS.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def filed(rest: pytest.MonkeyPatch, field: str, path: Path) -> None:
    rest.delenv(variable(field))
    rest.setenv(file_variable(field), str(path))


def value_of(settings: Settings, field: str) -> str | None:
    value = getattr(settings, field)
    return value if value is None or isinstance(value, str) else str(value.get_secret_value())


def test_every_secret_can_be_in_a_file() -> None:
    """And the address of the ledger, which may hold a password."""
    hidden = {name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)}
    assert {*SECRETS} == hidden | {"database_url"}


@pytest.mark.parametrize("field", SECRETS)
@pytest.mark.parametrize("around", ["{}", "{}\n", "{}\r\n", "\ufeff{}\n\n", "  {} \n"])
def test_it_is_read_without_what_stands_around_it(
    rest: pytest.MonkeyPatch, tmp_path: Path, field: str, around: str, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = f"postgresql://ann:{SECOND}@db/ledger" if field == "database_url" else SECOND
    (tmp_path / "secret").write_bytes(around.format(secret).encode())
    filed(rest, field, tmp_path / "secret")
    settings = load_settings()
    assert value_of(settings, field) == secret
    assert SECOND not in repr(settings) or field == "database_url"
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("field", SECRETS)
def test_given_twice_it_is_refused(rest: pytest.MonkeyPatch, tmp_path: Path, field: str) -> None:
    (tmp_path / "secret").write_text(SECOND)
    rest.setenv(file_variable(field), str(tmp_path / "secret"))
    with pytest.raises(SettingsError) as caught:
        load_settings()
    said = str(caught.value)
    assert f"{variable(field)} and {file_variable(field)} are both set" in said
    assert SECOND not in said
    assert FIRST not in said


UNUSABLE = {
    "empty": b" \n",
    "not a text": b"\x80\xff\x00",
    "another encoding": f"{SECOND}é".encode("cp1252"),
    "endless": SECOND.encode() * 10_000,
    "with a hole": f"{SECOND}\0".encode(),
}


@pytest.mark.parametrize("field", SECRETS)
@pytest.mark.parametrize("kind", ["no file", "a folder", "the secret itself", *UNUSABLE])
def test_what_is_no_secret_is_a_sentence(
    rest: pytest.MonkeyPatch, tmp_path: Path, field: str, kind: str
) -> None:
    path = tmp_path / "hidden-name"
    if kind == "a folder":
        path.mkdir()
    elif kind in UNUSABLE:
        path.write_bytes(UNUSABLE[kind])
    is_over = field == "webhook_secret_before" and kind == "empty"
    filed(rest, field, Path(SECOND * 20) if kind == "the secret itself" else path)
    if is_over:
        assert load_settings().webhook_secret_before is None
        return
    with pytest.raises(SettingsError, match=f"^{file_variable(field)}: ") as caught:
        load_settings()
    assert SECOND not in str(caught.value)
    assert "hidden-name" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_secret_that_can_be_guessed_is_refused_from_a_file_too(
    rest: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("short")
    filed(rest, "webhook_secret", tmp_path / "secret")
    with pytest.raises(SettingsError, match="DASHBOARD_WEBHOOK_SECRET: it is too short"):
        load_settings()


def test_a_value_passed_in_wins_over_the_file(rest: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECOND)
    filed(rest, "sms_api_key", tmp_path / "secret")
    assert load_settings(sms_api_key=FIRST).secret("sms_api_key")() == FIRST


def test_an_older_secret_needs_a_newer_one(rest: pytest.MonkeyPatch) -> None:
    rest.delenv("DASHBOARD_WEBHOOK_SECRET")
    with pytest.raises(SettingsError, match="set DASHBOARD_WEBHOOK_SECRET too"):
        load_settings()


def rotating(rest: pytest.MonkeyPatch, path: Path, field: str) -> Settings:
    path.write_text(FIRST)
    filed(rest, field, path)
    return load_settings().model_copy(update={"country": "GB"})  # as the settings in force are made


CHANGING = ("sms_api_key", "webhook_secret", "webhook_secret_before")


@pytest.mark.parametrize("field", CHANGING)
def test_a_file_that_changes_is_read_again(rest: pytest.MonkeyPatch, tmp_path: Path, field: str) -> None:
    path = tmp_path / "secret"
    now = rotating(rest, path, field).secret(field)
    assert now() == FIRST
    path.write_text(f"{SECOND}\n")  # written over
    assert now() == SECOND
    (tmp_path / "newer").write_text(FIRST)  # as long as the other one, and as old
    os.utime(tmp_path / "newer", ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    (tmp_path / "newer").replace(path)
    assert now() == FIRST


def test_a_link_that_leads_elsewhere_is_followed(rest: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As Kubernetes changes a secret."""
    for name, secret in (("one", FIRST), ("two", SECOND)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "key").write_text(secret)
    (tmp_path / "now").symlink_to("one")
    filed(rest, "sms_api_key", tmp_path / "now" / "key")
    now = load_settings().secret("sms_api_key")
    assert now() == FIRST
    (tmp_path / "next").symlink_to("two")
    (tmp_path / "next").replace(tmp_path / "now")
    assert now() == SECOND


@pytest.mark.parametrize("field", CHANGING)
@pytest.mark.parametrize("half", [None, b"", b"\x80\xff", f"{SECOND} x".encode()])
def test_while_it_cannot_be_used_the_one_before_counts(
    rest: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    field: str,
    half: bytes | None,
) -> None:
    path = tmp_path / "hidden-name"
    now = rotating(rest, path, field).secret(field)
    assert now() == FIRST
    path.unlink() if half is None else path.write_bytes(half)
    is_over = field == "webhook_secret_before" and not half
    assert [now(), now()] == [None if is_over else FIRST] * 2
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == (0 if is_over else 1)
    assert all(file_variable(field) in one and "hidden-name" not in one for one in said)
    assert SECOND not in caplog.text
    path.write_text(SECOND)
    assert now() == SECOND


def test_a_misspelt_name_of_a_file_is_pointed_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DASHBOARD_WEBHOOK_SECERT_FILE", "/run/secrets/webhook")
    load_settings()
    assert "Did you mean DASHBOARD_WEBHOOK_SECRET_FILE?" in capsys.readouterr().err
