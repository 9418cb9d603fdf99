"""Makes a ledger of a fictional shop's year, twelve campaigns and eight lists, for notebooks and trials.

    python data/history.py FOLDER       writes FOLDER/ledger.sqlite

Seeded: every figure is the same each time; only ids differ. Everything goes through the ledger as in earnest:
frozen, claimed, settled, reported. The service is made up and answers in this process, so nothing is sent.
`shop/year.py` says what is true of the year, and so what an analyst should find.
"""

from __future__ import annotations

import random
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pandas as pd
from shop.lists import MESS, QUARTERS, quarter, save_list
from shop.people import People
from shop.service import ASKED, UNANSWERED, answer, reports
from shop.year import YEAR, Plan

from dashboard.campaigns import write_messages
from dashboard.contacts import ContactList, clean_contacts, read_sheet
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim

SHEET = Path(__file__).with_name("contacts.csv")
SERVICE = "https://sms.example.com"
SEED = 5
HEARD_AFTER_MINUTES = (1, 2, 4, 8, 15, 30, 60, 120)
"""When the shop asks for reports, after the last message."""


class Clock:
    """The time of the made-up past."""

    def __init__(self) -> None:
        self.time = YEAR[0].times()[0] - timedelta(days=7)

    def __call__(self) -> datetime:
        """Now."""
        return self.time


def make_history(folder: str | Path) -> str:
    """Make the ledger; returns its address."""
    url = f"sqlite:///{Path(folder) / 'ledger.sqlite'}"
    lines = SHEET.read_text("utf-8-sig").splitlines()
    contacts = clean_contacts(read_sheet(SHEET), country="GB")
    with closing(Ledger.open(url, now=(clock := Clock()))) as ledger:
        _Past(ledger, clock, contacts, lines).happen()
    return url


class _Past:
    """The year as it happens: lists and campaigns in the order of time."""

    def __init__(self, ledger: Ledger, clock: Clock, contacts: ContactList, lines: list[str]) -> None:
        self.ledger, self.clock, self.contacts, self.lines = ledger, clock, contacts, lines
        self.chance = random.Random(SEED)  # noqa: S311 - seeded on purpose
        self.people = People.of(contacts, self.chance)
        self.owner = ledger.outbox.register(0)

    def happen(self) -> None:
        """Everything."""
        plans = {plan.times()[0]: plan for plan in YEAR}
        before = min(plans) - timedelta(days=60)
        for at in sorted([*plans, *map(quarter, QUARTERS)]):
            self.clock.time = at
            if plan := plans.get(at):
                self._campaign(plan, at - before)
                before = at
            else:
                for source in MESS:
                    save_list(self.ledger, self.people, self.contacts, self.lines, source, at)

    def _campaign(self, plan: Plan, since_last: timedelta) -> None:
        """One campaign, from its texts to those who leave after it."""
        campaign = self.ledger.create_campaign(
            plan.name,
            self._messages(plan),
            batch_size=100,
            price_per_credit=plan.price,
            source=SHEET.name,
            service=SERVICE,
        )
        self.ledger.start(campaign)
        place = 0
        for at in plan.times():
            self.clock.time = at
            place = self._send(campaign, place)
        self._settle_unknown(campaign)
        self.ledger.outbox.finish()
        self._hear(campaign, since_last)

    def _messages(self, plan: Plan) -> pd.DataFrame:
        """Its texts; who gets one, and at which of several hours, is drawn by lot."""
        times = plan.times()
        listed = self.people.on_the_list(times[0])
        if plan.people:
            listed = listed.loc[sorted(self.chance.sample(list(listed.index), plan.people))]
        messages = write_messages(listed, plan.text, campaign=plan.name, sender=plan.sender)
        if len(times) == 1:
            return messages
        lots = [times[place % len(times)] for place in range(len(messages))]
        self.chance.shuffle(lots)
        at = pd.Series(lots, messages.index, dtype=messages["scheduled_at"].dtype)
        return messages.assign(scheduled_at=at, handover="hold")

    def _send(self, campaign: str, place: int) -> int:
        while isinstance(got := self._claim(campaign), Claim):
            self.clock.time += timedelta(seconds=2)
            place += 1
            self.ledger.outbox.settle(got, answer(got, place, self.clock.time, self.chance))
        return place

    def _claim(self, campaign: str) -> object:
        return self.ledger.outbox.claim(campaign, owner=self.owner, ticket=str(uuid4()))

    def _settle_unknown(self, campaign: str) -> None:
        """The service has half of the batches that it did not answer; the others stay unknown."""
        unknown = self.ledger.unknown(campaign)
        if taken := [int(batch) for batch in unknown["batch"]][:: UNANSWERED[1] // UNANSWERED[0]]:
            self.clock.time += timedelta(minutes=5)
            self.ledger.decide_all(
                campaign, "accepted", "ann@example.com", "The service's support has them.", batches=taken
            )

    def _hear(self, campaign: str, since_last: timedelta) -> None:
        """The reports come, and some reply STOP."""
        messages = self.ledger.messages(campaign, columns=ASKED, states=["accepted"])
        told = reports(messages, self.people, self.chance)
        over, heard = self.clock.time, datetime.min.replace(tzinfo=UTC)
        for minutes in HEARD_AFTER_MINUTES:
            self.clock.time = over + timedelta(minutes=minutes)
            self.ledger.record_reports([one for at, one in told if heard < at <= self.clock.time])
            heard = self.clock.time
        delivered = {one["uuid"] for _at, one in told if one["status"] == "delivered"}
        reached = messages.loc[messages["uuid"].isin(delivered), "to"]
        if leaving := self.people.leave(reached, since_last, self.chance):
            self.ledger.add_opt_outs(leaving, reason="Replied STOP", source="service")


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    make_history(sys.argv[1])
