"""Every two groups set side by side: how far apart they are, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.errors import OptionError
from dashboard.reports.measures.power import power_of
from dashboard.reports.measures.shares import CONFIDENCE, chance, holm, newcombe, quantile
from dashboard.reports.tables.comparing.rates import comparable, delivery_rates, share_of
from dashboard.reports.tables.grouping import By, columns_of, labels_of, name_of
from dashboard.words import _

_DIFFERENCE = 0.05


@checks_frames
def compare(
    messages: pd.DataFrame,
    by: By,
    *,
    person: str | None = None,
    difference: float = _DIFFERENCE,
    confidence: float = CONFIDENCE,
    now: datetime | None = None,
) -> pd.DataFrame:
    """Compare the delivered shares of every two groups.

    The interval is Newcombe's (Statistics in Medicine 17, 1998, method 10), `p` is the same question asked
    the other way round, so both always agree, and `corrected` holds for all pairs together (S. Holm, 1979).
    Nothing is judged before every group is final, nor with fewer than 30 messages: then low, high, p and
    corrected are missing. People who got several messages count by person, see `delivery_rates`.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: A column such as "variant", your own values with the frame's index, or several of these.
        person: The column of messages that says who got each, such as "to".
        difference: The smallest difference between shares that matters to you, 0 to 1; for the power.
        confidence: Of each interval.
        now: The current time, which decides what is final; the clock's if absent.

    Returns:
        One row per pair: a and b (the groups), n_a and n_b (as how many messages to different people they
        count), effect (share of a - share of b, 0 to 1), low and high (its interval), p and corrected (0 to
        1), power (how often groups of these sizes show a difference as large as `difference`, 0 to 1; 0.8 is
        customary) and differs (whether corrected is below 1 - confidence).

    Raises:
        FrameError: Columns are missing.
        OptionError: The confidence or the difference is not between 0 and 1.

    Example:
        >>> compare(messages, "variant", person="to")
    """
    quantile(confidence)
    if not 0 < difference < 1:
        raise OptionError(_("The difference that matters is between 0 and 1: 0.05 is 5 percentage points."))
    rates = delivery_rates(messages, by, person=person, confidence=confidence, now=now)
    keys = rates[[name_of(each) for each in columns_of(messages, by)]]
    sound = rates.index.isin(comparable(rates).index)
    groups = rates.assign(value=labels_of(keys), sound=sound).to_dict("records")
    rows = [_pair(one, other, confidence, difference) for one, other in combinations(groups, 2)]
    table = pd.DataFrame(rows, columns=list(_DTYPES)).astype(_DTYPES)
    judged = table["p"].notna()
    corrected = pd.Series(holm(table.loc[judged, "p"].tolist()), table.index[judged], dtype="float64")
    corrected = corrected.reindex(table.index)
    return table.assign(corrected=corrected, differs=corrected < 1 - confidence)


_DTYPES = {
    **dict.fromkeys(("a", "b"), "str"),
    **dict.fromkeys(("n_a", "n_b", "effect", "low", "high", "p", "corrected", "power"), "float64"),
    "differs": "bool",
}


def _pair(
    one: Mapping[Any, Any], other: Mapping[Any, Any], confidence: float, difference: float
) -> dict[str, Any]:
    shares = share_of(one), share_of(other)
    row = {
        "a": one["value"],
        "b": other["value"],
        "n_a": one["independent"],
        "n_b": other["independent"],
        "effect": one["share"] - other["share"],
        "power": power_of(*shares, difference=difference, confidence=confidence),
        "differs": False,
    }
    if one["sound"] and other["sound"]:
        row["low"], row["high"] = newcombe(*shares, confidence)
        row["p"] = chance(*shares)
    return row
