"""Variants: several texts in one campaign, each for its share of the people, to learn which works best.

Who gets which depends only on the phone and the campaign's name, so it is the same in the preview, after a
restart and on another machine, and independent from one campaign to the next. It does not depend on the uuid,
which a message gets only when the campaign is frozen: the split must be seen and priced before that. The
ledger stores each message's variant with its uuid, and from then on that is final.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.arguments import check_fields
from dashboard.errors import CampaignError
from dashboard.words import _

_MOST_VARIANTS = 26


@dataclass(frozen=True)
class Variant:
    """One of a campaign's texts.

    Attributes:
        name: What it is called in figures, such as "A".
        template: Its text.
        weight: Its share of the people, in proportion to the others' weights.
        tracking: Its value of `svc_campaign`; the campaign's when None.
        campaign_suffix: Added to the campaign's name after a space, so that the service groups its messages
            separately; the same name if None.

    Example:
        >>> texts = [Variant("A", "Hi {{first_name|there}}!"), Variant("B", "Hello!")]
        >>> write_messages(contacts, texts, campaign="Spring")["variant"].value_counts()
    """

    name: str
    template: str
    weight: float = 1
    tracking: str | None = None
    campaign_suffix: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    def campaign_name(self, campaign: str) -> str:
        """The campaign's name as this variant's messages have it."""
        return f"{campaign} {self.campaign_suffix}" if self.campaign_suffix else campaign


def choose_variants(phones: pd.Series, variants: Sequence[Variant], campaign: str) -> pd.Categorical[str]:
    """The variant of each person, by name.

    Args:
        phones: E.164 numbers.
        variants: The variants; each one's share is exact to within one person.
        campaign: The campaign's name.

    Raises:
        CampaignError: There are none or too many, two have the same name, or a weight is not above 0.
    """
    _check(variants)
    key = sha256(campaign.encode()).hexdigest()[:16]
    lot = pd.util.hash_array(phones.to_numpy(object), hash_key=key, categorize=False)
    ends = _ends(np.array([variant.weight for variant in variants], float), len(phones))
    codes = np.empty(len(phones), np.int8)
    codes[np.argsort(lot, kind="stable")] = np.searchsorted(ends, np.arange(len(phones)), side="right")
    return pd.Categorical.from_codes(codes, pd.Index([variant.name for variant in variants], dtype="str"))


def _check(variants: Sequence[Variant]) -> None:
    if not 0 < len(variants) <= _MOST_VARIANTS:
        raise CampaignError(
            _("A campaign has 1 to {most} variants. Add or remove some.").format(most=_MOST_VARIANTS)
        )
    names = [variant.name.strip() for variant in variants]
    if "" in names or len(set(names)) < len(names):
        raise CampaignError(_("Each variant needs a name of its own. Call them A and B, for example."))
    if not all(isfinite(variant.weight) and variant.weight > 0 for variant in variants):
        raise CampaignError(
            _("The weight of a variant must be a number above 0. Leave a variant out to send it to nobody.")
        )


def _ends(weights: npt.NDArray[np.float64], people: int) -> npt.NDArray[np.int64]:
    """Where each variant's people end, in their order; those left over go to the largest remainders."""
    exact = weights / weights.sum() * people
    counts = np.floor(exact).astype(np.int64)
    most_short = np.argsort(counts - exact, kind="stable")
    counts[most_short[: people - counts.sum()]] += 1
    ends: npt.NDArray[np.int64] = counts.cumsum()
    return ends
