"""Numbers to fix of which many are valid in other countries: each country's put right at once. Pure."""

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


def valid_elsewhere(chosen: pd.DataFrame) -> list[Elsewhere]:
    """The countries in which good parts of these rows are valid mobile numbers, the largest part first.

    One row proves nothing: a number with a digit missing is often somebody's in another country. Such
    mistakes fall into many countries, and a list that somebody brought home from one falls into that one.

    Args:
        chosen: Verdicts on rows with numbers to fix.

    Returns:
        Those with at least five such rows; none if all of them together are less than half of the rows.
    """
    hints = chosen["repairs"].str.extract(HINT, expand=False).dropna()
    counted = hints.value_counts()
    found = [
        Elsewhere(str(country), _valid_in(str(country), chosen.loc[hints.index[hints == country]]))
        for country in counted.index[counted >= _FEWEST_ROWS]
    ]
    groups = [one for one in found if len(one.fixes) >= _FEWEST_ROWS]
    return groups if sum(len(one.fixes) for one in groups) >= _FEWEST_SHARE * len(chosen) else []


def _valid_in(country: str, there: pd.DataFrame) -> dict[int, str]:
    """By row number, the numbers of these rows that are valid in a country."""
    typed = pd.DataFrame({"phone": there["raw_phone"].astype("str").to_numpy()})
    rows = clean_contacts(typed, country=country, columns=ColumnMap(phones=("phone",)), keep="warn").rows
    valid = rows["status"].isin([Status.OK, Status.REVIEW]) & rows["country"].eq(country).to_numpy()
    fixes = zip(there["row"][valid.to_numpy()].astype("int"), rows["phone"][valid], strict=True)
    return {int(row): str(phone) for row, phone in fixes}
