"""Fills an empty ledger with the year, through the ledger's own doors: frozen, claimed, settled, reported."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pandas as pd

from dashboard.campaigns import Prices, write_messages
from dashboard.jobs.guards import SANDBOX
from dashboard.jobs.sample_year.people import people
from dashboard.jobs.sample_year.plans import SENT, Plan, plans
from dashboard.jobs.sample_year.service import ASKED, NO_ANSWER, reports, taken
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim

SEED = 11
BATCH_SIZE = 40
HEARD_AFTER = timedelta(hours=3)
LEAVES = 0.004
"""How many of those who were reached reply STOP."""
PRICES = {"GB": Decimal("0.042"), "FR": Decimal("0.068"), "DE": Decimal("0.079")}
ELSEWHERE = Decimal("0.055")

Progress = Callable[[float], None]


def make_year(
    url: str, *, now: datetime, currency: str, name_of: Callable[[str], str], on_progress: Progress
) -> None:
    """Make the ledger. Seeded: only ids, and the dates that end at `now`, differ from one time to the next.

    Args:
        url: The ledger's address; it is created.
        now: The end of the year, aware.
        currency: Of all prices, ISO 4217.
        name_of: Marks a campaign's name as a sample's.
        on_progress: Told the share that is done, from 0 to 1.
    """
    clock = _Clock()
    with Ledger.open(url, now=clock) as ledger:
        year = _Year(ledger, clock, Prices(PRICES, ELSEWHERE, currency), name_of)
        for done, plan in enumerate(plans(now.astimezone(UTC), year.chance)):
            on_progress(done / len(SENT))
            year.campaign(plan)


class _Clock:
    """The time of the made-up past."""

    def __init__(self) -> None:
        self.time = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


class _Year:
    """The year as it happens."""

    def __init__(self, ledger: Ledger, clock: _Clock, prices: Prices, name_of: Callable[[str], str]) -> None:
        self.chance = random.Random(SEED)  # noqa: S311 - seeded on purpose
        self._ledger, self._clock, self._prices, self._name_of = ledger, clock, prices, name_of
        self._people = people(self.chance)
        self._owner: str | None = None

    def campaign(self, plan: Plan) -> None:
        """One campaign, from its texts to those who leave after it."""
        self._clock.time = plan.at
        self._owner = self._owner or self._ledger.outbox.register(0)
        name = self._name_of(plan.name)
        campaign = self._ledger.create_campaign(
            name,
            write_messages(self._listed(plan), plan.text, campaign=name),
            batch_size=BATCH_SIZE,
            prices=self._prices,
            service=SANDBOX,
            start=True,
        )
        self._send(campaign, plan)
        self._ledger.outbox.finish()
        self._hear(campaign)

    def _listed(self, plan: Plan) -> pd.DataFrame:
        left = self._ledger.opt_outs()["phone"]
        listed = self._people[~self._people["phone"].isin(left)]
        return listed.loc[sorted(self.chance.sample(list(listed.index), plan.people))]

    def _send(self, campaign: str, plan: Plan) -> None:
        place = 0
        while isinstance(claim := self._claim(campaign), Claim):
            self._clock.time += timedelta(seconds=2)
            is_lost = plan.leaves_open and place == 0
            self._ledger.outbox.settle(claim, NO_ANSWER if is_lost else taken(claim, self._clock.time))
            place += 1
            if plan.is_cancelled:
                self._ledger.cancel(campaign)

    def _claim(self, campaign: str) -> object:
        return self._ledger.outbox.claim(campaign, owner=self._owner or "", ticket=str(uuid4()))

    def _hear(self, campaign: str) -> None:
        """The reports come, and some reply STOP."""
        messages = self._ledger.messages(campaign, columns=ASKED, states=["accepted"])
        told = list(reports(messages, self.chance))
        self._clock.time += HEARD_AFTER
        self._ledger.record_reports(told)
        reached = {one["uuid"] for one in told if one["status"] == "delivered"}
        phones = messages.loc[messages["uuid"].isin(reached), "to"]
        if leaving := [phone for phone in phones if self.chance.random() < LEAVES]:
            self._ledger.add_opt_outs(leaving, reason="Replied STOP", source="service")
