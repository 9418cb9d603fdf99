"""What a campaign said and whom it was made for, on its page, and a new campaign that says it again."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pandas as pd
from fixtures_ledger import messages_frame
from page_reading import Open, button, words
from wizard_steps import draft_of

from dashboard.app import drafting
from dashboard.app.audience import DraftAudience, KeptList
from dashboard.app.runtime import Runtime
from dashboard.app.standing.made_for import made_for
from dashboard.campaigns import Variant, write_messages
from dashboard.contacts import clean_contacts

SHEET = b"First name,Mobile\nAnn,07911 123451\nBen,07911 123452\n"
TEXTS = ["Hi {{ First name | there }}, 10 % off: https://example.org/a", "Ten off, {{ First name | you }}!"]


def test_texts_are_shown_as_written_and_begin_a_campaign_that_needs_a_sheet(
    open_page: Open, wired: Runtime
) -> None:
    people = clean_contacts(pd.read_csv(io.BytesIO(SHEET), dtype=str), country="GB")
    variants = [
        Variant("A", TEXTS[0], campaign_suffix="one", tracking="spring"),
        Variant("B", TEXTS[1], campaign_suffix="two"),
    ]
    messages = write_messages(people, variants, campaign="Spring sale", sender="SHOP", shorten_links=True)
    page = open_page("campaign", id=wired.ledger.create_campaign("Spring sale", messages, batch_size=10))
    assert all(text in words(page) for text in TEXTS)
    button(page, "Use again").click().run()
    draft = draft_of(wired)
    assert (draft.name, draft.sender, draft.shorten_links) == ("Spring sale", "SHOP", True)
    assert draft.texts == tuple(TEXTS)
    assert [(one.suffix, one.tracking) for one in draft.variants] == [("one", "spring"), ("two", "")]
    new = open_page("new", draft=draft.id)
    assert "Now choose who gets it." in new.info[0].value
    new.file_uploader[0].upload("people.csv", SHEET).run()
    assert (draft_of(wired).file_name, draft_of(wired).texts) == ("people.csv", tuple(TEXTS))
    assert "Continue" in {one.label for one in new.button}


def test_a_saved_list_is_taken_instead_of_a_sheet_and_one_text_keeps_its_tracking(
    open_page: Open, wired: Runtime
) -> None:
    messages = messages_frame(3, "Summer").assign(tracking=pd.Categorical(["summer"] * 3))
    campaign = wired.ledger.create_campaign("Summer", messages, batch_size=10)
    (text,) = wired.ledger.sent_texts("Summer")
    wired.ledger.lists.save("Members", io.BytesIO(SHEET), source="people.csv", who="local", choices={})
    begun = drafting.use_texts(campaign)
    assert (begun.template, begun.tracking, begun.variants) == (text.template, "summer", ())
    page = open_page("new", draft=begun.id)
    page.selectbox(key="saved-list").select_index(0).run()
    draft = draft_of(wired)
    assert (draft.file_name, draft.name, draft.step) == ("people.csv", "Summer", 2)


SHOP, STAFF = KeptList(name="shop.csv"), KeptList(name="Staff & *friends*", leaves_out=True)


def kept(*lists: KeptList, **choice: Any) -> dict[str, Any]:
    """What the pages keep with a campaign."""
    return {
        "audience": DraftAudience.model_validate(choice).model_dump(mode="json"),
        "lists": [one.model_dump(mode="json") for one in lists],
    }


def test_the_whole_choice_is_said(open_page: Open, wired: Runtime) -> None:
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


def test_without_a_choice_it_was_everybody_and_what_a_program_kept_in_its_own_way_is_not_guessed_at() -> None:
    assert made_for(kept(SHOP), {}) == {"Lists": "shop.csv", "Of these": "everybody who was ready"}
    for other in (None, {}, {"lists": "all"}, {"segment": 7}, {"lists": [], "audience": 3}):
        assert made_for(other, {}) == {}, other
