"""The words of the interface: one catalogue, kept whole, and languages that are files."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from each import each
from pseudo_language import LANGUAGE, outside, template, write_language

from dashboard import words
from dashboard.errors import SettingsError
from dashboard.settings import load_settings
from dashboard.words import N_, _, count, plural

ROOT = Path(__file__).parents[1]
DRAWN = sorted((ROOT / "dashboard" / "app").rglob("*.py"))
NO_SUCH_ROW = "There is no row {row} in the sheet. Give the row number of its header, or 0."
BLANK_ROWS = ("Left out: {count} blank row.", "Left out: {count} blank rows.")
SPOKEN = {"label", "help", "placeholder", "alt", "action", "caption", "body", "sentence"}
"""Arguments by name that people read."""


@pytest.fixture(autouse=True)
def in_english_again() -> Iterator[None]:
    yield
    words.use("en")


def write_few(folder: Path, **translations: str) -> None:
    """A language in which only these messages are translated."""
    translated = Catalog(locale=LANGUAGE)
    for message, translation in translations.items():
        translated.add(message, translation)
    with (folder / f"{LANGUAGE}.po").open("wb") as file:
        write_po(file, translated)


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def test_the_catalogue_holds_what_the_code_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    module = importlib.import_module("generate_catalogue")
    said = "run python docs/generate_catalogue.py"
    assert module.document() == module.TARGET.read_text(encoding="utf-8"), said


def test_a_language_is_a_file(tmp_path: Path) -> None:
    write_language(tmp_path, **{"Can be texted.": "Geht."})
    words.use(LANGUAGE, tmp_path)
    assert _("Can be texted.") == "Geht."
    assert plural(1, *BLANK_ROWS) == "⟦Left out: 1 blank row.⟧"
    assert plural(1200, *BLANK_ROWS) == "⟦Left out: 1.200 blank rows.⟧"
    assert _(N_("not in the catalogue")) == "not in the catalogue"
    assert (count(None), words.decimal(4.1), words.share(0.333)) == ("–", "4,1", "33,3\N{NO-BREAK SPACE}%")
    assert (words.weekdays()[0], words.number_signs()) == ("Mo.", ",.")
    assert words.day_and_time(datetime(2026, 10, 2, 9, tzinfo=UTC)) == "⟦2 Okt. 2026, 09:00⟧"
    words.use("en")
    assert plural(1200, *BLANK_ROWS) == "Left out: 1,200 blank rows."


def test_names_are_in_the_quotation_marks_of_the_language(tmp_path: Path) -> None:
    assert words.quoted("a {b}") == "“a {b}”"
    write_few(tmp_path, **{"“{name}”": "„{name}“"})
    words.use(LANGUAGE, tmp_path)
    assert words.quoted("a {b}") == "„a {b}“"


def test_a_message_that_nobody_translated_stays_english_and_placeholders_may_move(tmp_path: Path) -> None:
    write_few(tmp_path, **{"Can be texted.": "", NO_SUCH_ROW: "{row} ist keine Zeile."})
    words.use(LANGUAGE, tmp_path)
    assert _("Can be texted.") == "Can be texted."
    assert _(NO_SUCH_ROW).format(row=7) == "7 ist keine Zeile."


@each("typed", ["TT.MM.JJJJ", "DD MM YYYY", "DD.MM/YYYY", "MM.DD"])
def test_a_way_to_type_days_that_no_field_knows_is_not_used(tmp_path: Path, typed: str) -> None:
    write_few(tmp_path, **{"DD/MM/YYYY": typed})
    words.use(LANGUAGE, tmp_path)
    assert words.day_format() == "YYYY-MM-DD"


@each("translation", ["Zeile.", "{rows} in Zeile {row}.", "Zeile {row} {", "Zeile {row} {0}", "{row!x}"])
def test_a_translation_with_other_placeholders_is_refused(tmp_path: Path, translation: str) -> None:
    write_few(tmp_path, **{NO_SUCH_ROW: translation})
    with pytest.raises(SettingsError, match=r"de\.po: the translation of “There is no row \{row\}"):
        words.use(LANGUAGE, tmp_path)


def test_no_sentence_names_a_variable_of_the_environment_or_depends_on_spaces_at_its_ends() -> None:
    said = [text for message in template() for text in _texts(message.id)]
    assert len(said) > 1000
    assert [text for text in said if re.search(r"DASHBOARD_|\bSMS_[A-Z]", text)] == []
    assert [text for text in said if text != text.strip()] == []


def test_a_file_that_is_no_catalogue_or_not_named_after_a_language_is_refused(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text("Liste sichern", encoding="utf-8")
    (tmp_path / "deutsch.po").touch()
    for name, says in ((LANGUAGE, r"de\.po cannot be read"), ("deutsch", "“deutsch” is no language's code")):
        with pytest.raises(SettingsError, match=says):
            words.use(name, tmp_path)


def test_an_unknown_language_is_refused_with_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_LANGUAGE", "xx")
    with pytest.raises(SettingsError, match=r"DASHBOARD_LANGUAGE: choose one of .*\ben\b"):
        load_settings()
    with pytest.raises(SettingsError, match=r"no words in the language “xx”.*\ben\b"):
        words.use("xx")


@each("room", ["app", "campaigns", "contacts", "reports", "service", "settings"])
def test_every_marked_message_is_in_the_catalogue(room: str) -> None:
    """Also one within an f-string, which extraction does not see."""
    known = {text for message in template() for text in _texts(message.id)}
    files = sorted((ROOT / "dashboard" / room).rglob("*.py"))
    calls = [node for file in files for node in ast.walk(parsed(file)) if _marks(node)]
    said = [
        part.value
        for call in calls
        for part in call.args
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    assert said
    assert [text for text in said if text not in known] == []


def _marks(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"_", "N_", "plural"}
    )


def _texts(message: str | tuple[str, ...]) -> tuple[str, ...]:
    return message if isinstance(message, tuple) else (message,)


@each("file", DRAWN)
def test_no_words_are_drawn_past_the_catalogue(file: Path) -> None:
    calls = [node for node in ast.walk(parsed(file)) if isinstance(node, ast.Call)]
    drawn = [argument for call in calls if _draws(call) for argument in _arguments(call)]
    drawn += [given.value for call in calls for given in call.keywords if given.arg in SPOKEN]
    assert [(argument.lineno, text) for argument in drawn if (text := _bare_words(argument))] == []


def _draws(call: ast.Call) -> bool:
    """Whether it is one of Streamlit's elements, or one of ours that take a sentence or a title first."""
    if isinstance(call.func, ast.Attribute):
        return isinstance(call.func.value, ast.Name) and call.func.value.id == "st"
    return isinstance(call.func, ast.Name) and call.func.id in {"section", "head", "empty", "strip"}


def _arguments(call: ast.Call) -> list[ast.expr]:
    return call.args[:2] if isinstance(call.func, ast.Name) else call.args[:1]


def _bare_words(argument: ast.expr) -> str:
    """The words of a literal, or of the literal parts of an f-string; nothing of an address or an icon."""
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    text = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant) and part.value)
    text = re.sub(r":material/\w+:|<[^>]*>|views/\w*\.py|[\w.-]+\.(css|png)", "", text)
    return text if re.search(r"[A-Za-z]{3,}", text) and outside(text) and not _is_a_sample(text) else ""


def _is_a_sample(text: str) -> bool:
    """An example of what to type that is the same in every language."""
    return bool(re.fullmatch(r"[+\d ]+|[a-z-]+|[\w:]+", text))
