"""Every page in every state: busy, failed, huge, and without its ledger; test_pages.py has the empty one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from app_seeds import sent_campaign, started_campaign, unknown_campaign, waiting_campaign
from each import each
from page_reading import Open, button, failed_page, words
from streamlit import config
from tiers import only_deep

from dashboard import errors
from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger

PEOPLE = 1_203
VIEWS = [
    *("overview", "campaigns", "campaign", "new", "contacts", "optouts", "check", "reports"),
    *("settings", "history"),
]


def troubled(ledger: Ledger) -> str:
    ledger.add_opt_outs(["+447400900001"])
    unknown = unknown_campaign(ledger)
    ledger.pause(started_campaign(ledger, "Wrong key", 2), "The service does not accept the API key.")
    sent_campaign(ledger, "Bad numbers", delivered=0, failed=25, on_the_way=0)
    sent_campaign(ledger, "Being sent", delivered=3, failed=0, on_the_way=7)
    waiting_campaign(ledger, "The service was not reached.")
    return unknown


def huge(ledger: Ledger) -> str:
    for number in range(45):
        started_campaign(ledger, f"Small {number}", 1)
    ledger.add_opt_outs([f"+4479120{number:05d}" for number in range(PEOPLE)])
    ledger.record_reports([{"uuid": str(UUID(int=number)), "status": "sent"} for number in range(PEOPLE)])
    for number in range(60):
        ledger.lists.save(f"List {number}", io.BytesIO(b"Mobile\n"), source="people.csv", who="local")
    return sent_campaign(ledger, "Everybody", delivered=PEOPLE - 3, failed=2, on_the_way=1)


SAID = {
    troubled: {
        "overview": ["Sending now", "10 of 10 messages handed over", "4 things to look at", "API key"],
        "campaigns": ["5 campaigns"],
        "campaign": ["with an unknown outcome", "3 messages, €0.14 at risk"],
        "optouts": ["1 number"],
    },
    huge: {
        "overview": ["Sending now"],
        "campaigns": ["46 campaigns"],
        "campaign": ["Messages 1 to 500 in the order of sending"],
        "contacts": ["60 lists"],
        "optouts": ["1,203 numbers; the first 500 are shown"],
        "reports": ["The newest 500 of 1,203 are shown"],
    },
}


@pytest.mark.parametrize("state", [troubled, *only_deep(huge)])
def test_every_page_stands_whatever_the_ledger_holds(
    open_page: Open, wired: Runtime, state: Callable[[Ledger], str]
) -> None:
    campaign = state(wired.ledger)
    for view in VIEWS:
        said = words(open_page(view, **({"id": campaign} if view == "campaign" else {})))
        missing = [sentence for sentence in SAID[state].get(view, []) if sentence not in said]
        assert missing == [], view


def test_the_overview_follows_a_campaign_that_runs(open_page: Open, wired: Runtime) -> None:
    sent_campaign(wired.ledger, "Before", delivered=20, failed=0, on_the_way=0)
    page = open_page("overview")
    assert "to look at" not in words(page)
    assert [one.value for one in page.metric if one.label == "Billed"] == ["€0.90"]
    unknown_campaign(wired.ledger)
    page.run()
    assert "1 thing to look at" in words(page)


@pytest.fixture
def told_in_full() -> Iterator[None]:
    """What a page failed with is told to the test, as it is to `asgi.explain`."""
    told = {"client.showErrorDetails": "full", "logger.enableRich": False}  # Rich draws for two seconds
    before = {option: config.get_option(option) for option in told}
    for options in (told, before):
        for option, value in options.items():
            config.set_option(option, value)
        if options is told:
            yield


@pytest.mark.usefixtures("told_in_full")
@pytest.mark.parametrize("view", ["overview", *only_deep(*sorted({*VIEWS} - {"overview", "new"}))])
def test_without_its_ledger_a_page_fails_with_a_sentence(
    open_page: Open, wired: Runtime, tmp_path: Path, view: str
) -> None:
    campaign = sent_campaign(wired.ledger)
    page = open_page(view, **({"id": campaign} if view == "campaign" else {}))
    other = open_page("new")
    take_away(wired, tmp_path)
    other.run()  # it needs none
    with pytest.raises(AssertionError):
        page.run()
    (failure,) = page.exception
    assert failure.message.startswith("The ledger's database cannot be used right now")


def take_away(wired: Runtime, folder: Path) -> None:
    """Leave no file where the ledger is, nor room for one."""
    wired.ledger.close()
    for file in folder.glob("ledger.sqlite*"):
        file.unlink()
    (folder / "ledger.sqlite").mkdir()


@each(
    "error, says",
    [
        (errors.LedgerUnavailableError("The disk is full."), "The disk is full."),
        (ValueError("+447911123456"), "Reload it"),
    ],
)
def test_an_error_is_told_in_our_own_words_or_not_at_all(error: Exception, says: str) -> None:
    page = failed_page(error)
    assert says in page.error[0].value
    assert "+44" not in page.error[0].value


def test_every_page_says_that_opt_outs_may_be_missing_until_somebody_entered_them(
    wired: Runtime, open_page: Open
) -> None:
    wired.ledger.distrust()
    for view in ("overview", "optouts"):
        assert "enter them again before you send" in words(open_page(view))
    page = open_page("overview")
    button(page, "They have been entered, or there were none").click().run()
    assert "enter them again" not in words(page)
    assert wired.ledger.missing_opt_outs() is None
