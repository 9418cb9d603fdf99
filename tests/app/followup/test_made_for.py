"""Whom a campaign was made for, on its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fixtures_ledger import messages_frame
from streamlit.testing.v1 import AppTest

from dashboard.app.audience import DraftAudience, KeptList
from dashboard.app.runtime import Runtime
from dashboard.app.standing.made_for import made_for

SHOP, STAFF = KeptList(name="shop.csv"), KeptList(name="Staff & *friends*", leaves_out=True)


def kept(*lists: KeptList, **choice: Any) -> dict[str, Any]:
    """What the pages keep with a campaign."""
    return {
        "audience": DraftAudience.model_validate(choice).model_dump(mode="json"),
        "lists": [one.model_dump(mode="json") for one in lists],
    }


def test_the_whole_choice_is_said(open_page: Callable[..., AppTest], wired: Runtime) -> None:
    def made(name: str, audience: Mapping[str, Any] | None) -> str:
        return wired.ledger.create_campaign(name, messages_frame(1, name), batch_size=10, audience=audience)

    earlier = made("Winter <sale>", None)
    conditions = [
        {"column": "City", "test": "one_of", "values": ["York", "Leeds"]},
        {"column": "Joined", "test": "before", "values": ["2026-11-20"]},
        {"column": "Remark", "test": "blank"},
    ]
    choice = {"conditions": conditions, "not_texted_days": 30, "campaigns": [earlier, "gone"], "sample": 100}
    page = open_page("campaign", id=made("Spring", kept(SHOP, STAFF, **choice)))
    assert "Who it was made for" in [one.value for one in page.header]
    drawn = next(one.value for one in page.html if "shop.csv" in one.value)
    for term, value in {
        "Lists": "shop.csv",
        "Left out": "Staff &amp; *friends*",
        "Only if": "City is one of York, Leeds; Joined is before 20 Nov 2026; Remark is blank",
        "Not texted": "in the last 30 days",
        "Without those who got": "Winter &lt;sale&gt; and a campaign that is gone",
        "Sample": "at most 100 people, at random",
    }.items():
        assert f"<dt>{term}</dt><dd>{value}</dd>" in drawn, term
    page = open_page("campaign", id=earlier)
    assert "Who it was made for" not in [one.value for one in page.header]


def test_without_a_choice_it_was_everybody() -> None:
    assert made_for(kept(SHOP), {}) == {"Lists": "shop.csv", "Of these": "everybody who was ready"}


@pytest.mark.parametrize("other", [None, {}, {"lists": "all"}, {"segment": 7}, {"lists": [], "audience": 3}])
def test_what_a_program_kept_in_its_own_way_is_not_guessed_at(other: Mapping[str, Any] | None) -> None:
    assert made_for(other, {}) == {}
