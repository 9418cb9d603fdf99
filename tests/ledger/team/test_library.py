"""The library of texts: every version is kept with who saved it, and settings never see it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from fixtures_ledger import Clock

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.team.kept_settings import LIBRARY
from dashboard.settings import load_settings

ANN, BOB = "ann@example.com", "bob@example.com"


def test_each_save_under_a_name_is_a_version_with_who_and_when(ledger: Ledger, clock: Clock) -> None:
    given = load_settings()
    before = ledger.settings.now(given)
    first = ledger.library.save("Opening ", 'Doors\r\nopen 😀 "at" ten.\u2003', who=ANN)
    then = clock()
    clock.time += timedelta(minutes=1)
    second = ledger.library.save(" opening", "Doors open at nine.", who=BOB)
    assert (first.version, second.version, second.id) == (1, 2, first.id)
    assert ledger.library.all() == [second]
    assert ledger.library.versions(first.id) == [second, first]
    assert (first.who, first.at, second.who, second.at) == (ANN, then, BOB, clock())
    assert first.text == 'Doors\r\nopen 😀 "at" ten.\u2003'
    assert (ledger.settings.now(given), ledger.settings.changes()) == (before, [])


def test_what_is_already_so_makes_no_version(ledger: Ledger) -> None:
    saved = ledger.library.save("Opening", "Doors open at ten.", who=ANN)
    before = ledger.audit.count()
    assert ledger.library.save("Opening", "Doors open at ten.", who=BOB) == saved
    assert ledger.library.rename(saved.id, " Opening ", who=BOB) == saved
    assert ledger.library.restore(saved.id, 1, who=BOB) == saved
    assert ledger.audit.count() == before


def test_an_earlier_version_is_brought_back_as_a_new_one(ledger: Ledger) -> None:
    saved = ledger.library.save("Opening", "Ten.", who=ANN)
    ledger.library.save("Opening", "Nine.", who=ANN)
    ledger.library.rename(saved.id, "Doors", who=BOB)
    back = ledger.library.restore(saved.id, 1, who=BOB)
    assert (back.version, back.name, back.text, back.who) == (4, "Doors", "Ten.", BOB)
    assert [one.text for one in ledger.library.versions(saved.id)] == ["Ten.", "Nine.", "Nine.", "Ten."]


def test_what_is_missing_or_another_texts_name_is_refused(ledger: Ledger) -> None:
    for name, text, who in ((" ", "a", ANN), ("a", "\n", ANN), ("a", "a", " ")):
        with pytest.raises(LedgerError, match=r"^(Give the text a name|Write the text|Say who)"):
            ledger.library.save(name, text, who=who)
    assert ledger.library.all() == []
    saved = ledger.library.save("Opening", "Ten.", who=ANN)
    for version in (0, 2, -1):
        with pytest.raises(LedgerError, match="no version"):
            ledger.library.restore(saved.id, version, who=ANN)
    other = ledger.library.save("Closing", "Six.", who=ANN)
    with pytest.raises(LedgerError, match="Another text has this name"):
        ledger.library.rename(other.id, "OPENING", who=ANN)
    assert ledger.library.rename(other.id, "CLOSING", who=ANN).name == "CLOSING"


def test_nobodys_own_language_is_taken_for_a_text(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="Say who changes the settings"):
        ledger.settings.choose_language(LIBRARY, "en")
    ledger.library.save("Opening", "Ten.", who=LIBRARY)
    assert [text.name for text in ledger.library.all()] == ["Opening"]


def test_a_deleted_text_is_gone_and_its_name_is_free(ledger: Ledger) -> None:
    saved = ledger.library.save("Opening", "Ten.", who=ANN)
    for _twice in range(2):
        ledger.library.delete(saved.id, who=ANN)
    assert ledger.library.all() == []
    for gone in (
        lambda: ledger.library.versions(saved.id),
        lambda: ledger.library.rename(saved.id, "x", who=ANN),
        lambda: ledger.library.restore(saved.id, 1, who=ANN),
    ):
        with pytest.raises(LedgerError, match="no longer saved"):
            gone()
    assert ledger.library.save("Opening", "New.", who=ANN).version == 1
    assert ledger.audit.entries()["what"].tolist() == ["save text", "delete", "save text"]


def test_of_two_who_save_at_once_both_are_kept(ledger_url: str) -> None:
    ledgers = [Ledger.open(ledger_url) for _each in range(4)]
    with ThreadPoolExecutor(4) as pool:
        saved = list(pool.map(lambda one: one.library.save("Opening", uuid4().hex, who=ANN), ledgers))
    assert sorted(one.version for one in saved) == [1, 2, 3, 4]
    assert len(ledgers[0].library.versions(saved[0].id)) == len(ledgers)
    assert len({one.id for one in saved}) == 1
    for one in ledgers:
        one.close()
