"""The words, colours and icons for what messages and campaigns are doing: the same on every page.

Colours are told apart by colour-blind people too, and never stand alone: a word or a number is always
beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dashboard.ledger import Campaign
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.stages import Stage

BadgeColor = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray"]


@dataclass(frozen=True)
class Heap:
    """Messages of a campaign that are told apart at a glance: the word people read, and its colour."""

    label: str
    color: str


@dataclass(frozen=True)
class State:
    """What a campaign is doing: the word people read, the badge's colour and icon."""

    label: str
    color: BadgeColor
    icon: str


HEAPS = {
    "delivered": Heap("Delivered", STAGE_COLOURS[Stage.DELIVERED]),
    "on_the_way": Heap("On their way", STAGE_COLOURS[Stage.ACCEPTED]),
    "waiting": Heap("Not sent yet", STAGE_COLOURS[Stage.NOT_SENT_YET]),
    "failed": Heap("Failed", STAGE_COLOURS[Stage.FAILED]),
    "rejected": Heap("Rejected", STAGE_COLOURS[Stage.REJECTED]),
    "unknown": Heap("Unknown", STAGE_COLOURS[Stage.UNKNOWN]),
    "stopped": Heap("Stopped before sending", STAGE_COLOURS[Stage.CANCELLED]),
}

CAMPAIGN_STATES = {
    "draft": State("Draft", "gray", ":material/edit:"),
    "scheduled": State("Scheduled", "violet", ":material/schedule:"),
    "running": State("Sending", "blue", ":material/send:"),
    "paused": State("Paused", "orange", ":material/pause:"),
    "done": State("Done", "green", ":material/check:"),
    "cancelled": State("Cancelled", "gray", ":material/cancel:"),
}


def heaps(campaign: Campaign) -> dict[str, int]:
    """How many messages of a campaign are in which heap; together they are every frozen message."""
    return {
        "delivered": campaign.delivered,
        "on_the_way": campaign.accepted - campaign.delivered - campaign.failed,
        "waiting": campaign.ready + campaign.sending,
        "failed": campaign.failed,
        "rejected": campaign.rejected,
        "unknown": campaign.unknown,
        "stopped": campaign.cancelled + campaign.abandoned + campaign.dropped,
    }
