"""The recipients of a campaign: which page is shown when the filters or the people change."""

from __future__ import annotations

import pytest
from app_seeds import sent_campaign
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.followup import recipients
from dashboard.app.runtime import Runtime


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipients, "PAGE_ROWS", 2)


def shown(page: AppTest) -> list[str]:
    return [str(number) for number in page.dataframe[-1].value["Number"]]


def page_after_next(page: AppTest) -> list[str]:
    button(page, "Next").click().run()
    return shown(page)


def test_another_filter_begins_with_its_first_page(open_page: Open, wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, "Spring sale", delivered=6)
    page = open_page("campaign", id=campaign)
    find, stage = f"recipients-find-{campaign}", recipients.stage_key(campaign)

    def narrow(number: str, stages: list[str]) -> None:
        page.text_input(key=find).set_value(number)
        page.button_group(key=stage).set_value(stages).run()

    first = shown(page)
    for number, stages in (("447911", []), ("", ["delivered"]), ("", []), ("0044 7911", ["delivered"])):
        assert page_after_next(page) != first
        narrow(number, stages)
        assert shown(page) == first, (number, stages)


def test_a_page_that_nobody_is_on_any_more_is_the_last_one_with_people(
    open_page: Open, wired: Runtime
) -> None:
    campaign = sent_campaign(wired.ledger, "Spring sale", delivered=0, failed=0, on_the_way=6)
    page = open_page("campaign", id=campaign)
    page.button_group(key=recipients.stage_key(campaign)).set_value(["sent"]).run()
    assert button(page, "Back").disabled
    second = page_after_next(page)
    page_after_next(page)
    assert "Messages 5 to 6" in words(page)
    button(page, "Back").click().run()
    assert shown(page) == second
    page_after_next(page)
    uuids, at = wired.ledger.messages(campaign)["uuid"].tolist(), "2026-11-20T10:00:00Z"
    wired.ledger.record_reports(
        [{"uuid": uuid, "status": "delivered", "delivered_at": at} for uuid in uuids[4:]]
    )
    assert shown(page.run()) == second
    assert [button(page, label).disabled for label in ("Back", "Next")] == [False, True]
