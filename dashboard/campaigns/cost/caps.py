"""Limits on spending, and how long sending takes: what is checked before a campaign starts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from dashboard.arguments import checks_arguments
from dashboard.errors import CampaignError
from dashboard.words import _, count


@dataclass(frozen=True)
class CapCheck:
    """Whether it may be sent, and a sentence telling the user why not, or how close it comes."""

    allowed: bool
    sentence: str


@checks_arguments()
def check_caps(
    credits_high: int, *, used_today: int = 0, per_campaign: int | None = None, per_day: int | None = None
) -> CapCheck:
    """Check a campaign's credits against the caps, assuming the longest short links.

    Args:
        credits_high: The most that the campaign will cost.
        used_today: The most credits for what was sent, is being sent or is due today.
        per_campaign: The most that a campaign may cost; None for no cap.
        per_day: The most that all campaigns of a day may cost; None for no cap.

    Raises:
        CampaignError: A cap is below 0.

    Example:
        >>> check_caps(1200, used_today=9000, per_day=10_000).sentence
        "It may cost 1,200 credits, but only 1,000 of today's 10,000 are left. Use 200 fewer credits, \
or wait until tomorrow."
    """
    if min(per_campaign or 0, per_day or 0) < 0:
        raise CampaignError(_("A cap on credits must be 0 or more. Leave it out for no cap."))
    if per_campaign is not None and credits_high > per_campaign:
        return CapCheck(
            allowed=False,
            sentence=_(
                "It may cost {credits} credits, but a campaign may cost at most {cap}. Use {surplus} "
                "fewer credits, or have the cap raised."
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
                "It may cost {credits} credits, but only {left} of today's {cap} are left. Use "
                "{surplus} fewer credits, or wait until tomorrow."
            ).format(
                credits=count(credits_high),
                left=count(left),
                cap=count(per_day),
                surplus=count(credits_high - left),
            ),
        )
    left_after = _("{left} of today's {cap} will be left after it").format(
        left=count(left - credits_high), cap=count(per_day)
    )
    return CapCheck(
        allowed=True,
        sentence=_("It costs {credits} credits at most; {left_after}.").format(
            credits=count(credits_high), left_after=left_after
        ),
    )


@checks_arguments()
def time_to_send(messages: int, messages_per_second: float) -> timedelta | None:
    """How long it takes to hand this many messages to the service at a given pace.

    Args:
        messages: How many.
        messages_per_second: The pace; 0 means as fast as the service takes them.

    Returns:
        The time; None if the service sets the pace.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> str(time_to_send(90_000, 200))
        '0:07:30'
    """
    if messages_per_second <= 0:
        return None
    return timedelta(seconds=messages / messages_per_second)
