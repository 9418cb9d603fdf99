"""What marketers decided in the settings, where a campaign is written."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import time
from typing import Any

import pytest
from app_seeds import started_campaign
from editor_reading import editor, type_text
from page_reading import words
from streamlit.testing.v1 import AppTest
from wizard_steps import draft_of, labelled, stored

from dashboard.app import actions
from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]
SHEET = b"Mobile\n07400 183645\n07400 283646\n"
LINE = "Reply STOP to opt out"


@pytest.fixture
def decide(wired: Runtime) -> Callable[..., object]:
    def change(**values: Any) -> object:
        return wired.ledger.settings.change(values, who="ann@example.com", given=wired.given)

    return change


def test_the_line_is_added_counted_and_switched_off_and_a_text_that_says_it_gets_none(
    wired: Runtime, decide: Callable[..., object], open_draft: Open
) -> None:
    page = open_draft(SHEET, step=4, name="Spring", template="x" * 150)
    assert "€0.09" in words(page)
    decide(opt_out_line=LINE)
    assert "€0.18" in words(page.run())
    assert editor(page)["tail"] == f"\n{LINE}"
    assert f"{150 + 1 + len(LINE)} characters of 1,024 · 2 credits" in words(page)
    assert "does not say how to stop" not in words(page)
    (switch,) = [one for one in page.toggle if LINE in one.label]
    switch.set_value(False).run()
    assert not page.exception, page.exception
    assert editor(page)["tail"] == ""
    assert "150 characters of 1,024 · 1 credit" in words(page)
    assert "does not say how to stop" in words(page)
    assert draft_of(wired).says_opt_out is False
    wired.drafts.change(draft_of(wired).id, "local", says_opt_out=True)
    type_text(page, "Sale! STOP ends this.")
    assert editor(page)["tail"] == ""
    assert not [one for one in page.toggle if LINE in one.label]


def test_saved_senders_are_offered_and_others_may_be_typed(
    wired: Runtime, decide: Callable[..., object], open_draft: Open
) -> None:
    decide(senders=["ACME", "Shop"])
    page = open_draft(SHEET, step=4, name="Spring", template="Sale!", sender="Typed before")
    sender = labelled(page.selectbox, "Sender")
    assert sender.value == "Typed before"
    assert sender.options == ["The account's default", "ACME", "Shop", "Typed before"]
    for chosen in ("Shop", ""):
        sender.set_value(chosen).run()
        assert draft_of(wired).sender == chosen


def test_a_new_campaign_keeps_the_usual_quiet_hours_however_it_begins(
    wired: Runtime, decide: Callable[..., object]
) -> None:
    ledger, content = wired.ledger, io.BytesIO(SHEET)
    saved = ledger.lists.save("Staff", content, source="staff.csv", who="local", choices={"country": "GB"})
    earlier = started_campaign(ledger, "Spring", 3)
    ways = (
        lambda: actions.begin_draft("staff.csv", content),
        lambda: actions.use_list(saved),
        lambda: actions.use_texts(earlier),
    )
    assert not any(begin().keep_hours for begin in ways)
    decide(texting_hours="08:00-18:30 Mon,Fri")
    for begin in ways:
        draft = stored(wired, begin())
        assert draft.keep_hours
        assert (draft.hours.start, draft.hours.end, draft.hours.days) == (time(8), time(18, 30), {0, 4})
