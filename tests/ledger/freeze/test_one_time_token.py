"""A token used again: the same campaign if the same is asked for, and nothing else with it, ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, messages_frame

from dashboard.errors import CampaignError
from dashboard.ledger import Ledger, StartedBy

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


def made(ledger: Ledger, edit: Edit | None = None, **options: Any) -> str:
    """Three messages, or as edited."""
    edit = edit or {}
    columns = {name: value for name, value in edit.items() if name not in {"count", "campaign", "starts"}}
    name = edit.get("campaign", "Spring")
    frame = messages_frame(edit.get("count", 3), name, **columns)
    how = {"batch_size": 10, "token": "draft", "scheduled_at": edit.get("starts")} | options
    return ledger.create_campaign(name, frame, **how)


@pytest.mark.parametrize(
    ("before", "edits"),
    [
        ({}, EDITS),
        ({"starts": TOMORROW}, {"later": {"starts": TOMORROW + timedelta(1)}, "at once": {"starts": None}}),
        ({"scheduled_at": TIMES, "texting_hours": HOURS}, TIMED),
        ({"scheduled_at": TIMES, "handover": "hold"}, TIMED | {"waits": {"handover": "service"}}),
    ],
)
def test_what_else_is_asked_for_is_refused(ledger: Ledger, before: Edit, edits: dict[str, Edit]) -> None:
    campaign = made(ledger, before)
    found = ledger.campaign(campaign)
    for edit in edits.values():
        with pytest.raises(CampaignError, match="become the campaign “Spring”, with another name"):
            made(ledger, before | edit, start=True)
    assert made(ledger, before) == campaign
    assert ledger.campaigns()["campaign"].tolist() == [campaign]
    assert ledger.campaign(campaign) == found


def test_the_same_again_is_the_same_campaign_whatever_became_of_it(ledger: Ledger, clock: Clock) -> None:
    """Opt-outs, a price and a batch size change nothing about what was asked for."""
    hours = pd.Categorical([HOURS, OTHER_HOURS, OTHER_HOURS])
    edit = {"texting_hours": hours, "scheduled_at": TIMES, "handover": "hold"}
    first = made(ledger, edit, start=StartedBy("bob@example.com", above=2))
    ledger.add_opt_outs(["+447400900001"])
    for step in (ledger.start, lambda one: ledger.pause(one, "why"), ledger.cancel, None):
        told = ledger.audit.count()
        assert made(ledger, edit, batch_size=1, price_per_credit=Decimal(1), start=True) == first
        assert ledger.audit.count() == told
        with pytest.raises(CampaignError, match="already become the campaign “Spring”, with another"):
            made(ledger, edit | EDITS["text"])
        if step:
            step(first)
    ledger.forget(before=clock.advance(3600))
    assert made(ledger, edit) == first
    assert made(ledger, edit, token="other") != first
    assert len(ledger.campaigns()) == 2


@pytest.mark.parametrize("by", [True, StartedBy("bob@example.com", above=2)])
def test_what_was_only_prepared_is_not_said_to_have_started(ledger: Ledger, by: StartedBy | bool) -> None:
    """Not even by saying nothing: whoever asks for a start is told how to start it, until somebody has."""
    campaign = made(ledger)
    assert made(ledger) == campaign
    for noted in (1, 2):
        with pytest.raises(CampaignError, match=rf"not started\..*dashboard start {campaign}`"):
            made(ledger, start=by)
        assert (ledger.campaign(campaign).state, ledger.audit.count()) == ("draft", noted)
        ledger.audit.tell("export", campaign, {"kind": "recipients"})
    assert not ledger.approvals.start(campaign, who="Ann", above=0)
    assert made(ledger, start=by) == campaign, "it waits for an approval by now"
    ledger.start(campaign)
    assert made(ledger, start=by) == made(ledger) == campaign


def test_how_a_frame_holds_it_does_not_make_it_another_campaign(ledger: Ledger) -> None:
    """As from a query that gives rows in any order, or a file that knows no missing words."""
    frame = messages_frame(3, scheduled_at=TIMES)
    told = {"batch_size": 10, "token": "draft", "scheduled_at": TOMORROW}
    first = ledger.create_campaign("Spring", frame, **told)
    others = [
        frame.iloc[::-1],
        *(frame.assign(variant=pd.Series([missing] * 3, dtype=object)) for missing in (None, float("nan"))),
        frame.assign(variant=pd.Series([pd.NA] * 3, dtype="string")),
    ]
    for other in others:
        assert ledger.create_campaign("Spring", other, **told) == first
    assert ledger.create_campaign("Spring", frame, **told | {"scheduled_at": pd.Timestamp(TOMORROW)}) == first


@ON_BOTH_DATABASES
def test_of_several_tabs_at_once_one_makes_the_campaign(ledger: Ledger) -> None:
    together = Barrier(4)

    def click(edit: Edit) -> str:
        ledger.messages()  # a connection of its own
        together.wait()
        try:
            return made(ledger, edit, start=True)
        except CampaignError as error:
            return str(error)

    with ThreadPoolExecutor(4) as tabs:
        said = list(tabs.map(click, [EDITS["text"], EDITS["one text"]] * 2))
    (campaign,) = ledger.campaigns()["campaign"]
    assert sorted(one == campaign for one in said) == [False, False, True, True]
    assert said[0] == said[2]
    assert ledger.campaign(campaign).state == "running"
    assert ledger.audit.entries()["what"].tolist() == ["start"]
