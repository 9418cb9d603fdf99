"""The library of texts: its page for each role, and what the editor offers of it."""

from __future__ import annotations

import pytest
from page_reading import Open, button, words

from dashboard.app import people
from dashboard.app.people import Person
from dashboard.app.runtime import Runtime
from dashboard.settings import ROLES

SHEET = b"First name,Mobile\nAnn,07911123451\n"
CHANGING = {"Rename…", "Delete…", "Use version 1 again"}


def two_versions(app: Runtime) -> str:
    app.ledger.library.save("Opening *today*", "Ten {{ First name }}", who="Ann")
    return app.ledger.library.save("Opening *today*", "Nine", who="Bob").id


def test_it_shows_every_version_with_who_saved_it(wired: Runtime, open_page: Open) -> None:
    two_versions(wired)
    page = open_page("texts")
    said = words(page)
    for part in ("Version 2, saved", "by Bob", "Version 1, saved", "by Ann"):
        assert part in said
    assert [one.value for one in page.text] == ["Nine", "Ten {{ First name }}"]
    button(page, "Use version 1 again").click().run()
    assert [one.text for one in wired.ledger.library.all()] == ["Ten {{ First name }}"]
    assert "Version 3, saved" in words(page)


def test_only_who_may_send_changes_it(
    wired: Runtime, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_versions(wired)
    for role in ROLES:
        monkeypatch.setattr(people, "visitor", lambda role=role: Person("ann@example.com", role))
        found = {one.label for one in open_page("texts").main.button}
        assert found == (set() if role == "viewer" else CHANGING)


def test_a_search_finds_names_and_words_of_texts(wired: Runtime, open_page: Open) -> None:
    two_versions(wired)
    wired.ledger.library.save("Closing", "Six", who="x")
    page = open_page("texts")
    for wanted, found in (("OPENING", ["Nine"]), ("six", ["Six"]), ("seven", [])):
        page.text_input[0].set_value(wanted).run()
        assert [one.value for one in page.text if one.value in {"Nine", "Six"}] == found
    assert "No text matches" in words(page)


def test_a_draft_begins_with_a_saved_text(wired: Runtime, open_draft: Open) -> None:
    two_versions(wired)
    page = open_draft(SHEET, name="Spring", step=4)
    (choice,) = [one for one in page.selectbox if one.label == "Start from a saved text"]
    choice.set_value(choice.options[0]).run()
    (draft,) = wired.drafts.open_ones("local")
    assert draft.template == "Nine"
    (name,) = [one for one in page.text_input if one.label == "Name of the text"]
    assert name.value == "Opening *today*"


def test_what_is_written_is_saved_under_the_campaigns_name_or_refused_without_one(
    wired: Runtime, open_draft: Open
) -> None:
    page = open_draft(SHEET, name="Spring", template="Hi", step=4)
    (name,) = [one for one in page.text_input if one.label == "Name of the text"]
    name.set_value(" ").run()
    button(page, "Save the text").click().run()
    assert "Give the text a name" in words(page)
    assert wired.ledger.library.all() == []
    name.set_value("Spring").run()
    button(page, "Save the text").click().run()
    (saved,) = wired.ledger.library.all()
    assert (saved.name, saved.text, saved.version, saved.who) == ("Spring", "Hi", 1, "local")
