"""A campaign's page and a draft's steps show nothing of the one that was looked at before."""

from __future__ import annotations

from typing import Any

import pytest
from app_seeds import sent_campaign, unknown_campaign
from each import each
from editor_reading import editor
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.drafts import DraftHours
from dashboard.app.followup import recipients
from dashboard.app.runtime import Runtime
from dashboard.app.widgets.pressed import OPEN

SHEET = (
    b"First name,Mobile,City\nAnn,07911 123451,Leeds\nBen,nope,York\nCleo,07911 123453 ext 3,\nDev,nope,\n"
)
KINDS = (
    *("text_input", "text_area", "number_input", "selectbox", "multiselect", "pills", "segmented_control"),
    *("toggle", "checkbox", "datetime_input", "time_input"),
)


@pytest.fixture(autouse=True)
def few_on_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipients, "PAGE_ROWS", 5)


def shown(page: AppTest) -> dict[str, list[Any]]:
    """What the page says, and what stands in its fields."""
    fields = {kind: [(one.label, one.value) for one in page.get(kind)] for kind in KINDS}
    return fields | {"said": words(page), "tables": [one.value.to_dict() for one in page.dataframe]}


def unnamed(page: AppTest, own: str) -> set[str]:
    """Keys of the session that do not name this campaign or draft, but for mere clicks and the open page."""
    keys = {str(key) for key in page.session_state._state.filtered_state}
    return {key for key in keys if own[:8] not in key} - {str(one.key) for one in page.button} - {OPEN}


STEPS = [
    {"step": 1},
    {"step": 2},
    {"step": 3},
    {"step": 4},
    {"step": 4, "variants": [{"template": "One"}, {"template": "Two"}]},
    {"step": 5, "when": "later", "keep_hours": True, "country_hours": {"US": DraftHours()}},
    {"step": 5, "when": "local"},
]


@each("choices", STEPS)
def test_a_drafts_keys_name_it(open_draft: Open, choices: dict[str, object]) -> None:
    page = open_draft(SHEET, name="A", template="Hi {{ First name }}!", **choices)
    own = str(page.query_params["draft"])
    for kind in KINDS:
        assert all(own in str(one.key) for one in page.get(kind)), kind
    assert all(own in editor(page)["id"] for _ in page.get("bidi_component"))
    assert unnamed(page, own) == set()


def test_a_campaign_after_another_looks_as_on_a_first_visit(open_page: Open, wired: Runtime) -> None:
    first = sent_campaign(wired.ledger, "A", delivered=5, failed=3, on_the_way=1)
    second = sent_campaign(wired.ledger, "B", delivered=4, failed=2, on_the_way=1)
    fresh = shown(open_page("campaign", id=second))
    page = open_page("campaign", id=first)

    def look_at_second() -> None:
        """As Back and Forward do, without another page between."""
        page.query_params["id"] = second
        page.run()
        assert shown(page) == fresh
        page.query_params["id"] = first
        page.run()

    button(page, "Next").click().run()
    assert "6 to 9" in words(page)
    look_at_second()
    page.text_input[0].set_value("07911 000 003").run()
    assert len(page.dataframe[0].value) == 1
    look_at_second()
    page.text_input[0].set_value("")
    page.pills[0].set_value(["failed"]).run()
    assert len(page.dataframe[0].value) == 3
    look_at_second()


def test_unknown_batches_keep_their_reasons_apart(open_page: Open, wired: Runtime) -> None:
    first, second = unknown_campaign(wired.ledger), unknown_campaign(wired.ledger)
    page = open_page("campaign", id=first)
    button(page, "They were sent").click().run()
    why = next(one for one in page.text_input if str(one.key).startswith("why-"))
    why.set_value("The list shows them").run()
    page.query_params["id"] = second
    page.run()
    button(page, "They were sent").click().run()
    assert next(one for one in page.text_input if str(one.key).startswith("why-")).value == ""
