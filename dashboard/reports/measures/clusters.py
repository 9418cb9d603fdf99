"""People who got several messages: as how many messages to different people theirs count.

What becomes of one person's messages is much the same each time: a number that is switched off fails in every
campaign. So a person's messages are taken to share one fate, which is the worst case. Messages whose people
got n1, n2, … of them then say as much about a share as (n1 + n2 + …)² ÷ (n1² + n2² + …) messages to different
people (L. Kish, Survey Sampling, 1965: the design effect of clusters with a correlation of 1). Where everyone
got the same number, that is the number of people.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dashboard.errors import OptionError
from dashboard.reports.measures.counting import are_added_up
from dashboard.words import _


def independent(frame: pd.DataFrame, key: str, person: str | None = None) -> pd.Series:
    """As how many messages to different people each group's accepted messages count; float64, by group.

    Args:
        frame: As `Ledger.messages` gives them, or COUNTS.
        key: The column that makes the groups.
        person: The column that says who got each message. Without it, and in a group in which somebody's
            number was deleted, only the campaigns are looked at: each texts nobody twice, and everyone of a
            smaller one is taken to be in the larger ones as well.

    Raises:
        OptionError: There is no such column.
    """
    if person is not None and person not in frame:
        raise OptionError(_("Name a column of the messages that says who got each, such as 'to'."))
    accepted = frame[(frame["state"].astype("str") == "accepted") & frame[key].notna()]
    table = by_campaign(accepted, [key])
    at_least = pd.Series(of_campaigns(table.to_numpy("float64")), table.index)
    if person is None:
        return at_least
    who = accepted[person].astype("str")
    each = _messages(accepted).groupby([accepted[key], who], observed=True).sum()
    squares = (each**2).groupby(level=0, observed=True).sum()
    by_person = each.groupby(level=0, observed=True).sum() ** 2 / squares
    forgotten = accepted.loc[who.isna() | (who == ""), key].unique()
    return by_person.reindex(at_least.index).mask(at_least.index.isin(forgotten), at_least)


def by_campaign(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Messages of each group, with a column for each campaign."""
    campaign = frame["campaign"] if "campaign" in frame else pd.Series("", frame.index)
    sums = (
        _messages(frame)
        .groupby([*(frame[name] for name in by), campaign.rename("campaign")], observed=True)
        .sum()
    )
    return sums.unstack(-1, fill_value=0)  # noqa: PD010 - the groups' order is kept


def _messages(frame: pd.DataFrame) -> pd.Series:
    """How many messages each row is."""
    return frame["messages"] if are_added_up(frame, "messages") else pd.Series(1, frame.index)


def of_campaigns(messages: np.ndarray) -> np.ndarray:
    """The same for groups (rows) of which only the messages of each campaign (columns) are known.

    With everyone of a smaller campaign in all larger ones, the k-th largest adds 2k - 1 to the squares for
    each of its people.
    """
    largest_first = -np.sort(-messages, axis=1)
    squares = largest_first @ (2.0 * np.arange(messages.shape[1]) + 1.0)
    total = messages.sum(axis=1)
    return np.asarray(np.divide(total**2, squares, out=np.zeros(len(total)), where=squares > 0))
