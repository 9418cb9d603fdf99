"""How often a person is texted, looked at once more when a campaign is frozen: others are made meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd
from sqlalchemy import Connection

from dashboard.campaigns.guards import texts_around
from dashboard.errors import CampaignError
from dashboard.ledger import history
from dashboard.words import plural


@dataclass(frozen=True, slots=True)
class TextsPerPerson:
    """The most texts that a person may get.

    Attributes:
        at_most: How many, 1 or more.
        within: In this period, before and after each.

    Example:
        >>> TextsPerPerson(2, timedelta(days=7)).at_most
        2
    """

    at_most: int
    within: timedelta


class Others:
    """What other campaigns send to the same people.

    Each campaign is read once, so that within the lock only what was made meanwhile is read.

    Args:
        cap: The cap.
        token: What this token made does not count; the campaign takes its place.
        chosen: MESSAGES without those that have a problem.
        now: The time.
    """

    def __init__(self, cap: TextsPerPerson, token: str | None, chosen: pd.DataFrame, now: datetime) -> None:
        self._cap, self._token, self._chosen, self._now = cap, token, chosen, now
        self._known: set[str] = set()
        self._texts: list[pd.DataFrame] = []

    def refuse(self, connection: Connection) -> None:
        """Refuse the messages if people would get too many, with campaigns that have not been read so far.

        Raises:
            CampaignError: They would; the sentence says how many.
        """
        made = history.campaigns_besides(connection, self._token) - self._known
        if not made:
            return
        since = self._now - self._cap.within
        self._texts.append(history.texts_since(connection, since, campaigns=made))
        self._known |= made
        others = texts_around(self._chosen, pd.concat(self._texts), self._cap.within, self._now)
        people = int((others >= self._cap.at_most).sum())
        if people:
            raise CampaignError(
                plural(
                    people,
                    "{count} person would get more texts than the cap allows, because of another campaign. "
                    "Nothing was sent. Prepare the messages again: that person is left out then.",
                    "{count} people would get more texts than the cap allows, because of another campaign. "
                    "Nothing was sent. Prepare the messages again: these people are left out then.",
                )
            )
