"""What needs somebody's attention, most urgent first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd

from dashboard.formatting import percent
from dashboard.ledger import Campaign
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import failed_share
from dashboard.words import _, plural

FAILED_SHARE = 0.10
FEWEST_ACCEPTED = 20
FAILED_LATELY = timedelta(days=7)
PAUSED_BY_A_PERSON = "Paused by "
"""How the reason begins when somebody paused a campaign on its page: nobody else need look at it."""


@dataclass(frozen=True)
class Concern:
    """One thing to look at: a campaign, a sentence, and the stage its messages are at."""

    campaign: str
    name: str
    sentence: str
    stage: Stage | None = None


def concerns(
    campaigns: pd.DataFrame,
    *,
    now: datetime,
    waiting: Mapping[str, Sequence[str]],
    asked: Collection[str] = (),
) -> list[Concern]:
    """Find what needs attention among the campaigns.

    Unknown messages come first, then campaigns that wait for an approval, then those that paused by
    themselves, then those that are waiting, then those not over for more than a week in which more than a
    tenth of the accepted messages failed.

    Args:
        campaigns: As the ledger lists them.
        now: The present.
        waiting: Why batches came back, by the ids of running campaigns.
        asked: The campaigns that wait for an approval.
    """
    lately = campaigns["finished_at"].isna() | (campaigns["finished_at"] >= now - FAILED_LATELY)
    return [
        *_unknown(campaigns),
        *_asked(campaigns, asked),
        *_stopped(campaigns),
        *_waiting(campaigns, waiting),
        *_failing(campaigns[lately]),
    ]


def _unknown(campaigns: pd.DataFrame) -> list[Concern]:
    found = Campaign.of_rows(campaigns[campaigns["unknown"] > 0])
    return [
        Concern(
            campaign.campaign,
            campaign.name,
            plural(
                campaign.unknown,
                "{count} message may or may not have been sent. Decide what to do.",
                "{count} messages may or may not have been sent. Decide what to do.",
            ),
        )
        for campaign in found
    ]


def _asked(campaigns: pd.DataFrame, asked: Collection[str]) -> list[Concern]:
    return [
        Concern(campaign.campaign, campaign.name, _("Waiting for approval."))
        for campaign in Campaign.of_rows(campaigns[campaigns["campaign"].isin(list(asked))])
    ]


def _stopped(campaigns: pd.DataFrame) -> list[Concern]:
    reason = campaigns["reason"].fillna(PAUSED_BY_A_PERSON)
    by_itself = (campaigns["state"] == "paused") & ~reason.str.startswith(PAUSED_BY_A_PERSON)
    return [
        Concern(campaign.campaign, campaign.name, _("Paused: {reason}").format(reason=campaign.reason))
        for campaign in Campaign.of_rows(campaigns[by_itself])
    ]


def _waiting(campaigns: pd.DataFrame, waiting: Mapping[str, Sequence[str]]) -> list[Concern]:
    return [
        Concern(
            campaign.campaign,
            campaign.name,
            _("Waiting: {reason} It will be retried automatically.").format(reason=reason),
        )
        for campaign in Campaign.of_rows(campaigns[campaigns["campaign"].isin(list(waiting))])
        for reason in waiting[campaign.campaign]
    ]


def _failing(campaigns: pd.DataFrame) -> list[Concern]:
    many = (campaigns["accepted"] >= FEWEST_ACCEPTED) & (failed_share(campaigns) > FAILED_SHARE)
    return [
        Concern(
            campaign.campaign,
            campaign.name,
            _("{share} of the accepted messages failed.").format(
                share=percent(campaign.failed, campaign.accepted)
            ),
            Stage.FAILED,
        )
        for campaign in Campaign.of_rows(campaigns[many])
    ]
