"""The made-up people of the year, in four countries. Nothing is sent: a number may belong to somebody."""

from __future__ import annotations

import random
from itertools import cycle

import pandas as pd

BRITISH, FRENCH, GERMAN, AMERICAN = 150, 40, 30, 20
NUMBERS = (
    *(("GB", f"+447200{100_000 + place * 37}") for place in range(BRITISH)),
    *(("FR", f"+336123{40_000 + place * 101}") for place in range(FRENCH)),
    *(("DE", f"+491512{3_456_700 + place * 103}") for place in range(GERMAN)),
    *(("US", f"+1202555{200 + place * 3:04}") for place in range(AMERICAN)),
)
"""In no country two in a row."""
FIRST_NAMES = ("Ann", "Ben", "Chloé", "Dylan", "Elif", "Gareth", "Hannah", "Imran", "José", "Kasia", "Łukasz")
CITIES = ("Bristol", "Cardiff", "Leeds", "York", "", "Lyon", "Köln")


def people(chance: random.Random) -> pd.DataFrame:
    """Everyone who is ever texted, in any order: phone, country, line_type, first_name, city, row."""
    drawn = chance.sample(NUMBERS, len(NUMBERS))
    frame = pd.DataFrame(drawn, columns=["country", "phone"])
    names, cities = cycle(FIRST_NAMES), cycle(CITIES)
    return frame.assign(
        country=frame["country"].astype("category"),
        line_type=pd.Categorical(["MOBILE"] * len(frame)),
        first_name=[next(names) for _person in drawn],
        city=[next(cities) for _person in drawn],
        row=range(2, len(frame) + 2),
    )
