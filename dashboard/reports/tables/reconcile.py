"""Estimate against bill: every message has exactly one cause, so that the sums agree."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import pandas as pd

from dashboard.campaigns import carrier_parts, checks_frames, has_links
from dashboard.words import N_


class Cause(StrEnum):
    """Why a message's bill is what it is. If several fit, the first one here."""

    NOT_SENT = N_("not sent")
    UNKNOWN = N_("unknown whether sent")
    NOT_IN_ANSWER = N_("missing from the answer")
    AS_ESTIMATED = N_("as estimated")
    SHORT_LINK = N_("short link")
    OUTSIDE_GSM = N_("characters outside the GSM alphabet")
    UNEXPLAINED = N_("unexplained")


_MEANING = {
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


MAY_BE_BILLED = ("accepted", "unknown", "abandoned")
"""States of messages that the service has, or may have: giving one up changes nothing there."""


@checks_frames
def bills(messages: pd.DataFrame) -> pd.DataFrame:
    """Compare the estimate with the bill, message by message.

    Args:
        messages: As `Ledger.messages` gives them.

    Returns:
        The frame's uuid and index, with cause, credits_low, credits_high, credits_billed (missing where the
        service has not reported it, never 0 instead) and difference (credits billed beyond the highest
        estimate, or below the lowest; 0 within the range, missing without a bill).
    """
    billed = messages["credits_billed"].astype("Int64")
    low, high = (messages[name].astype("Int64") for name in ("credits_low", "credits_high"))
    each = {
        "cause": causes(messages),
        "credits_low": low,
        "credits_high": high,
        "credits_billed": billed,
        "difference": (billed - high).clip(lower=0) + (billed - low).clip(upper=0),
    }
    return messages[["uuid"]].assign(**each)


@checks_frames
def reconcile(messages: pd.DataFrame, *, by: str | None = None) -> pd.DataFrame:
    """Compare the estimate with the bill, by cause.

    Args:
        messages: As `Ledger.messages` gives them.
        by: A column to break it down by, such as "campaign" or "country".

    Returns:
        One row for every cause: cause, messages, credits_low, credits_high, credits_billed, difference,
        meaning. With `by`, that column comes first, and only causes that occur are included. Messages,
        estimate, bill and difference add up to those of `bills`.
    """
    each = bills(messages).drop(columns="uuid").fillna({"credits_billed": 0, "difference": 0})
    keys = ["cause"]
    if by is not None:
        each, keys = each.assign(**{by: messages[by].astype("str").fillna("not known")}), [by, "cause"]
    groups = each.groupby(keys, observed=by is not None)
    table = groups.sum().astype("int64").reset_index()
    table.insert(len(keys), "messages", groups.size().to_numpy(np.int64))
    return table.assign(meaning=pd.Series([_MEANING[Cause(cause)] for cause in table["cause"]], dtype="str"))


@checks_frames
def causes(messages: pd.DataFrame) -> pd.Series:
    """The cause of each message's bill, as a category of `Cause`."""
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
    return cause.astype(pd.CategoricalDtype([c.value for c in Cause])).rename("cause")


def _causes_of_odd(bodies: pd.Series, billed: pd.Series) -> np.ndarray:
    by_carriers = carrier_parts(bodies)["carrier_parts"] == billed
    return np.select(
        [has_links(bodies), by_carriers], [Cause.SHORT_LINK, Cause.OUTSIDE_GSM], Cause.UNEXPLAINED
    )
