"""A campaign's own state: what may follow what, and when its messages may go out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from each import each
from fixtures_ledger import Clock, asked, messages_frame, running, taken

from dashboard.errors import CampaignError, CampaignStateError, UnknownCampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.outbox.claims import Claim, Nothing
from dashboard.ledger.outbox.hours import MISSED_REASON

Step = Callable[[Ledger, str, Clock], None]


def settle_all(ledger: Ledger, campaign: str) -> None:
    for _ in range(2):
        taken(ledger, campaign)
    ledger.outbox.finish()


STEPS: dict[str, Step] = {
    "start": lambda ledger, campaign, _: ledger.start(campaign),
    "schedule": lambda ledger, campaign, clock: ledger.schedule(campaign, clock.time + timedelta(days=1)),
    "pause": lambda ledger, campaign, _: ledger.pause(campaign, "Paused by Ann."),
    "resume": lambda ledger, campaign, _: ledger.resume(campaign),
    "cancel": lambda ledger, campaign, _: ledger.cancel(campaign, "Cancelled by Ann."),
    "settle": lambda ledger, campaign, _: settle_all(ledger, campaign),
}
WAY_TO: dict[str, list[str]] = {
    "draft": [],
    "scheduled": ["schedule"],
    "running": ["start"],
    "paused": ["schedule", "start", "pause"],  # whose chosen time is over
    "cancelled": ["start", "cancel"],
    "done": ["start", "settle"],
}
ALLOWED = {
    "draft": {"start": "running", "schedule": "scheduled", "cancel": "cancelled"},
    "scheduled": {"start": "running", "schedule": "scheduled", "cancel": "cancelled"},
    "running": {"start": "running", "pause": "paused", "resume": "running", "cancel": "cancelled"},
    "paused": {"pause": "paused", "resume": "running", "cancel": "cancelled"},
    "cancelled": {"cancel": "cancelled"},
    "done": {},
}
BY_ANN = {"paused": "Paused by Ann.", "cancelled": "Cancelled by Ann."}


@each("state", WAY_TO)
def test_every_step_from_every_state(ledger: Ledger, clock: Clock, state: str) -> None:
    leading_on = [step for step, after in ALLOWED[state].items() if after != state]
    for step in (None, *leading_on):
        campaign = ledger.create_campaign("Spring", messages_frame(2), batch_size=1)
        clock.advance(60)
        for earlier in WAY_TO[state]:
            STEPS[earlier](ledger, campaign, clock)
        found = ledger.campaign(campaign)
        assert (found.state, found.reason) == (state, BY_ANN.get(state))
        assert found.started_at == (clock() if "start" in WAY_TO[state] else None)
        assert found.finished_at == (clock() if state in {"cancelled", "done"} else None)
        if step:
            STEPS[step](ledger, campaign, clock)
            assert ledger.campaign(campaign).state == ALLOWED[state][step]
            continue
        for same in {*STEPS} - {*leading_on, "settle"}:
            with nullcontext() if same in ALLOWED[state] else pytest.raises(CampaignStateError, match=state):
                STEPS[same](ledger, campaign, clock)
            assert ledger.campaign(campaign).state == state
        got = asked(ledger, campaign)
        assert isinstance(got, Claim) if state == "running" else got == Nothing(state)


def test_a_campaign_starts_when_its_time_has_come_and_not_before(ledger: Ledger, clock: Clock) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(2), batch_size=1)
    at = clock.time + timedelta(hours=1)
    ledger.schedule(campaign, at)
    clock.advance(3599)
    ledger.outbox.start_due()
    assert ledger.campaign(campaign).state == "scheduled"
    clock.advance(1)
    assert ledger.outbox.unfinished() == [campaign]
    ledger.outbox.start_due()
    ledger.pause(campaign, "why")
    clock.advance(60)
    ledger.resume(campaign)
    assert (ledger.campaign(campaign).state, ledger.campaign(campaign).started_at) == ("running", at)
    with pytest.raises(CampaignError, match="time zone"):
        ledger.schedule(campaign, datetime(2027, 1, 1))  # noqa: DTZ001
    with pytest.raises(CampaignError, match="1970 to 9998"):
        ledger.schedule(campaign, datetime.min.replace(tzinfo=UTC))


@each(
    "call",
    [
        *(Ledger.start, Ledger.resume, Ledger.cancel),
        *(Ledger.campaign, Ledger.messages, Ledger.batches, Ledger.unknown),
        *(Ledger.recipients, Ledger.sheet_rows),
    ],
)
def test_an_unknown_campaign_is_said_in_words(ledger: Ledger, call: Callable[[Ledger, str], object]) -> None:
    with pytest.raises(UnknownCampaignError, match="no such campaign"):
        call(ledger, "nowhere")


REASONS = [MISSED_REASON, "Paused by Ann.", "The key was refused.", "The cap of 10 credits is reached."]


@each("reason, act", product(REASONS, ["pause", "resume", "cancel", "start"]))
def test_a_second_click_or_tab_changes_nothing(ledger: Ledger, clock: Clock, reason: str, act: str) -> None:
    campaign = running(ledger, 2, batch_size=1)
    if act != "start":
        ledger.outbox.pause(campaign, reason)
    if act != "pause":  # a pause for a reason is itself the first
        STEPS[act](ledger, campaign, clock)
    before = kept(ledger, campaign)
    for _ in range(3):
        clock.advance(3600)
        STEPS[act](ledger, campaign, clock)
        assert kept(ledger, campaign) == before


def kept(ledger: Ledger, campaign: str) -> tuple[object, ...]:
    """All that is known of a campaign, and how many steps the audit trail tells of."""
    with ledger.database.read() as connection:
        return *campaign_row(connection, campaign), len(ledger.audit.entries())
