"""The shop's customers: who joins when and where, whose number is given up, who leaves."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pandas as pd

from dashboard.contacts import ContactList
from shop.year import DIES, LEAVE, LEAVE_WHEN_TEXTED_OFTEN, OFTEN_DAYS, YEAR

AT_FIRST, JOIN_MONTHLY = 720, 30
MONTH = timedelta(days=30.4)
AT_THE_FAIR = 4
"""Every so manieth customer left the number at the fair; the others in the web shop."""


@dataclass
class People:
    """Everyone who is ever on the list, in the order of joining: at first those abroad, then the others.

    Attributes:
        frame: The sheet's rows that can be texted.
        joined, given_up: When each phone joined, and when its owner gave the number up.
        left: The phones whose owners replied STOP.
    """

    frame: pd.DataFrame
    joined: dict[str, datetime] = field(default_factory=dict)
    given_up: dict[str, datetime] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, contacts: ContactList, chance: random.Random) -> People:
        """All that the year needs of a list."""
        sendable = contacts.sendable
        abroad = sendable["country"] != "GB"
        most = AT_FIRST + 12 * JOIN_MONTHLY
        people = cls(pd.concat([sendable[abroad], sendable[~abroad]]).head(most).reset_index(drop=True))
        for place, (phone, source) in enumerate(zip(people.frame["phone"], people.sources(), strict=True)):
            months = max(0, place - AT_FIRST) // JOIN_MONTHLY
            people.joined[phone] = YEAR[0].times()[0] - MONTH / 2 + months * MONTH
            people.given_up[phone] = people.joined[phone] + MONTH * chance.expovariate(DIES[source])
        return people

    def sources(self) -> list[str]:
        """Where each of the frame's rows came from."""
        return ["fair" if place % AT_THE_FAIR == 0 else "webshop" for place in self.frame.index]

    def on_the_list(self, at: datetime) -> pd.DataFrame:
        """Who can be texted then."""
        phones = self.frame["phone"]
        return self.frame[phones.map(self.joined).le(at) & ~phones.isin(self.left)]

    def leave(self, delivered: pd.Series, since_last: timedelta, chance: random.Random) -> list[str]:
        """Those of the phones that were reached whose owners reply STOP."""
        often = since_last < timedelta(days=OFTEN_DAYS)
        share = LEAVE_WHEN_TEXTED_OFTEN if often else LEAVE
        leaving = [phone for phone in delivered if chance.random() < share]
        self.left.update(leaving)
        return leaving
