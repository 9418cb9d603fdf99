"""Guards against texting people too much: the same campaign twice, and too many texts within a period."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import numpy as np
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.length.measures import Ints
from dashboard.campaigns.length.normal import normal_text
from dashboard.campaigns.problems import MessageProblem
from dashboard.campaigns.sent_with import require_columns
from dashboard.contacts.categories import are_in, subscribers_of
from dashboard.errors import CampaignError
from dashboard.values import as_texts
from dashboard.words import _


@checks_arguments()
def content_fingerprint(phones: pd.Series, templates: str | Iterable[str], *, key: bytes) -> str:
    """A fingerprint of who gets which text, to find an identical earlier campaign.

    Order, duplicates and the sheet's name do not matter, nor do the values of merge fields. It is keyed
    (HMAC-SHA-256), so that nobody without the key can test which people or texts it stands for.

    Args:
        phones: Numbers in E.164, such as MESSAGES' `to`.
        templates: The text, or the texts of all variants.
        key: This installation's secret.

    Returns:
        64 hexadecimal digits.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> len(content_fingerprint(messages["to"], "Hi {{ first_name }}", key=ledger.fingerprint_key()))
        64
    """
    texts = sorted(normal_text(text) for text in ([templates] if isinstance(templates, str) else templates))
    mark = hmac.new(key, digestmod=sha256)
    for part in [*texts, "\n".join(sorted(as_texts(phones).dropna().unique()))]:
        mark.update(sha256(part.encode()).digest())
    return mark.hexdigest()


@checks_frames
def cap_frequency(
    messages: pd.DataFrame,
    sent: pd.DataFrame,
    *,
    at_most: int,
    within: timedelta,
    now: datetime | None = None,
) -> pd.DataFrame:
    """Leave out people who get too many texts within a period.

    Args:
        messages: MESSAGES; one without scheduled_at counts as sent now.
        sent: What has already been sent or scheduled, by any campaign: to (E.164) and at (datetime64, UTC).
        at_most: How many texts a person may get within the period, this one included; 1 or more.
        within: The period, before and after the message.
        now: The current time; the clock's if absent.

    Returns:
        MESSAGES in which those people's have the problem `too_often` and cost nothing. Other problems stay.

    Raises:
        CampaignError: `at_most` is below 1, `within` below a second, or columns of MESSAGES are missing.

    Example:
        >>> sent = ledger.texts_since("2026-11")
        >>> cap_frequency(messages, sent, at_most=2, within=timedelta(days=7))["problem"].value_counts()
    """
    require_columns(messages)
    check_texts_per_person(at_most, within)
    others = texts_around(messages, sent, within, now or datetime.now(UTC))
    too_often = (others >= at_most) & messages["problem"].isna().to_numpy()
    return messages.assign(
        problem=messages["problem"].mask(too_often, MessageProblem.TOO_OFTEN.value),
        **{
            name: messages[name].mask(too_often, 0)
            for name in ("credits_low", "credits_high", "credits_utf16")
        },
    )


def check_texts_per_person(at_most: int, within: timedelta) -> None:
    """Refuse a cap that lets nobody have a text, or has no period.

    Raises:
        CampaignError: It is below 1, or the period below a second.
    """
    if at_most < 1 or within < timedelta(seconds=1):
        raise CampaignError(
            _(
                "The cap on texts per person must be 1 or more, in a period of a second or longer. Leave it "
                "out for no cap."
            )
        )


def texts_around(messages: pd.DataFrame, sent: pd.DataFrame, within: timedelta, now: datetime) -> Ints:
    """How many texts each person in `messages` gets less than `within` before or after this one.

    Person and second are combined into one number, so that sorting puts a person's texts side by side, and
    further from the next person's than any period reaches.
    """
    whose, theirs = (subscribers_of(each["to"].astype("str")) for each in (messages, sent))
    people = np.unique(whose)
    is_theirs = are_in(theirs, people) & (theirs != 0)
    earlier, theirs = sent[is_theirs], theirs[is_theirs]
    seconds = [_seconds(messages["scheduled_at"].fillna(pd.Timestamp(now))), _seconds(earlier["at"])]
    first = min(each.min(initial=np.iinfo(np.int64).max) for each in seconds)
    last = max(each.max(initial=0) for each in seconds)
    reach = int(within.total_seconds())
    span = last - first + 2 * reach
    here, there = (
        np.searchsorted(people, each) * span + at - first
        for each, at in zip((whose, theirs), seconds, strict=True)
    )
    there.sort()
    ends, begins = np.searchsorted(there, here + reach, "left"), np.searchsorted(there, here - reach, "right")
    return np.asarray(ends - begins, np.int64)


def _seconds(times: pd.Series) -> Ints:
    return times.astype("datetime64[s, UTC]").to_numpy(np.int64)
