"""The words for the states of a campaign, a batch and a message.

    batch:    ready → sending → accepted | rejected | unknown | ready (only when proved unsent)
              unknown → accepted (late evidence, or a person) · unknown → ready | abandoned (a person only)
              split: replaced by smaller batches, which hold its messages from then on; of what a person
              sends again, those whose recipients opted out are abandoned
    campaign: draft → scheduled → running ⇄ paused; running | paused → done | cancelled

A message has its batch's state, unless it has its own: `accepted` (its uuid was in an answer or a delivery
report) or `dropped` (its recipient opted out before it was sent). Its own state wins over the batch's.
"""

from __future__ import annotations

from typing import Literal, get_args

CampaignState = Literal["draft", "scheduled", "running", "paused", "done", "cancelled"]
BatchState = Literal[
    "ready", "sending", "accepted", "rejected", "unknown", "abandoned", "cancelled", "dropped", "split"
]
Decision = Literal["accepted", "ready", "abandoned"]

CAMPAIGN_STATES: tuple[CampaignState, ...] = get_args(CampaignState)
MESSAGE_STATES: tuple[BatchState, ...] = tuple(state for state in get_args(BatchState) if state != "split")
DECISIONS: tuple[Decision, ...] = get_args(Decision)

UNFINISHED: tuple[CampaignState, ...] = ("draft", "scheduled", "running", "paused")
"""Campaigns that may still send."""

COUNTED_AS_USED: tuple[BatchState, ...] = ("sending", "accepted", "unknown", "abandoned")
"""Batches that the service has, or may have: everything in them counts as used."""

OPEN: tuple[BatchState, ...] = ("ready", "sending")
"""Batches that keep a campaign from being done."""

MAY_HAVE_BEEN_SENT: tuple[BatchState, ...] = ("ready", "sending", "accepted", "unknown", "abandoned")
"""Batches whose messages reached people, will reach them, or may have."""

GO_OUT_ANYWAY: tuple[BatchState, ...] = ("sending", "accepted")
"""Batches that neither a pause nor a cancellation stops: handed over, or just being handed over."""

HANDED_OVER: tuple[BatchState, ...] = ("sending", "accepted", "rejected", "unknown", "abandoned")
"""Batches whose last request left this machine, or is leaving; ready again means that it proved unsent."""
