"""What is sent with each text, in columns of MESSAGES: sender, links, tracking, campaign and the like.

They are columns, not attributes of the frame, because a merge, a concat or a file silently loses attributes,
and then settings other than the estimated ones would go out. A missing column is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns.labels import check_labels
from dashboard.campaigns.length.measures import Bools, Ints
from dashboard.errors import CampaignError
from dashboard.words import _

_OF_A_TEXT = ("variant", "campaign", "tracking", "template")
_OF_ALL = ("sender", "shorten_links", "handover")
_LABELS = (*_OF_A_TEXT, "sender", "handover", "country", "line_type", "texting_hours")
_OF_A_MESSAGE = ("row", "to", "body", "characters", "credits_low", "credits_high", "problem", "scheduled_at")
_NEEDED = (*_OF_A_MESSAGE, "country", "line_type", "texting_hours", *_OF_A_TEXT, *_OF_ALL)


@dataclass(frozen=True)
class SentText:
    """One of a campaign's texts; `variant` is "" without variants, `campaign` is the name as it is sent."""

    variant: str
    campaign: str
    tracking: str | None
    template: str


@dataclass(frozen=True)
class SentWith:
    """What is sent with a campaign's messages.

    Attributes:
        sender: An approved sender; None for the account's default.
        shorten_links: Whether the service replaces URLs with short links.
        handover: Who waits for the messages' times: "hold" or "service".
        texts: The campaign's texts, by variant.
    """

    sender: str | None
    shorten_links: bool
    handover: str
    texts: tuple[SentText, ...]

    @property
    def tracking(self) -> str | None:
        """The tracking of all texts; None if they have none, or different ones."""
        found = {text.tracking for text in self.texts}
        return found.pop() if len(found) == 1 else None


def one_value(value: str | None, length: int) -> pd.Categorical:
    """A column in which every row has the same value, at a byte per row."""
    return pd.Categorical.from_codes(
        np.full(length, -1 if value is None else 0, np.int8),
        pd.Index([] if value is None else [value], dtype="str"),
    )


def by_text(values: Sequence[str], chosen: pd.Categorical[str] | None, length: int) -> pd.Categorical:
    """A column with each text's value; `chosen` says which text each row has, None that there is only one."""
    if chosen is None:
        return one_value(values[0], length)
    known = list(dict.fromkeys(values))
    codes = np.array([known.index(value) for value in values], np.int8)
    return pd.Categorical.from_codes(codes[chosen.codes], pd.Index(known, dtype="str"))


def require_columns(messages: pd.DataFrame) -> None:
    """Refuse a frame that lacks columns of MESSAGES that say what is sent, to whom, when and at what cost.

    Raises:
        CampaignError: It lacks some, or has one of them twice; the sentence names them.
    """
    missing = [name for name in _NEEDED if name not in messages.columns]
    if missing == ["texting_hours"]:  # not taken for "at any hour": it may have been lost, and it is night
        raise CampaignError(
            _(
                "The messages lack the column texting_hours, so nobody can tell within which hours they may "
                "be sent. It was lost, or an earlier version wrote them. Write them again with "
                'write_messages, or set the column to "" if they may be sent at any hour.'
            )
        )
    if missing:
        raise CampaignError(
            _(
                "The messages lack the columns {missing}. Use the frame as write_messages returns it, "
                "with all its columns; after a merge or a file, restore them from there."
            ).format(missing=", ".join(missing))
        )
    twice = messages.columns[messages.columns.duplicated()].intersection([*_NEEDED])
    if len(twice):
        raise CampaignError(
            _(
                "The messages have the columns {twice} more than once, so nobody can tell which one "
                "counts. Remove all but one of each."
            ).format(twice=", ".join(twice))
        )


def is_sent(messages: pd.DataFrame) -> Bools:
    """Which messages have no problem; "" means none in a CSV file read with its blanks kept."""
    problem = messages["problem"]
    is_blank = False if isinstance(problem.dtype, pd.CategoricalDtype) else problem.astype(object) == ""
    return np.asarray(problem.isna() | is_blank, bool)


@checks_arguments()
def sent_with(messages: pd.DataFrame) -> SentWith:
    """Read what is sent with the messages of one campaign, and refuse what cannot be sent as one.

    Args:
        messages: MESSAGES without those that have a problem; one or more.

    Raises:
        CampaignError: A column is missing, has blanks or contains something that cannot be sent, the messages
            belong to several campaigns, or there is tracking without short links.
    """
    require_columns(messages)
    if messages["shorten_links"].isna().any():
        raise CampaignError(
            _("The column shorten_links is blank for some messages. Use it as write_messages returns it.")
        )
    check_labels(messages, _LABELS)
    combinations = _combinations(messages)
    _refuse_mixtures(combinations)
    first = combinations.iloc[0]
    if not isinstance(first["shorten_links"], bool | np.bool_):
        raise CampaignError(_("The column shorten_links contains something other than True and False."))
    texts = tuple(
        SentText(_variant(row.variant), str(row.campaign), str(row.tracking) or None, str(row.template))
        for row in combinations.itertuples()
    )
    found = SentWith(
        str(first["sender"]) or None, bool(first["shorten_links"]), str(first["handover"]), texts
    )
    if not found.shorten_links and any(text.tracking is not None for text in texts):
        raise CampaignError(_("Tracking needs short links. Turn short links on, or leave the tracking out."))
    return found


def _combinations(messages: pd.DataFrame) -> pd.DataFrame:
    """Each combination of the columns that occurs, once, by variant."""
    places = np.zeros(len(messages), np.int64)
    for name in (*_OF_ALL, *_OF_A_TEXT):
        codes = _codes(messages[name])
        _distinct, places = np.unique(places * (codes.max(initial=0) + 2) + codes + 1, return_inverse=True)
    _distinct, first = np.unique(places, return_index=True)
    found = messages[[*_OF_ALL, *_OF_A_TEXT]].iloc[np.sort(first)].astype(object)
    return found.sort_values("variant", kind="stable", ignore_index=True)


def _codes(column: pd.Series) -> Ints:
    """A number for each value; below 0 where it is missing."""
    return np.asarray(column.astype("category").cat.codes.to_numpy(), np.int64)


def _refuse_mixtures(combinations: pd.DataFrame) -> None:
    for name in _OF_ALL:
        if len(combinations[name].unique()) > 1:
            raise CampaignError(
                _(
                    "The messages differ in {column}, but a campaign has one value for all. Make a "
                    "campaign for each."
                ).format(column=name)
            )
    variants = combinations["variant"]
    if variants.duplicated().any() or (variants.isna().any() and len(variants) > 1):
        raise CampaignError(
            _(
                "The messages belong to several campaigns: their names, tracking or templates differ. "
                "Make a campaign for each."
            )
        )


def _variant(value: object) -> str:
    return "" if pd.isna(value) else str(value)  # type: ignore[call-overload]  # one value
