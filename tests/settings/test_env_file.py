"""The file `.env` as editors save it, and the lines that would otherwise be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.errors import SettingsError
from dashboard.settings import load_settings

TEXT = "# Größe und Preis\nDASHBOARD_COUNTRY=DE\n\nDASHBOARD_PORT=8600\n"
KEY = "hidden-value-4711"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-marked", "utf-16-be-marked", "utf-32"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_it_is_read_as_editors_save_it(tmp_path: Path, encoding: str, line_end: str) -> None:
    text = TEXT.replace("\n", line_end)
    marked = encoding.endswith("-marked")
    raw = ("\ufeff" + text).encode(encoding.removesuffix("-marked")) if marked else text.encode(encoding)
    (tmp_path / ".env").write_bytes(raw)
    settings = load_settings()
    assert (settings.country, settings.port) == ("DE", 8600)


def refused(tmp_path: Path, raw: bytes) -> str:
    (tmp_path / ".env").write_bytes(raw)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert KEY not in str(caught.value)
    return str(caught.value)


def test_another_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    said = refused(tmp_path, f"SMS_API_KEY={KEY}\nX=1\n# Größe\nDASHBOARD_COUNTRY=DE\n".encode("cp1252"))
    assert "file .env, line 3," in said
    assert "Save it as UTF-8" in said


def test_utf_16_without_its_mark_or_its_end_is_named(tmp_path: Path) -> None:
    line = f"SMS_API_KEY={KEY}\n"
    for raw in (line.encode("utf-16-le"), line.encode("utf-16-be"), line.encode("utf-16")[:-1]):
        assert "Save it as UTF-8" in refused(tmp_path, raw)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n# settings\n\nDASHBOARD_PORT 8600\n", 4),
        ("DASHBOARD_PORT\n", 1),
        ("X=1\nDASHBOARD_PORT: 8600\n", 2),
        (f'X=1\nSMS_API_KEY="{KEY}\nDASHBOARD_PORT=8600\n', 2),
        ("DASHBOARD_PORT=1\nX=1\nDASHBOARD_PORT=2\n", 3),
    ],
)
def test_a_line_that_would_be_lost_is_named(tmp_path: Path, text: str, line: int) -> None:
    said = refused(tmp_path, text.encode())
    assert ".env" in said
    assert str(line) in said


def test_lines_of_other_programs_are_theirs(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LONELY\nexport X=1\nX=2\nDASHBOARD_PORT=8600\n", encoding="utf-8")
    assert load_settings().port == 8600


def test_a_folder_of_that_name_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(SettingsError, match=r"\.env"):
        load_settings()


def test_the_environment_wins_over_the_file_and_blank_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("DASHBOARD_PORT=8600\nDASHBOARD_COUNTRY=DE\n", encoding="utf-8")
    monkeypatch.setenv("DASHBOARD_PORT", "8700")
    monkeypatch.setenv("DASHBOARD_COUNTRY", "  ")
    monkeypatch.setenv("SMS_BASE_URL", "")
    settings = load_settings()
    assert (settings.port, settings.country) == (8700, "DE")
