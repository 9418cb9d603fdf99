"""Every page in every state of the ledger: busy, failed and huge; test_pages.py has the empty one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_seeds import sent_campaign, started_campaign, unknown_campaign, waiting_campaign
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger

Open = Callable[..., AppTest]
PEOPLE = 1_203


def busy(ledger: Ledger) -> str:
    started_campaign(ledger, "Next in line", 4)
    ledger.add_opt_outs(["+447911000001"])
    return sent_campaign(ledger, "Being sent", delivered=3, failed=0, on_the_way=7)


def failed(ledger: Ledger) -> str:
    unknown = unknown_campaign(ledger)
    waiting_campaign(ledger, "The service was not reached.")
    ledger.pause(started_campaign(ledger, "Wrong key", 2), "The service does not accept the API key.")
    sent_campaign(ledger, "Bad numbers", delivered=0, failed=25, on_the_way=0)
    return unknown


def huge(ledger: Ledger) -> str:
    for number in range(45):
        started_campaign(ledger, f"Small {number}", 1)
    ledger.add_opt_outs([f"+4479120{number:05d}" for number in range(PEOPLE)])
    return sent_campaign(ledger, "Everybody", delivered=PEOPLE - 3, failed=2, on_the_way=1)


STATES = {"busy": busy, "failed": failed, "huge": huge}
SAID = {
    ("overview", "busy"): ["Sending now", "10 of 10 messages handed over"],
    ("overview", "failed"): ["4 things to look at", "Waiting: The service was not reached.", "API key"],
    ("overview", "huge"): ["Sending now"],
    ("campaigns", "busy"): ["2 campaigns"],
    ("campaigns", "failed"): ["4 campaigns"],
    ("campaigns", "huge"): ["46 campaigns"],
    ("campaign", "busy"): ["10** of 10 messages handed over"],
    ("campaign", "failed"): ["nobody can tell about", "3 messages, €0.14 at risk"],
    ("campaign", "huge"): ["Messages 1 to 500 in the order of sending"],
}


@pytest.mark.parametrize("state", list(STATES))
@pytest.mark.parametrize(
    "view",
    ["overview", "campaigns", "campaign", "new", "contacts", "optouts", "check", "reports", "settings"],
)
def test_a_page_stands_whatever_the_ledger_holds(
    open_page: Open, wired: Runtime, view: str, state: str
) -> None:
    campaign = STATES[state](wired.ledger)
    said = words(open_page(view, **({"id": campaign} if view == "campaign" else {})))
    for sentence in SAID.get((view, state), []):
        assert sentence in said


def test_the_overview_follows_a_campaign_that_runs(open_page: Open, wired: Runtime) -> None:
    sent_campaign(wired.ledger, "Before", delivered=20, failed=0, on_the_way=0)
    page = open_page("overview")
    assert "to look at" not in words(page)
    unknown_campaign(wired.ledger)
    page.run()
    assert "1 thing to look at" in words(page)


def test_recipients_are_turned_page_by_page(open_page: Open, wired: Runtime) -> None:
    page = open_page("campaign", id=huge(wired.ledger))
    assert len(page.dataframe[0].value) == 500
    assert button(page, "Back").disabled
    button(page, "Next").click().run()
    button(page, "Next").click().run()
    assert len(page.dataframe[0].value) == PEOPLE - 1000
    assert button(page, "Next").disabled
    assert "Messages 1,001 to 1,203" in words(page)
    button(page, "Back").click().run()
    assert "Messages 501 to 1,000" in words(page)
    page.text_input(key="recipients-find").set_value("07911 001003").run()
    assert page.dataframe[0].value["Number"].tolist() == ["+447911001003"]
    page.text_input(key="recipients-find").set_value("555555").run()
    assert "No recipient matches" in words(page)
