"""One cleaning for many columns: a sheet costs as much of two rows as of two thousand."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from dashboard.contacts import clean_contacts, guess_columns


def phones(count: int) -> list[str]:
    return [f"+4474{(place + 500) * 77_773 % 10**8:08d}" for place in range(count)]


def one_sheet(said: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """People who each say something below one header, and nothing below the others.

    Headers of consent are not for it: a person who says nothing below one is left to a person.
    """
    lines = list(said)
    columns = {header: [cell if own == header else "" for own, cell in lines] for header in dict(lines)}
    return pd.DataFrame({"Mobile": phones(len(lines)), **columns})


def statuses_in_one_sheet(said: Iterable[tuple[str, str]]) -> list[str]:
    return clean_contacts(one_sheet(said), country="GB").rows["status"].astype("str").tolist()


def asks_everybody(header: str, cells: list[str]) -> bool:
    """Whether whoever says nothing below a header is asked about as well."""
    frame = pd.DataFrame({"Mobile": phones(len(cells)), header: cells})
    found = guess_columns(frame)
    return header in (*found.consents, *(question.column for question in found.questions))
