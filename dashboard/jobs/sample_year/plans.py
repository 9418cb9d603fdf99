"""What is sent in the made-up year: when, to how many, with which text or texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from dashboard.campaigns import Variant

SENT = (
    *range(2, 60, 5),  # more of them lately, which is what the overview shows first
    *range(66, 364, 11),
)
"""How many days ago each campaign was sent."""
HOURS = (9, 10, 12, 14, 16, 18)
FEWEST, MOST = 50, 130
COMPARED_EVERY = 6
NOT_ANSWERED, CANCELLED = 3, 9
"""The third campaign from now has a batch that was never answered; the ninth was cancelled half-way."""

_THEMES = (
    "New arrivals",
    "Weekend offer",
    "Members' evening",
    "Free delivery",
    "Workshop invitation",
    "Season preview",
    "Thank-you voucher",
    "Opening hours",
    "Last chance",
    "Sale",
)
_GREETING = "Hi {{ first_name | there }}, "
_TEXTS = (
    "the new collection is in the shop in {{ city | town }}. Come and see it! Reply STOP to opt out.",
    "20% off everything until Sunday: https://shop.example.com/offer Reply STOP to opt out.",
    "you are invited on Thursday at seven. Reply STOP to opt out.",
    "we deliver free of charge this week. Reply STOP to opt out.",
)
_BESIDE = "our offers of the week: https://shop.example.com/week Reply STOP to opt out."


@dataclass(frozen=True)
class Plan:
    """A campaign of the year.

    Attributes:
        name: What it is called.
        at: When it is sent.
        text: Its text, or two that are compared.
        people: To how many.
        leaves_open: Whether one of its batches is never answered.
        is_cancelled: Whether it is cancelled half-way.
    """

    name: str
    at: datetime
    text: str | list[Variant]
    people: int
    leaves_open: bool
    is_cancelled: bool


def plans(now: datetime, chance: random.Random) -> Iterator[Plan]:
    """The year's campaigns, the oldest first.

    Args:
        now: The end of the year, aware.
        chance: Decides on hours and numbers of people.
    """
    for place, days in reversed(list(enumerate(SENT, start=1))):
        at = datetime.combine((now - timedelta(days=days)).date(), time(chance.choice(HOURS)), now.tzinfo)
        text = _GREETING + _TEXTS[place % len(_TEXTS)]
        yield Plan(
            name=f"{_THEMES[place % len(_THEMES)]} {at:%B}",
            at=at,
            text=text if place % COMPARED_EVERY else [Variant("A", text), Variant("B", _GREETING + _BESIDE)],
            people=chance.randint(FEWEST, MOST),
            leaves_open=place == NOT_ANSWERED,
            is_cancelled=place == CANCELLED,
        )
