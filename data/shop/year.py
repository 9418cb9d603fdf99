"""What the shop sends in its year, and what is true of that year: the answers that an analyst should find."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from zoneinfo import ZoneInfo

from dashboard.campaigns import Variant

SALE = (
    "Hi {{ first_name | there }}, our {season} sale starts on Friday at ten: new coats, boots and bags from "
    "all over Europe. "
)
LINK = "Have a look at all of them: https://shop.example.com/{path}/sale"
PLAIN = "Come and see us in {{ city | town }}!"
LONDON = ZoneInfo("Europe/London")
BY_LOT = (10, 14, 20)
"""The hours in London between which a lot decides, person by person."""


@dataclass(frozen=True)
class Plan:
    """A campaign of the year.

    Attributes:
        name: What it is called.
        day: Of 2025.
        linked: Whether its text has a link; None if one half by lot gets it and the other does not.
        hours: At which hours in London it is sent; with several, a lot decides for each person.
        people: To how many, drawn by lot; None for everyone on the list.
        sender: From whom.
    """

    name: str
    day: date
    linked: bool | None = True
    hours: tuple[int, ...] = (10,)
    people: int | None = None
    sender: str = "Shop"

    @property
    def text(self) -> str | list[Variant]:
        """Its text, or two of them."""
        season = self.name.split(",")[0].lower()
        start, link = SALE.replace("{season}", season), LINK.replace("{path}", season.replace(" ", "-"))
        if self.linked is not None:
            return start + (link if self.linked else PLAIN)
        return [Variant("with a link", start + link), Variant("without a link", start + PLAIN)]

    @property
    def price(self) -> Decimal:
        """What a credit costs."""
        return Decimal("0.052" if self.day >= DEARER else "0.045")

    def times(self) -> list[datetime]:
        """When it is sent: each of its hours."""
        return [datetime.combine(self.day, time(hour), LONDON).astimezone(UTC) for hour in self.hours]


YEAR = (
    Plan("New Year", date(2025, 1, 10), sender="Shop Club"),
    Plan("Valentine", date(2025, 2, 7), hours=BY_LOT, sender="Shop Club"),
    Plan("Early spring", date(2025, 3, 14), linked=None, people=320),
    Plan("Spring", date(2025, 4, 11), hours=BY_LOT),
    Plan("May", date(2025, 5, 16), hours=BY_LOT),
    Plan("Summer", date(2025, 7, 4), hours=BY_LOT),
    Plan("Late summer", date(2025, 8, 22)),
    Plan("Back to school", date(2025, 9, 12)),
    Plan("Autumn", date(2025, 10, 10), linked=False),
    Plan("Half-term", date(2025, 10, 24), linked=None),
    Plan("Black Friday", date(2025, 11, 28)),
    Plan("Christmas", date(2025, 12, 12), sender="Shop Club"),
)

DEARER = date(2025, 7, 1)
"""From this day a credit costs more."""
OUTAGE = date(2025, 9, 12)
"""On this day the service hardly answered, and nothing got through to `FAILING`."""
FAILING = "FR"
BY_PARTS = "Autumn"
"""The campaign that the service bills by the carriers' parts."""

FAILS, FAILS_WITH_LINK, FAILS_IN_THE_EVENING, FAILS_WHEN_BUSY = 0.02, 0.07, 0.08, 0.03
"""How often a message fails: always, and added for a link, for an evening, for the busy end of the year."""
FAILS_BY_MISTAKE = 0.004
"""How many of all are reported as an unknown subscriber although the number is in use."""
EVENING, BUSY_FROM, SLOW, QUICK = 20, 11, 400, 40
"""The hour, the month, and how many seconds it takes from sent to delivered, on average."""
NOT_BILLED, NO_NEWS = 0.01, 0.01
"""How many bills and how many reports never come."""
LEAVE, LEAVE_WHEN_TEXTED_OFTEN, OFTEN_DAYS = 0.003, 0.015, 21
"""How many reply STOP, and how many if the text before came that few days earlier."""
DIES = {"webshop": 0.005, "fair": 0.025}
"""How many of the numbers that came from there are given up in a month."""
