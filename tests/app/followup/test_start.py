"""A campaign that was prepared and not started is started, or cancelled, on its page."""

from __future__ import annotations

from collections.abc import Callable

from fixtures_ledger import messages_frame
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]


def prepared(wired: Runtime) -> str:
    return wired.ledger.create_campaign("Spring sale", messages_frame(3, "Spring sale"), batch_size=10)


def test_it_says_where_it_stands_and_is_started_after_a_question_unless_something_keeps_it(
    open_page: Open, wired: Runtime
) -> None:
    wired.ledger.distrust()
    campaign = prepared(wired)
    page = open_page("campaign", id=campaign)
    banners = len(page.error)
    assert "Prepared, but not started" in page.info[0].value
    button(page, "Start…").click().run()
    assert "**3 people** will get a text message from **Spring sale**: 3–6 credits" in words(page)
    assert wired.ledger.campaign(campaign).state == "draft"
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(campaign).state == "draft"
    assert len(page.error) > banners
    wired.ledger.acknowledge_missing_opt_outs("Ann")
    button(page, "Start…").click().run()
    button(page, "Not yet").click().run()
    assert wired.ledger.campaign(campaign).state == "draft"
    button(page, "Start…").click().run()
    page.button(key="confirm-start").click().run()
    assert not page.exception
    assert wired.ledger.campaign(campaign).state == "running"
    assert not page.info
    assert "Pause" in {one.label for one in page.button}


def test_one_that_was_cancelled_is_not_started(open_page: Open, wired: Runtime) -> None:
    campaign = prepared(wired)
    page, other = (open_page("campaign", id=campaign) for _tab in range(2))
    button(page, "Start…").click().run()
    button(other, "Cancel…").click().run()
    other.button(key="confirm-cancel").click().run()
    assert wired.ledger.campaign(campaign).state == "cancelled"
    assert "Start…" not in {one.label for one in other.button}
    page.button(key="confirm-start").click().run()
    assert "cannot be started" in page.error[0].value
    assert wired.ledger.campaign(campaign).state == "cancelled"
