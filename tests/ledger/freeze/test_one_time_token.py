"""A token used again: the same campaign if the same is asked for, never an earlier text in its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Thread
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import Clock, claim, counts, messages_frame

from dashboard.campaigns import sendable
from dashboard.errors import CampaignError, CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.freeze.caps import Caps
from dashboard.ledger.freeze.freezing import of_campaign
from dashboard.ledger.freeze.one_time_token import Asked, made_with

TOMORROW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
HOURS = "09:00:00-20:00:00 1234567 Europe/London"
OTHER_HOURS = "09:00:00-18:00:00 1234567 Europe/London"

Edit = dict[str, Any]
EDITS: dict[str, Edit] = {
    "text": {"body": [f"Corrected {n}" for n in range(3)]},
    "one text": {"body": ["Hello number 0", "Hello number 1", "Hello, 2"]},
    "texts of others": {"body": ["Hello number 1", "Hello number 0", "Hello number 2"]},
    "template": {"template": "Hi {{ name }}"},
    "fewer people": {"count": 2},
    "more people": {"count": 4},
    "other people": {"first": 7},
    "name": {"campaign": "Summer"},
    "sender": {"sender": "ACME"},
    "links": {"shorten_links": False},
    "tracking": {"tracking": "may"},
    "time of all": {"starts": TOMORROW},
    "times": {"scheduled_at": TOMORROW},
    "quiet hours": {"texting_hours": HOURS},
    "variant": {"variant": "A"},
}
TIMES = pd.Series([TOMORROW] * 3, dtype="datetime64[us, UTC]")
TIMED: dict[str, Edit] = {
    "another time for one": {"scheduled_at": TIMES.where([True, True, False])},
    "another time for all": {"scheduled_at": TIMES + timedelta(minutes=1)},
    "waits": {"handover": "hold"},
    "the hours": {"texting_hours": OTHER_HOURS},
}


def frame_of(edit: Edit) -> pd.DataFrame:
    """Three messages, or as edited."""
    columns = {name: value for name, value in edit.items() if name not in {"count", "campaign", "starts"}}
    return messages_frame(edit.get("count", 3), edit.get("campaign", "Spring"), **columns)


def made(ledger: Ledger, edit: Edit | None = None, **options: Any) -> str:
    edit = edit or {}
    at = {"scheduled_at": edit.get("starts")} | options
    name = edit.get("campaign", "Spring")
    return ledger.create_campaign(name, frame_of(edit), batch_size=10, token="draft", **at)


def is_taken_for_the_same(ledger: Ledger, edit: Edit) -> bool:
    """Whether the token would give back the campaign that it made."""
    name, frame = edit.get("campaign", "Spring"), sendable(frame_of(edit))
    with ledger.database.read() as connection:
        asked = Asked(name, frame, of_campaign(name, frame), edit.get("starts"), None)
        return made_with(connection, "draft", asked) is not None


@pytest.fixture
def first(ledger: Ledger) -> str:
    """A draft of three messages."""
    return made(ledger)


@pytest.mark.parametrize(
    ("before", "edits"),
    [
        ({}, EDITS),
        (
            {"starts": TOMORROW},
            {"later": {"starts": TOMORROW + timedelta(1)}, "at once": {"starts": None}},
        ),
        ({"scheduled_at": TIMES, "texting_hours": HOURS}, TIMED),
        (
            {"scheduled_at": TIMES, "handover": "hold"},
            TIMED | {"waits": {"handover": "service"}},
        ),
    ],
)
def test_every_edit_is_a_change(ledger: Ledger, before: Edit, edits: dict[str, Edit]) -> None:
    made(ledger, before)
    assert is_taken_for_the_same(ledger, before)
    assert [what for what, edit in edits.items() if is_taken_for_the_same(ledger, before | edit)] == []


def test_what_was_changed_is_sent_and_the_campaign_before_it_never(ledger: Ledger, first: str) -> None:
    texts = ledger.messages(first)
    after = made(ledger, EDITS["text"])
    assert after != first
    assert made(ledger, EDITS["text"]) == after
    assert counts(ledger, first) == {"cancelled": 3}
    found = ledger.campaign(first)
    assert (found.state, "changed" in (found.reason or "")) == ("cancelled", True)
    pd.testing.assert_frame_equal(ledger.messages(first)[["uuid", "body"]], texts[["uuid", "body"]])
    with pytest.raises(CampaignStateError):
        ledger.start(first)
    ledger.start(after)
    assert counts(ledger, after) == {"ready": 3}


def test_the_same_again_is_the_same_campaign_whatever_was_learned_meanwhile(ledger: Ledger) -> None:
    """Opt-outs, a price and a batch size change nothing about what was asked for."""
    ledger.add_opt_outs(["+447400900000"])
    hours = pd.Categorical([HOURS, OTHER_HOURS, OTHER_HOURS])
    edit = {"texting_hours": hours, "scheduled_at": TIMES, "handover": "hold"}
    first = made(ledger, edit)
    assert made(ledger, edit) == first
    ledger.add_opt_outs(["+447400900001"])
    assert made(ledger, edit) == first
    again = ledger.create_campaign(
        "Spring", frame_of(edit), batch_size=1, price_per_credit=Decimal(1), token="draft"
    )
    assert again == first
    ledger.start(first)
    assert made(ledger, edit) == first
    ledger.cancel(first)
    assert made(ledger, edit) == first
    assert ledger.create_campaign("Spring", frame_of(edit), batch_size=10, token="other") != first
    assert len(ledger.campaigns()) == 2


def test_of_one_that_was_started_nothing_is_taken_back_or_sent(ledger: Ledger, first: str) -> None:
    owner = ledger.outbox.register(0)
    for step in (ledger.start, lambda one: ledger.pause(one, "why"), ledger.cancel):
        step(first)
        if step == ledger.start:
            claim(ledger, first, owner)
        state = ledger.campaign(first).state
        with pytest.raises(CampaignError, match=f"“Spring” \\({first}\\), which is {state}"):
            made(ledger, EDITS["text"])
        assert ledger.campaigns()["campaign"].tolist() == [first]
        assert ledger.campaign(first).state == state
        assert counts(ledger, first) == {"sending": 3}


def test_in_a_copy_older_than_the_start_nobody_can_tell_what_was_sent(ledger: Ledger, first: str) -> None:
    ledger.distrust(opt_outs_kept=True)
    with pytest.raises(CampaignError, match="Spring"):
        made(ledger, EDITS["text"])
    assert counts(ledger, first) == {"unknown": 3}


def test_one_that_was_cancelled_or_missed_its_time_makes_room_for_another_text(
    ledger: Ledger, clock: Clock, first: str
) -> None:
    ledger.cancel(first, "by hand")
    assert made(ledger) == first
    after = made(ledger, EDITS["text"])
    assert after != first
    assert ledger.campaign(first).reason == "by hand"
    scheduled = made(ledger, {"starts": clock.time + timedelta(hours=1)})
    clock.advance(3 * 3600)
    ledger.outbox.start_due()
    assert ledger.campaign(scheduled).state == "paused"
    assert made(ledger, EDITS["text"]) != scheduled
    assert ledger.campaign(scheduled).state == "cancelled"


def test_what_is_refused_leaves_the_campaign_before_it_as_it_was(ledger: Ledger, first: str) -> None:
    caps = Caps(1, None, TOMORROW, TOMORROW + timedelta(days=1))
    with pytest.raises(CampaignError, match="credits"):
        made(ledger, EDITS["fewer people"], caps=caps)
    assert ledger.campaign(first).state == "draft"
    assert made(ledger) == first


def test_one_that_was_forgotten_is_told_by_its_fingerprint(ledger: Ledger, clock: Clock, first: str) -> None:
    ledger.start(first)
    ledger.cancel(first)
    ledger.forget(before=clock.advance(3600))
    assert made(ledger) == first
    with pytest.raises(CampaignError, match="Spring"):
        made(ledger, EDITS["template"])


def test_of_two_tabs_with_different_texts_only_one_campaign_can_be_started(ledger: Ledger) -> None:
    results: list[str] = []
    tabs = [
        Thread(target=lambda edit=edit: results.append(made(ledger, EDITS[edit])))
        for edit in ("text", "one text")
    ]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert len(set(results)) == 2
    assert sorted(ledger.campaigns()["state"]) == ["cancelled", "draft"]
