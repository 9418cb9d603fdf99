"""A campaign that was prepared and not started is started, or cancelled, on its page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fixtures_ledger import messages_frame
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]


@pytest.fixture
def prepared(wired: Runtime) -> str:
    return wired.ledger.create_campaign("Spring sale", messages_frame(3, "Spring sale"), batch_size=10)


def test_it_says_where_it_stands_and_is_started_after_a_question(
    open_page: Open, wired: Runtime, prepared: str
) -> None:
    page = open_page("campaign", id=prepared)
    assert "Prepared, but not started" in page.info[0].value
    button(page, "Start…").click().run()
    assert "**3 people** will get a text message from **Spring sale**: 3–6 credits" in words(page)
    assert wired.ledger.campaign(prepared).state == "draft"
    button(page, "Not yet").click().run()
    assert wired.ledger.campaign(prepared).state == "draft"
    button(page, "Start…").click().run()
    page.button(key="confirm-start").click().run()
    assert not page.exception
    assert wired.ledger.campaign(prepared).state == "running"
    assert not page.info
    assert "Pause" in {one.label for one in page.button}


def test_it_is_cancelled_instead(open_page: Open, wired: Runtime, prepared: str) -> None:
    page = open_page("campaign", id=prepared)
    button(page, "Cancel…").click().run()
    page.button(key="confirm-cancel").click().run()
    assert wired.ledger.campaign(prepared).state == "cancelled"
    assert "Start…" not in {one.label for one in page.button}


def test_what_keeps_it_from_starting_is_said(open_page: Open, wired: Runtime) -> None:
    wired.ledger.distrust()
    campaign = wired.ledger.create_campaign("Summer", messages_frame(3, "Summer"), batch_size=10)
    page = open_page("campaign", id=campaign)
    banners = len(page.error)
    button(page, "Start…").click().run()
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(campaign).state == "draft"
    assert len(page.error) > banners
    wired.ledger.acknowledge_missing_opt_outs("Ann")
    button(page, "Start…").click().run()
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(campaign).state == "running"


def test_one_that_another_tab_cancelled_is_not_started(
    open_page: Open, wired: Runtime, prepared: str
) -> None:
    page = open_page("campaign", id=prepared)
    button(page, "Start…").click().run()
    wired.ledger.cancel(prepared)
    page.button(key="confirm-start").click().run()
    assert "cannot be started" in page.error[0].value
    assert wired.ledger.campaign(prepared).state == "cancelled"
