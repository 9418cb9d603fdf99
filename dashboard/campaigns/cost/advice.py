"""Advice before sending: the spread of credits, the cheapest edit, and what carriers make of the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.length.carriers import outside_gsm
from dashboard.campaigns.length.credits import credits_of
from dashboard.campaigns.schema import UCS_2

_LONGEST_EDIT = 40


@dataclass(frozen=True)
class Edit:
    """Removing `characters` from the template saves `credits` over the whole campaign."""

    characters: int
    credits: int


@dataclass(frozen=True)
class CarrierView:
    """What carriers make of the messages that will be sent: a warning, separate from the bill.

    Attributes:
        ucs_2: How many they send as UCS-2, in parts of 67.
        parts: Parts of all messages together, with links as written.
        dearer: How many take more parts than the most credits the service would bill.
        characters: The characters that cause UCS-2, see `outside_gsm`.
    """

    ucs_2: int
    parts: int
    dearer: int
    characters: pd.DataFrame


@checks_frames
def carrier_view(messages: pd.DataFrame) -> CarrierView:
    """View MESSAGES as carriers do; those with a problem are not counted.

    Returns:
        ucs_2, parts and dearer (int), and characters, see `outside_gsm`.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> carrier_view(messages).ucs_2
    """
    sent = messages[messages["problem"].isna()]
    ucs_2 = sent["carrier_encoding"] == UCS_2
    return CarrierView(
        ucs_2=int(ucs_2.sum()),
        parts=int(sent["carrier_parts"].sum()),
        dearer=int((sent["carrier_parts"] > sent["credits_high"]).sum()),
        characters=outside_gsm(sent.loc[ucs_2, "body"]),
    )


@checks_frames
def credits_histogram(messages: pd.DataFrame) -> pd.DataFrame:
    """Count the messages by cost.

    Args:
        messages: MESSAGES; those with a problem are not counted.

    Returns:
        credits (int64), messages_low and messages_high (int64): how many messages cost that much with the
        shortest and with the longest short links. Without links the two are equal.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> credits_histogram(messages)
    """
    sent = messages[messages["problem"].isna()]
    low, high = (sent[column].value_counts() for column in ("credits_low", "credits_high"))
    seen = sorted(set(low.index) | set(high.index))
    return pd.DataFrame(
        {
            "credits": np.array(seen, np.int64),
            "messages_low": low.reindex(seen, fill_value=0).to_numpy(np.int64),
            "messages_high": high.reindex(seen, fill_value=0).to_numpy(np.int64),
        }
    )


@checks_frames
def cheapest_edit(messages: pd.DataFrame, *, at_most: int = _LONGEST_EDIT) -> Edit | None:
    """The cut that saves the most credits per character, assuming the longest short links.

    Args:
        messages: MESSAGES; those with a problem are not counted.
        at_most: How many characters may be removed from the template.

    Returns:
        The shortest of the best cuts, or None if none up to that length saves anything.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

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
