"""Limits on what is spent, and how long sending takes: what is checked before a campaign starts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from dashboard.errors import CampaignError
from dashboard.words import _, count


@dataclass(frozen=True)
class CapCheck:
    """Whether it may be sent, and a sentence for the user that says why, or how close it comes."""

    allowed: bool
    sentence: str


def check_caps(
    credits_high: int, *, used_today: int = 0, per_campaign: int | None = None, per_day: int | None = None
) -> CapCheck:
    """Judge a campaign's credits against the caps, reckoned with the longest short links.

    Args:
        credits_high: What the campaign will cost at most.
        used_today: Credits of what was sent, is being sent or is due today, at most.
        per_campaign: The most that a campaign may cost; None for no cap.
        per_day: The most that all campaigns of a day may cost; None for no cap.

    Raises:
        CampaignError: A cap is below 0.

    Example:
        >>> check_caps(1200, used_today=9000, per_day=10_000).sentence
        'It may cost 1,200 credits and only 1,000 of the 10,000 for today are left. Send 200 credits less, \
or wait for tomorrow.'
    """
    if min(per_campaign or 0, per_day or 0) < 0:
        raise CampaignError(_("A cap on credits is 0 or more. Leave it out for none."))
    if per_campaign is not None and credits_high > per_campaign:
        return CapCheck(
            allowed=False,
            sentence=_(
                "It may cost {credits} credits and a campaign may cost {cap}. Send {surplus} credits less, "
                "or have the cap raised."
            ).format(
                credits=count(credits_high),
                cap=count(per_campaign),
                surplus=count(credits_high - per_campaign),
            ),
        )
    if per_day is None:
        return CapCheck(
            allowed=True,
            sentence=_("It costs {credits} credits at most.").format(credits=count(credits_high)),
        )
    left = max(per_day - used_today, 0)
    if credits_high > left:
        return CapCheck(
            allowed=False,
            sentence=_(
                "It may cost {credits} credits and only {left} of the {cap} for today are left. Send "
                "{surplus} credits less, or wait for tomorrow."
            ).format(
                credits=count(credits_high),
                left=count(left),
                cap=count(per_day),
                surplus=count(credits_high - left),
            ),
        )
    left_after = _("{left} of the {cap} for today are left after it").format(
        left=count(left - credits_high), cap=count(per_day)
    )
    return CapCheck(
        allowed=True,
        sentence=_("It costs {credits} credits at most; {left_after}.").format(
            credits=count(credits_high), left_after=left_after
        ),
    )


def time_to_send(messages: int, messages_per_second: float) -> timedelta | None:
    """How long it takes to hand so many messages to the service at a pace.

    Args:
        messages: How many.
        messages_per_second: The pace; 0 stands for as fast as the service takes them.

    Returns:
        The time; None when the service sets the pace.

    Example:
        >>> str(time_to_send(90_000, 200))
        '0:07:30'
    """
    if messages_per_second <= 0:
        return None
    return timedelta(seconds=messages / messages_per_second)
