"""Campaigns' figures as they stand beside each other's. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from zoneinfo import ZoneInfo

from dashboard.app.standing.costs import billed_words, estimate_words
from dashboard.app.standing.stages import CAMPAIGN_STATES, handed_over
from dashboard.formatting import percent
from dashboard.ledger import Campaign
from dashboard.reports.measures.standing import open_
from dashboard.words import DASH, _, count, day_and_time

FEWEST, MOST = 2, 4
"""How many campaigns can be compared."""


def beside(campaigns: Sequence[Campaign], zone: ZoneInfo) -> dict[str, tuple[str, ...]]:
    """What each figure is, in words, for every campaign in their order; times are on the clock of `zone`.

    How far a delivered share can still rise is there only while something is open.
    """
    each = [_figures(campaign, zone) for campaign in campaigns]
    rows = {name: tuple(one[name] for one in each) for name in each[0]}
    if not any(open_(asdict(campaign)) for campaign in campaigns):
        del rows[_("Delivered at most, if all that are open arrive")]
    return rows


def _figures(campaign: Campaign, zone: ZoneInfo) -> dict[str, str]:
    still_open, started = open_(asdict(campaign)), campaign.started_at
    return {
        _("Status"): _(CAMPAIGN_STATES[campaign.state].label),
        _("Started"): day_and_time(started.astimezone(zone)) if started else DASH,
        _("Recipients"): count(campaign.recipients),
        _("Handed to the service"): count(handed_over(campaign)),
        _("Rejected"): count(campaign.rejected),
        _("Unknown"): count(campaign.unknown),
        _("Accepted"): count(campaign.accepted),
        _("Delivered"): count(campaign.delivered),
        _("Failed"): count(campaign.failed),
        _("Still open"): count(still_open),
        _("Delivered, of the accepted"): percent(campaign.delivered, campaign.accepted),
        _("Delivered at most, if all that are open arrive"): percent(
            campaign.delivered + still_open, campaign.accepted
        ),
        _("Failed, of the accepted"): percent(campaign.failed, campaign.accepted),
        _("Estimate"): estimate_words(campaign),
        _("Billed so far"): billed_words(campaign),
    }
