"""The words, colours and icons for what messages and campaigns are doing: the same on every page.

Colour-blind people can tell the colours apart too, and colours never stand alone: there is always a word or a
number with them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from dashboard.ledger import Campaign
from dashboard.reports.measures import standing
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import not_sent_yet, open_
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.words import N_

BadgeColor = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray"]


@dataclass(frozen=True)
class Heap:
    """A group of a campaign's messages to be told apart at a glance: the word people read, and its colour."""

    label: str
    color: str


@dataclass(frozen=True)
class State:
    """What a campaign is doing: the word people read, the badge's colour and icon."""

    label: str
    color: BadgeColor
    icon: str


HEAPS = {
    "delivered": Heap(N_("Delivered"), STAGE_COLOURS[Stage.DELIVERED]),
    "on_the_way": Heap(N_("On their way"), STAGE_COLOURS[Stage.ACCEPTED]),
    "waiting": Heap(N_("Not sent yet"), STAGE_COLOURS[Stage.NOT_SENT_YET]),
    "failed": Heap(N_("Failed"), STAGE_COLOURS[Stage.FAILED]),
    "rejected": Heap(N_("Rejected"), STAGE_COLOURS[Stage.REJECTED]),
    "unknown": Heap(N_("Unknown"), STAGE_COLOURS[Stage.UNKNOWN]),
    "abandoned": Heap(N_("Abandoned"), STAGE_COLOURS[Stage.ABANDONED]),
    "stopped": Heap(N_("Stopped before sending"), STAGE_COLOURS[Stage.CANCELLED]),
}

CAMPAIGN_STATES = {
    "draft": State(N_("Draft"), "gray", ":material/edit:"),
    "scheduled": State(N_("Scheduled"), "violet", ":material/schedule:"),
    "running": State(N_("Sending"), "blue", ":material/send:"),
    "paused": State(N_("Paused"), "orange", ":material/pause:"),
    "done": State(N_("Done"), "green", ":material/check:"),
    "cancelled": State(N_("Cancelled"), "gray", ":material/cancel:"),
}


def heaps(campaign: Campaign) -> dict[str, int]:
    """How many of a campaign's messages are in each heap; together they are all frozen messages."""
    of = asdict(campaign)
    return {
        "delivered": campaign.delivered,
        "on_the_way": open_(of),
        "waiting": not_sent_yet(of),
        "failed": campaign.failed,
        "rejected": campaign.rejected,
        "unknown": campaign.unknown,
        "abandoned": campaign.abandoned,
        "stopped": campaign.cancelled + campaign.dropped,
    }


def handed_over(campaign: Campaign) -> int:
    """How many messages were handed over, however that ended: what every funnel begins with."""
    return int(standing.handed_over(asdict(campaign)))
