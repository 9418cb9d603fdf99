"""The sample sheet: one click to it on the first day, and nobody is ever texted with it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from app_seeds import started_campaign
from each import each
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest

from dashboard.app import drafting, runtime, starting
from dashboard.app.drafts import Draft, address
from dashboard.app.runtime import Runtime
from dashboard.app.sample import COUNTRY, SHEET
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.errors import CampaignError

DOORS = ("overview", "new")
OFFER = "Try it with a sample sheet"


def offered(page: AppTest) -> bool:
    return OFFER in [one.label for one in page.button]


def test_it_has_rows_of_every_verdict() -> None:
    rows = clean_contacts(read_sheet(SHEET), country=COUNTRY).rows
    assert set(rows["status"]) == {"ok", "review", "invalid", "duplicate", "opted_out", "empty"}
    assert (rows["status"] == "ok").sum() >= 10
    assert rows["repairs"].nunique() >= 8


@pytest.mark.parametrize("door", DOORS)
def test_one_click_opens_its_columns_until_there_is_a_campaign(
    open_page: Open, wired: Runtime, door: str
) -> None:
    page = open_page(door)
    button(page, OFFER).click().run()
    (draft,) = wired.drafts.open_ones("local")
    assert (draft.name, draft.country, draft.step) == ("Sample – nobody is texted", "GB", 2)
    assert page.query_params == address(draft.id, draft.step)
    assert page.multiselect[0].value == ["Mobile", "Home phone"]
    assert "Sample – nobody is texted" in words(page)
    started_campaign(wired.ledger, "Spring sale", 3)
    assert not offered(open_page(door))


def test_with_a_real_service_it_is_not_offered_and_does_not_begin(
    open_page: Open, with_a_service: Runtime
) -> None:
    assert not any(offered(open_page(door)) for door in DOORS)
    with pytest.raises(CampaignError, match="texted only in the sandbox"):
        drafting.begin_sample()
    assert not with_a_service.drafts.open_ones("local")


def alone(wired: Runtime) -> Draft:
    del wired
    return drafting.begin_sample()


def uploaded_under_another_name(wired: Runtime) -> Draft:
    return wired.drafts.begin("local", "mine.csv", io.BytesIO(SHEET.read_bytes()))


def beside_a_sheet(wired: Runtime) -> Draft:
    own = wired.drafts.begin("local", "own.csv", io.BytesIO(b"Mobile\n+447400183645\n"))
    drafting.add_list(own.id, "more.csv", io.BytesIO(SHEET.read_bytes()), leaves_out=False)
    return wired.drafts.find(own.id, "local") or own


@each("begin", [alone, uploaded_under_another_name, beside_a_sheet])
def test_a_draft_with_it_is_not_started_once_there_is_a_real_service(
    wired: Runtime, begin: Callable[[Runtime], Draft], request: pytest.FixtureRequest
) -> None:
    runtime.use(wired)
    text = {"name": "Sample", "template": "Hi! Reply STOP to opt out.", "country": "GB"}
    draft = wired.drafts.save(begin(wired).model_copy(update=text))
    runtime.use(replace(wired, given=request.getfixturevalue("with_a_service").given))
    with pytest.raises(CampaignError, match="made up and may belong to somebody"):
        starting.start_campaign(draft)
    assert wired.ledger.campaigns().empty
