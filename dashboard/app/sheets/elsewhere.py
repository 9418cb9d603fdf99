"""Numbers to fix of which many are valid in one other country: all of them put right at once. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from dashboard.app.sheets.likely_country import HINT
from dashboard.contacts import ColumnMap, Status, clean_contacts

_FEWEST_ROWS = 5
_FEWEST_SHARE = 0.5


@dataclass(frozen=True)
class Elsewhere:
    """The country (ISO 3166), and by row number the numbers that are valid there, in E.164."""

    country: str
    fixes: dict[int, str]


def valid_elsewhere(chosen: pd.DataFrame) -> Elsewhere | None:
    """The country in which at least half of these rows are valid mobile numbers.

    One row proves nothing: a number with a digit missing is often somebody's in another country. Such
    mistakes fall into many countries, and a list that somebody brought home from one falls into that one.

    Args:
        chosen: Verdicts on rows with numbers to fix.

    Returns:
        None if there are fewer than five such rows, or they are less than half.
    """
    hints = chosen["repairs"].str.extract(HINT, expand=False).dropna()
    if len(hints) < _FEWEST_ROWS:
        return None
    country = str(hints.value_counts().index[0])
    there = chosen.loc[hints.index[hints == country]]
    typed = pd.DataFrame({"phone": there["raw_phone"].astype("str").to_numpy()})
    rows = clean_contacts(typed, country=country, columns=ColumnMap(phones=("phone",)), keep="warn").rows
    valid = rows["status"].isin([Status.OK, Status.REVIEW]) & rows["country"].eq(country).to_numpy()
    fixes = dict(zip(there["row"][valid.to_numpy()].astype("int"), rows["phone"][valid], strict=True))
    fixes = {int(row): str(phone) for row, phone in fixes.items()}
    many = len(fixes) >= max(_FEWEST_ROWS, _FEWEST_SHARE * len(chosen))
    return Elsewhere(country, fixes) if many else None
