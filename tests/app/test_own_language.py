"""Each person reads the pages in a language of their own, in every thread that serves them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pseudo_language import LANGUAGE
from streamlit.testing.v1 import AppTest
from test_people import locked, visit

from dashboard import words
from dashboard.app.runtime import Runtime
from dashboard.words import _


@pytest.fixture
def two_languages(wired: Runtime, bracketed: Path, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    monkeypatch.setattr(words, "FOLDER", bracketed)
    return locked(wired, people={"ann@example.com": "viewer", "bob@example.com": "admin"})


def settings_page(opened: Runtime, name: str) -> AppTest:
    return visit(opened, "settings", who=f"{name}@example.com")


def test_a_person_chooses_and_only_that_person_reads_it(two_languages: Runtime) -> None:
    ann = settings_page(two_languages, "ann")
    assert ann.title[0].value == "Settings"
    (choice,) = [one for one in ann.selectbox if one.label == "Your language"]
    choice.set_value(LANGUAGE).run()
    assert ann.title[0].value == "⟦Settings⟧"
    assert settings_page(two_languages, "ann").title[0].value == "⟦Settings⟧"
    assert settings_page(two_languages, "bob").title[0].value == "Settings"
    (choice,) = [one for one in ann.selectbox if one.label == "⟦Your language⟧"]
    choice.select_index(0).run()
    assert settings_page(two_languages, "ann").title[0].value == "Settings"
    settings = two_languages.ledger.settings
    settings.choose_language("ann@example.com", "en")
    settings.change({"language": LANGUAGE}, who="bob@example.com", given=two_languages.given)
    assert settings_page(two_languages, "ann").title[0].value == "Settings"
    assert settings_page(two_languages, "bob").title[0].value == "⟦Settings⟧", (
        "who chose none has everybody's"
    )


def test_a_refusal_is_said_in_the_language_of_whoever_clicked(two_languages: Runtime) -> None:
    two_languages.ledger.settings.choose_language("bob@example.com", LANGUAGE)
    page = settings_page(two_languages, "bob")
    (price,) = [one for one in page.text_input if one.label == "⟦Price per credit⟧"]
    price.set_value("0,1")
    (save,) = [one for one in page.button if one.form_id == "own-prices"]
    save.click().run()
    assert page.error[0].value.startswith("⟦Price per credit⟧: ⟦write a price")


def test_what_is_made_in_another_thread_speaks_the_language_of_who_asked(
    two_languages: Runtime,
) -> None:
    del two_languages

    def say() -> str:
        return _("Settings")

    words.speak(LANGUAGE)
    spoken: Callable[[], str] = words.spoken_here(say)
    words.speak(None)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(spoken).result() == "⟦Settings⟧"
        assert pool.submit(say).result() == "Settings"
