"""Why a message's bill is what it is: every message has exactly one cause."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import pandas as pd

from dashboard.campaigns import carrier_parts, checks_frames, has_links
from dashboard.reports.measures.stages import in_order
from dashboard.words import N_


class Cause(StrEnum):
    """Why a message's bill is what it is. If several fit, the first one here.

    Example:
        >>> bills(messages)["cause"].eq(Cause.SHORT_LINK).sum()
    """

    NOT_SENT = N_("not sent")
    UNKNOWN = N_("unknown whether sent")
    NOT_IN_ANSWER = N_("missing from the answer")
    AS_ESTIMATED = N_("as estimated")
    SHORT_LINK = N_("short link")
    OUTSIDE_GSM = N_("characters outside the GSM alphabet")
    UNEXPLAINED = N_("unexplained")


CAUSE_DTYPE = pd.CategoricalDtype([cause.value for cause in Cause])

MEANING = {
    Cause.NOT_SENT: N_("Never taken by the service, so not billed."),
    Cause.UNKNOWN: N_("Nobody can tell whether the service took them, so their cost is not known."),
    Cause.NOT_IN_ANSWER: N_("Taken, but the service has not said how many credits it used."),
    Cause.AS_ESTIMATED: N_("Billed as estimated."),
    Cause.SHORT_LINK: N_("The length of the short link made the difference; it was not known beforehand."),
    Cause.OUTSIDE_GSM: N_(
        "Billed by the carriers' parts, not by the contract's characters: the text contains characters "
        "outside the GSM alphabet, or ones that count twice there, such as the euro sign."
    ),
    Cause.UNEXPLAINED: N_(
        "Neither the contract's count nor the carriers' explains this bill. Ask the service."
    ),
}

BILL_MISSING = (Cause.NOT_IN_ANSWER.value, Cause.UNKNOWN.value)
"""Causes of messages that the service has, or may have, and has not billed so far."""

MAY_BE_BILLED = ("accepted", "unknown", "abandoned")
"""States of messages that the service has, or may have: giving one up changes nothing there."""


@checks_frames
def causes(messages: pd.DataFrame) -> pd.Series:
    """The cause of each message's bill, as a category of `Cause`.

    Args:
        messages: As `Ledger.messages` gives them. A `cause` in them is the one kept when the bill came, and
            stands: the text it was found from may have been deleted since.
    """
    if "cause" not in messages:
        return _worked_out(messages)
    kept = in_order(messages["cause"], CAUSE_DTYPE)
    return kept if kept.notna().all() else kept.where(kept.notna(), _worked_out(messages))


def _worked_out(messages: pd.DataFrame) -> pd.Series:
    state = messages["state"].astype("str")
    billed = messages["credits_billed"].astype("Int64").astype("float64")
    low, high = (messages[column].astype("float64") for column in ("credits_low", "credits_high"))
    within = billed.between(low, high)
    cause = pd.Series(Cause.UNEXPLAINED.value, messages.index, dtype="str")
    odd = billed.notna() & ~within
    cause[odd] = _causes_of_odd(messages.loc[odd, "body"], billed[odd])
    cause[within] = np.where(low[within] < high[within], Cause.SHORT_LINK, Cause.AS_ESTIMATED)
    cause[billed.isna()] = Cause.NOT_IN_ANSWER
    cause[billed.isna() & state.isin(["unknown", "abandoned"])] = Cause.UNKNOWN
    cause[billed.isna() & ~state.isin(MAY_BE_BILLED)] = Cause.NOT_SENT
    return cause.astype(CAUSE_DTYPE).rename("cause")


@checks_frames
def differences(messages: pd.DataFrame) -> pd.Series:
    """Credits billed above each message's highest estimate or below its lowest; missing without a bill."""
    billed, low, high = (
        messages[name].astype("Int64") for name in ("credits_billed", "credits_low", "credits_high")
    )
    return (billed - high).clip(lower=0) + (billed - low).clip(upper=0)


def _causes_of_odd(bodies: pd.Series, billed: pd.Series) -> np.ndarray:
    by_carriers = carrier_parts(bodies)["carrier_parts"] == billed
    return np.select(
        [has_links(bodies), by_carriers], [Cause.SHORT_LINK, Cause.OUTSIDE_GSM], Cause.UNEXPLAINED
    )
