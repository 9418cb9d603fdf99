"""Each person reads the pages in a language of their own, in every thread that serves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_reading import MAIN
from patience import PATIENCE_S
from pseudo_language import LANGUAGE, write_language
from streamlit.testing.v1 import AppTest

from dashboard import words
from dashboard.app import runtime
from dashboard.app.door.desk import Desk
from dashboard.app.runtime import Runtime
from dashboard.ledger.sign_ins import Account
from dashboard.settings import load_settings
from dashboard.words import _

SIGN_IN: dict[str, Any] = {
    "oidc_issuer": "https://id.example",
    "oidc_client_id": "dashboard",
    "oidc_client_secret": "secret",
    "oidc_cookie_secret": "0123456789abcdefghijklmnopqrstuv",
    "people": {"ann@example.com": "viewer", "bob@example.com": "admin"},
}


@pytest.fixture
def two_languages(wired: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    write_language(tmp_path)
    monkeypatch.setattr(words, "FOLDER", tmp_path)
    given = load_settings(data=wired.given.data, port=wired.given.port, **SIGN_IN)
    fresh = replace(wired, given=given, desk=Desk(wired.ledger, given))
    runtime.use(fresh)
    yield fresh
    words.speak(None)
    words.use("en")


def visit(name: str) -> AppTest:
    page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE_S)
    desk = runtime.current().desk
    assert desk is not None
    seat = desk.seat(desk.begin(Account(SIGN_IN["oidc_issuer"], f"sub of {name}", f"{name}@example.com")))
    page.user = {"seat": seat.key if seat else ""}
    page.run()
    page.switch_page("views/settings.py").run()
    assert not page.exception, page.exception
    return page


def test_a_person_chooses_and_only_that_person_reads_it(two_languages: Runtime) -> None:
    ann = visit("ann")
    assert ann.title[0].value == "Settings"
    (choice,) = [one for one in ann.selectbox if one.label == "Your language"]
    choice.set_value(LANGUAGE).run()
    assert not ann.exception, ann.exception
    assert ann.title[0].value == "⟦Settings⟧"
    assert visit("ann").title[0].value == "⟦Settings⟧"
    assert visit("bob").title[0].value == "Settings"
    (choice,) = [one for one in ann.selectbox if one.label == "⟦Your language⟧"]
    choice.select_index(0).run()
    assert visit("ann").title[0].value == "Settings"


def test_everybodys_language_is_for_those_who_chose_none(two_languages: Runtime) -> None:
    settings = two_languages.ledger.settings
    settings.choose_language("ann@example.com", "en")
    settings.change({"language": LANGUAGE}, who="bob@example.com", given=two_languages.given)
    assert visit("ann").title[0].value == "Settings"
    assert visit("bob").title[0].value == "⟦Settings⟧"


def test_a_refusal_is_said_in_the_language_of_whoever_clicked(two_languages: Runtime) -> None:
    two_languages.ledger.settings.choose_language("bob@example.com", LANGUAGE)
    page = visit("bob")
    (price,) = [one for one in page.text_input if one.label == "⟦Price per credit⟧"]
    price.set_value("0,1")
    (save,) = [one for one in page.button if one.form_id == "own-prices"]
    save.click().run()
    assert page.error[0].value.startswith("⟦Price per credit⟧: ⟦write a number")


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
