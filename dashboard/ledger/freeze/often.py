"""How often a person is texted, looked at once more when a campaign is frozen: others are made meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd
from sqlalchemy import Connection

from dashboard.arguments import check_fields
from dashboard.campaigns.guards import check_texts_per_person, texts_around
from dashboard.errors import CampaignError
from dashboard.ledger import history
from dashboard.ledger.copies import doubt
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import campaign_row
from dashboard.words import plural


@dataclass(frozen=True, slots=True)
class TextsPerPerson:
    """The most texts that a person may get.

    Attributes:
        at_most: How many, 1 or more.
        within: In this period, before and after each.

    Raises:
        CampaignError: `at_most` is below 1, or `within` below a second.

    Example:
        >>> TextsPerPerson(2, timedelta(days=7)).at_most
        2
    """

    at_most: int
    within: timedelta

    def __post_init__(self) -> None:
        check_fields(self)
        check_texts_per_person(self.at_most, self.within)


class Others:
    """What other campaigns send to the same people.

    Each campaign is read once, so that within the lock only what was made or moved meanwhile is read. Who
    gets a text, and when, is `chosen`: to and scheduled_at, as in MESSAGES. A campaign that was frozen from
    them does not count.
    """

    def __init__(
        self, cap: TextsPerPerson, chosen: pd.DataFrame, now: datetime, *, campaign: str | None = None
    ) -> None:
        self._cap, self._chosen, self._now, self._campaign = cap, chosen, now, campaign
        self._known: dict[str, datetime | None] = {}
        self._texts: list[pd.DataFrame] = []

    def refuse(self, connection: Connection) -> None:
        """Refuse the messages if people would get too many, with campaigns that have not been read so far.

        Raises:
            CampaignError: They would; the sentence says how many.
        """
        people = self._too_often(connection)
        if people and self._campaign is None:
            raise CampaignError(
                plural(
                    people,
                    "{count} person would get more texts than the cap allows, because of another campaign. "
                    "Nothing was sent. Prepare the messages again: that person is left out then.",
                    "{count} people would get more texts than the cap allows, because of another campaign. "
                    "Nothing was sent. Prepare the messages again: these people are left out then.",
                )
            )
        if people:
            raise CampaignError(
                plural(
                    people,
                    "{count} person would get more texts than the cap allows then, because of another "
                    "campaign. Nothing was changed. Choose another time, or begin the campaign anew: that "
                    "person is left out then.",
                    "{count} people would get more texts than the cap allows then, because of another "
                    "campaign. Nothing was changed. Choose another time, or begin the campaign anew: these "
                    "people are left out then.",
                )
            )

    def _too_often(self, connection: Connection) -> int:
        """How many people get too many; 0 if there is nothing that was not known before."""
        others = history.waiting_times(connection)
        others.pop(self._campaign or "", None)
        if any(others.get(one, at) != at for one, at in self._known.items()):  # it was moved meanwhile
            self._known, self._texts = {}, []
        made = others.keys() - self._known
        if not made:
            return 0
        since = self._now - self._cap.within
        self._texts.append(history.texts_since(connection, since, self._now, campaigns=made))
        self._known = others
        texts = pd.concat(self._texts)
        around = texts_around(self._chosen, texts, self._cap.within, self._now)
        return int((around >= self._cap.at_most).sum())


@contextmanager
def writing_apart(
    database: Database, cap: TextsPerPerson | None, campaign: str, now: datetime, at: datetime | None = None
) -> Iterator[Connection]:
    """A write transaction that lets a campaign go, unless people would be texted too often.

    If `at` is given, it is to be sent then instead of at its own time; what has a later one of its own keeps
    that.

    Raises:
        CampaignError: People would get too many, also because of what was made meanwhile.
        UnknownCampaignError: There is no such campaign.
        LedgerError: As for `doubt.writing`.
    """
    others = of_others(database, cap, campaign, now, at) if cap else None
    with doubt.writing(database) as connection:
        if others is not None:
            serialize(connection, Advisory.FREEZE)
            others.refuse(connection)
        yield connection


def of_others(
    database: Database, cap: TextsPerPerson, campaign: str, now: datetime, at: datetime | None
) -> Others | None:
    """What others send to the people of a campaign, read before anything is locked; None unless it waits."""
    with database.read() as connection:
        row = campaign_row(connection, campaign)
        if row.state not in {"draft", "scheduled"}:
            return None
        messages = not_before(history.ready_of(connection, campaign), max(at or row.scheduled_at or now, now))
        others = Others(cap, messages, now, campaign=campaign)
        others.refuse(connection)
    return others


def not_before(messages: pd.DataFrame, at: datetime | None) -> pd.DataFrame:
    """Messages with the times at which they go out if their campaign waits until then."""
    if at is None:
        return messages
    start, times = pd.Timestamp(at), messages["scheduled_at"]
    return messages.assign(scheduled_at=times.where(times > start, start))
