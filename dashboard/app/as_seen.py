"""What somebody agreed to, held to what would happen now: nothing else is sent, nor at another time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pandas as pd

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import Written, texts_and_prices
from dashboard.campaigns import Estimate
from dashboard.errors import CampaignError
from dashboard.words import N_, _

SAME_TIME = timedelta(minutes=1)
"""Pages count in whole minutes; a text that was due at nine is not another one half a minute later."""

AGAIN = N_(
    "Another campaign has texted these people the same since you looked, so nothing was sent. Look at it "
    "again, and send it only if you mean to."
)


@dataclass(frozen=True)
class Seen:
    """What somebody agrees to.

    Attributes:
        written: The messages.
        version: The version of the draft of which they are.
        waits: Whether they wait for somebody's approval, instead of being sent.
        again: How many of the messages went to the same people from other campaigns lately, or will.
    """

    written: Written
    version: str
    waits: bool
    again: int


def version_of(draft: Draft) -> str:
    """Digest of what a draft and its lists say now; it is another one once any tab changes what is sent."""
    lists = runtime.current().drafts.lists(draft)
    return " ".join(one.says for one in (draft, *lists))


def shown_version(draft: Draft) -> str:
    """The same, and of the settings by which its messages are written and paid."""
    return f"{version_of(draft)} {texts_and_prices(draft)}"


class ChangedError(CampaignError):
    """What would happen is not what was seen; without a sentence, it is not known what changed."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(
            sentence
            or _(
                "What would be sent has changed since you looked, in another tab or by a setting, so it was "
                "not sent. Look at it again, and send it then."
            )
        )


def check_as_seen(seen: Seen, now: Seen, at: datetime) -> None:
    """Refuse to do anything but what was seen, or to send it at another time, or at a higher cost.

    Fewer people may get it: some may have opted out meanwhile.

    Args:
        seen: What a person looked at.
        now: What would happen now.
        at: The current time, by the ledger's clock.

    Raises:
        ChangedError: It is not the same.
    """
    if seen.version != now.version or _costs_more(seen.written.estimate, now.written.estimate):
        raise ChangedError
    if seen.waits != now.waits:
        raise ChangedError(
            _(
                "Whether this needs somebody's approval has changed since you looked, so nothing was sent. "
                "Look at it again, and decide then."
            )
        )
    if now.again > seen.again:
        raise ChangedError(_(AGAIN))
    if seen.written.messages is not now.written.messages:
        _check_messages(_to_send(seen.written), _to_send(now.written), at)


def _costs_more(then: Estimate, now: Estimate) -> bool:
    if (then.currency, then.cost_high is None) != (now.currency, now.cost_high is None):
        return True
    return now.credits_high > then.credits_high or (now.cost_high or 0) > (then.cost_high or 0)


def _check_messages(then: pd.DataFrame, now: pd.DataFrame, at: datetime) -> None:
    if not now.index.isin(then.index).all():
        raise ChangedError
    then = then.loc[now.index]
    if not now[["to", "body"]].equals(then[["to", "body"]]):
        raise ChangedError
    times = [messages["scheduled_at"].fillna(pd.Timestamp(at)) for messages in (then, now)]
    if ((times[1] - times[0]).abs() > SAME_TIME).any():
        raise ChangedError(
            _(
                "Messages would go out at other times than you saw, because texting hours or a chosen time "
                "have passed meanwhile, so nothing was sent. Look at the times again, and send it then."
            )
        )


def _to_send(written: Written) -> pd.DataFrame:
    """Who gets which text when, by row."""
    messages = written.messages[written.messages["problem"].isna()].set_index("row")
    texts = {name: messages[name].astype("str") for name in ("to", "body")}
    return pd.DataFrame(texts | {"scheduled_at": messages["scheduled_at"]})
