"""A campaign's page and a draft's steps show nothing of the one that was looked at before."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from app_seeds import sent_campaign, unknown_campaign
from editor_reading import editor
from page_reading import button, words
from streamlit.testing.v1 import AppTest
from tiers import only_deep

from dashboard.app.drafts import Columns, Draft, DraftHours
from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]
SHEET = (
    b"First name,Mobile,City\nAnn,07911 123451,Leeds\nBen,nope,York\nCleo,07911 123453 ext 3,\nDev,nope,\n"
)
KINDS = (
    *("text_input", "text_area", "number_input", "selectbox", "multiselect", "pills", "segmented_control"),
    *("toggle", "checkbox", "datetime_input", "time_input"),
)


def draft(wired: Runtime, name: str, **choices: object) -> str:
    begun = wired.drafts.begin("local", f"{name}.csv", io.BytesIO(SHEET))
    ready = {
        "name": name,
        "template": "Hi {{ First name }}!",
        "country": "GB",
        "columns": Columns(phones=("Mobile",)),
    }
    return wired.drafts.save(Draft.model_validate(dict(begun) | ready | choices)).id


def shown(page: AppTest) -> dict[str, list[Any]]:
    """What the page says, and what stands in its fields."""
    fields = {kind: [(one.label, one.value) for one in page.get(kind)] for kind in KINDS}
    return fields | {"said": words(page), "tables": [one.value.to_dict() for one in page.dataframe]}


def unnamed(page: AppTest, own: str) -> set[str]:
    """Keys of the session that do not name this campaign or draft, but for those of mere clicks."""
    keys = {str(key) for key in page.session_state._state.filtered_state}
    return {key for key in keys if own[:8] not in key} - {str(one.key) for one in page.button}


def test_a_campaigns_keys_name_it(open_page: Open, wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, "A", delivered=500, failed=3, on_the_way=1)
    page = open_page("campaign", id=campaign)
    button(page, "Next").click().run()
    page.text_input[0].set_value("07911").run()
    assert unnamed(page, campaign) == set()


STEPS = [
    {"step": 1},
    {"step": 2},
    {"step": 3},
    {"step": 4},
    {"step": 4, "variants": [{"template": "One"}, {"template": "Two"}]},
    {"step": 5, "when": "later", "keep_hours": True, "country_hours": {"US": DraftHours()}},
    {"step": 5, "when": "local"},
]


@pytest.mark.parametrize("choices", STEPS, ids="-".join)
def test_a_drafts_keys_name_it(open_page: Open, wired: Runtime, choices: dict[str, object]) -> None:
    own = draft(wired, "A", **choices)
    page = open_page("new", draft=own)
    for kind in KINDS:
        assert all(own in str(one.key) for one in page.get(kind)), kind
    assert all(own in editor(page)["id"] for _ in page.get("bidi_component"))
    assert unnamed(page, own) == set()


@pytest.mark.parametrize("look", ["turned", *only_deep("found", "chosen")])
def test_a_campaign_after_another_looks_as_on_a_first_visit(
    open_page: Open, wired: Runtime, look: str
) -> None:
    first = sent_campaign(wired.ledger, "A", delivered=500, failed=3, on_the_way=1)
    second = sent_campaign(wired.ledger, "B", delivered=4, failed=2, on_the_way=1)
    page = open_page("campaign", id=first)
    if look == "turned":
        button(page, "Next").click().run()
        assert "501 to 504" in words(page)
    elif look == "found":
        page.text_input[0].set_value("07911 000 300").run()
        assert len(page.dataframe[0].value) == 1
    else:
        page.pills[0].set_value(["failed"]).run()
        assert len(page.dataframe[0].value) == 3
    page.query_params["id"] = second  # as Back and Forward do, without another page between
    page.run()
    assert shown(page) == shown(open_page("campaign", id=second))


def test_a_draft_after_another_looks_as_on_a_first_visit(open_page: Open, wired: Runtime) -> None:
    first, second = (draft(wired, name, step=3) for name in "AB")
    page = open_page("new", draft=first)
    page.segmented_control[0].set_value("review").run()
    page.text_input[0].set_value("ext").run()
    page.query_params["draft"] = second
    page.run()
    assert shown(page) == shown(open_page("new", draft=second))


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
