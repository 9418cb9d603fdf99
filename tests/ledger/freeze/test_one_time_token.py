"""A token used again: the same campaign if the same is asked for, never an earlier text in its place."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Thread
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import Clock, claim, counts, messages_frame
from tiers import only_deep

from dashboard.errors import CampaignError, CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.freeze.caps import Caps

TOMORROW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
HOURS = "09:00:00-20:00:00 1234567 Europe/London"
OTHER_HOURS = "09:00:00-18:00:00 1234567 Europe/London"


def labels(value: str) -> pd.Categorical[str]:
    return pd.Categorical([value] * 3)


def times(at: datetime) -> pd.Series:
    return pd.Series([at] * 3, dtype="datetime64[us, UTC]")


def made(ledger: Ledger, messages: pd.DataFrame, name: str = "Spring", **options: Any) -> str:
    return ledger.create_campaign(name, messages, batch_size=10, token="draft", **options)


FIRST: dict[str, Callable[[Ledger], str]] = {
    "draft": lambda ledger: made(ledger, messages_frame(3)),
    "scheduled": lambda ledger: made(ledger, messages_frame(3), scheduled_at=TOMORROW),
}
EDITS: dict[str, Callable[[Ledger], str]] = {
    "text": lambda ledger: made(ledger, messages_frame(3, body=[f"Corrected {n}" for n in range(3)])),
    "one text": lambda ledger: made(
        ledger, messages_frame(3, body=["Hello number 0", "Hello number 1", "Hello, 2"])
    ),
    "texts of others": lambda ledger: made(
        ledger, messages_frame(3, body=["Hello number 1", "Hello number 0", "Hello number 2"])
    ),
    "template": lambda ledger: made(ledger, messages_frame(3, template=labels("Hi {{ name }}"))),
    "fewer people": lambda ledger: made(ledger, messages_frame(2)),
    "more people": lambda ledger: made(ledger, messages_frame(4)),
    "other people": lambda ledger: made(ledger, messages_frame(3, first=7)),
    "name": lambda ledger: made(ledger, messages_frame(3, "Summer"), "Summer"),
    "sender": lambda ledger: made(ledger, messages_frame(3, sender=labels("ACME"))),
    "links": lambda ledger: made(ledger, messages_frame(3, shorten_links=False)),
    "tracking": lambda ledger: made(ledger, messages_frame(3, tracking=labels("may"))),
    "time of all": lambda ledger: made(ledger, messages_frame(3), scheduled_at=TOMORROW + timedelta(hours=1)),
    "times": lambda ledger: made(ledger, messages_frame(3, scheduled_at=times(TOMORROW))),
    "quiet hours": lambda ledger: made(ledger, messages_frame(3, texting_hours=labels(HOURS))),
    "variant": lambda ledger: made(ledger, messages_frame(3, variant=labels("A"))),
}
LIKE_OTHERS = ("one text", "more people", "other people", "times")


@pytest.mark.parametrize("first", ["draft", *only_deep("scheduled")])
@pytest.mark.parametrize(
    "edit", [*(edit for edit in EDITS if edit not in LIKE_OTHERS), *only_deep(*LIKE_OTHERS)]
)
def test_what_was_changed_is_what_is_sent_and_the_campaign_before_it_never(
    ledger: Ledger, first: str, edit: str
) -> None:
    before = FIRST[first](ledger)
    texts = ledger.messages(before)
    after = EDITS[edit](ledger)
    assert after != before
    assert EDITS[edit](ledger) == after
    assert ledger.campaign(before).state == "cancelled"
    assert counts(ledger, before) == {"cancelled": 3}
    assert "changed" in (ledger.campaign(before).reason or "")
    pd.testing.assert_frame_equal(ledger.messages(before)[["uuid", "body"]], texts[["uuid", "body"]])
    with pytest.raises(CampaignStateError):
        ledger.start(before)
    ledger.start(after)
    assert "ready" in counts(ledger, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (times(TOMORROW), times(TOMORROW + timedelta(minutes=1))),
        (times(TOMORROW), times(TOMORROW).where([True, True, False])),
    ],
)
@pytest.mark.parametrize("handover", ["hold", "service"])
def test_another_time_for_one_message_is_a_change(
    ledger: Ledger, before: pd.Series, after: pd.Series, handover: str
) -> None:
    one, other = (messages_frame(3, scheduled_at=each, handover=labels(handover)) for each in (before, after))
    first = made(ledger, one)
    assert made(ledger, one) == first
    assert made(ledger, other) != first


def test_who_waits_for_the_times_and_within_which_hours_is_a_change(ledger: Ledger) -> None:
    kept = messages_frame(3, scheduled_at=times(TOMORROW), texting_hours=labels(HOURS))
    seen = set()
    for handover in ("hold", "service"):
        for hours in (HOURS, OTHER_HOURS):
            frame = kept.assign(handover=labels(handover), texting_hours=labels(hours))
            campaign = made(ledger, frame)
            assert made(ledger, frame) == campaign
            seen.add(campaign)
    assert len(seen) == 4
    assert (ledger.campaigns()["state"] == "cancelled").sum() == 3


def test_the_same_again_is_the_same_campaign_whatever_was_learned_meanwhile(ledger: Ledger) -> None:
    """An opt-out, a price and a batch size change nothing about what was asked for."""
    frame = messages_frame(3, texting_hours=pd.Categorical([HOURS, OTHER_HOURS, OTHER_HOURS]))
    first = made(ledger, frame)
    ledger.add_opt_outs(["+447400900000"])
    assert made(ledger, frame) == first
    again = ledger.create_campaign("Spring", frame, batch_size=1, price_per_credit=Decimal(1), token="draft")
    assert again == first
    ledger.start(first)
    assert made(ledger, frame) == first
    ledger.cancel(first)
    assert made(ledger, frame) == first
    assert len(ledger.campaigns()) == 1


def test_somebody_who_opted_out_before_the_freeze_makes_no_difference(ledger: Ledger) -> None:
    ledger.add_opt_outs(["+447400900000"])
    frame = messages_frame(
        3,
        texting_hours=pd.Categorical([HOURS, OTHER_HOURS, OTHER_HOURS]),
        scheduled_at=times(TOMORROW),
        handover=labels("hold"),
    )
    assert made(ledger, frame) == made(ledger, frame)


@pytest.mark.parametrize("edit", ["text", *only_deep(*(edit for edit in EDITS if edit != "text"))])
def test_of_one_that_was_started_nothing_is_taken_back_and_nothing_more_is_sent(
    ledger: Ledger, clock: Clock, edit: str
) -> None:
    first = made(ledger, messages_frame(3))
    ledger.start(first)
    for step in (None, lambda: ledger.pause(first, "why"), lambda: ledger.cancel(first)):
        if step:
            step()
        state = ledger.campaign(first).state
        with pytest.raises(CampaignError, match=f"“Spring” \\({first}\\), which is {state}"):
            EDITS[edit](ledger)
        assert ledger.campaigns()["campaign"].tolist() == [first]
        assert ledger.campaign(first).state == state


def test_one_that_was_sent_is_not_sent_again_under_another_text(ledger: Ledger) -> None:
    first = made(ledger, messages_frame(3))
    ledger.start(first)
    claim(ledger, first, ledger.outbox.register(0))
    with pytest.raises(CampaignError, match="running"):
        EDITS["text"](ledger)
    assert counts(ledger, first) == {"sending": 3}


def test_in_a_copy_that_is_older_than_the_start_nobody_can_tell_whether_it_was_sent(ledger: Ledger) -> None:
    first = made(ledger, messages_frame(3))
    ledger.distrust(opt_outs_kept=True)
    with pytest.raises(CampaignError, match="Spring"):
        EDITS["text"](ledger)
    assert counts(ledger, first) == {"unknown": 3}


def test_one_that_was_cancelled_before_it_started_makes_room_for_another_text(ledger: Ledger) -> None:
    first = made(ledger, messages_frame(3))
    ledger.cancel(first, "by hand")
    assert made(ledger, messages_frame(3)) == first
    after = EDITS["text"](ledger)
    assert after != first
    assert ledger.campaign(first).reason == "by hand"


def test_one_whose_time_was_missed_makes_room_as_well(ledger: Ledger, clock: Clock) -> None:
    first = made(ledger, messages_frame(3), scheduled_at=clock.time + timedelta(hours=1))
    clock.advance(3 * 3600)
    ledger.outbox.start_due()
    assert ledger.campaign(first).state == "paused"
    assert EDITS["text"](ledger) != first
    assert ledger.campaign(first).state == "cancelled"


def test_what_is_refused_leaves_the_campaign_before_it_as_it_was(ledger: Ledger) -> None:
    first = made(ledger, messages_frame(3))
    caps = Caps(1, None, TOMORROW, TOMORROW + timedelta(days=1))
    with pytest.raises(CampaignError, match="credits"):
        made(ledger, messages_frame(2), caps=caps)
    assert ledger.campaign(first).state == "draft"
    assert made(ledger, messages_frame(3)) == first


def test_one_that_was_forgotten_is_told_by_its_fingerprint(ledger: Ledger, clock: Clock) -> None:
    first = made(ledger, messages_frame(3))
    ledger.start(first)
    ledger.cancel(first)
    ledger.forget(before=clock.advance(3600))
    assert made(ledger, messages_frame(3)) == first
    with pytest.raises(CampaignError, match="Spring"):
        EDITS["template"](ledger)


def test_of_two_tabs_with_different_texts_only_one_campaign_can_be_started(ledger: Ledger) -> None:
    results: list[str] = []
    tabs = [
        Thread(target=lambda edit=edit: results.append(EDITS[edit](ledger))) for edit in ("text", "one text")
    ]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert len(set(results)) == 2
    assert sorted(ledger.campaigns()["state"]) == ["cancelled", "draft"]
