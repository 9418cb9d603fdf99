"""Advice before sending: how the credits are spread, and the cheapest edit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dashboard.campaigns.credits import credits_of

_LONGEST_EDIT = 40


@dataclass(frozen=True)
class Edit:
    """Taking `characters` away from the template saves `credits` over the whole campaign."""

    characters: int
    credits: int


def credits_histogram(messages: pd.DataFrame) -> pd.DataFrame:
    """How many messages cost how much.

    Args:
        messages: MESSAGES; those with a problem are not counted.

    Returns:
        credits (int64), messages_low and messages_high (int64): how many cost that much with the shortest
        and with the longest short links. Without links the two agree.
    """
    sent = messages[messages["problem"].isna()]
    low, high = (sent[column].value_counts() for column in ("credits_low", "credits_high"))
    credits_ = sorted(set(low.index) | set(high.index))
    return pd.DataFrame(
        {
            "credits": np.array(credits_, np.int64),
            "messages_low": low.reindex(credits_, fill_value=0).to_numpy(np.int64),
            "messages_high": high.reindex(credits_, fill_value=0).to_numpy(np.int64),
        }
    )


def cheapest_edit(messages: pd.DataFrame, *, at_most: int = _LONGEST_EDIT) -> Edit | None:
    """The cut that saves most credits per character, reckoned with the longest short links.

    Args:
        messages: MESSAGES; those with a problem are not counted.
        at_most: How many characters one might take out of the template.

    Returns:
        The shortest of the best cuts, or None when none of that length saves anything.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"] * 812})
        >>> cheapest_edit(write_messages(people, "a" * 164, campaign="x"))
        Edit(characters=4, credits=812)
    """
    lengths = messages.loc[messages["problem"].isna(), "characters_high"].to_numpy()
    counts = np.bincount(lengths)
    length = np.arange(len(counts))
    now = credits_of(length)
    saved = [
        int((counts * (now - credits_of(np.maximum(length - cut, 0)))).sum()) for cut in range(1, at_most + 1)
    ]
    per_character = np.array(saved) / np.arange(1, at_most + 1)
    best = int(per_character.argmax())
    return Edit(best + 1, saved[best]) if saved[best] > 0 else None
