"""COUNTS: messages added up, one row for each distinct set of keys. Every figure is computed from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from numbers import Integral, Real

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import MONEY_DTYPE, money_column
from dashboard.campaigns.frame_check import present
from dashboard.errors import FrameError
from dashboard.reports.measures.causes import causes, differences
from dashboard.reports.measures.stages import QUARTER, STAGE_DTYPE, STATE_DTYPE, Stage, stages, times
from dashboard.words import _

KEYS = (
    *("campaign", "country", "line_type", "variant", "currency", "price_per_credit"),
    *("handed_over_at", "state", "stage", "cause", "reason"),
)
SUMS = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
LOST = (Stage.FAILED.value, Stage.REJECTED.value)
NOT_HANDED_OVER = ("ready", "cancelled", "dropped")
_LONGEST_REASON = 200
_MOST = 2**62


Names = str | Sequence[str]
"""A column's name, or several."""


def named(names: Names) -> list[str]:
    """The names one by one."""
    return [names] if isinstance(names, str) else list(names)


@checks_frames
def counts(
    messages: pd.DataFrame,
    keys: Names = KEYS,
    *,
    campaigns: pd.DataFrame | None = None,
    now: datetime | None = None,
) -> pd.DataFrame:
    """Add up messages.

    Args:
        messages: As `Ledger.messages` gives them.
        keys: What tells them apart, one or several: keys of COUNTS, or columns of your own. Fewer need
            fewer columns.
        campaigns: As `Ledger.campaigns` gives them, for the currency of the prices if messages lack it.
        now: The current time, which decides what is still scheduled; the clock's if absent.

    Returns:
        COUNTS (docs/columns.md): the keys, then messages, credits_low, credits_high, credits_billed and
        difference, which add up to those of the messages; no row without messages.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> counts(ledger.messages(), ["country", "stage"])
    """
    stage = _stages(messages, now)
    columns = {key: _key(messages, key, stage, campaigns) for key in named(keys)}
    group, first = _groups([_codes(column) for column in columns.values()], len(messages))
    sums = {name: np.bincount(group, _weights(messages, name), len(first)) for name in SUMS}
    table = {name: column.iloc[first].reset_index(drop=True) for name, column in columns.items()}
    return pd.DataFrame({**table, **{name: each.astype(np.int64) for name, each in sums.items()}})


def as_counts(frame: pd.DataFrame, keys: Sequence[str], *, now: datetime | None = None) -> pd.DataFrame:
    """COUNTS as they are, and messages added up by what is asked for."""
    return frame if are_added_up(frame, "messages") else counts(frame, keys, now=now)


def are_added_up(frame: pd.DataFrame, column: str) -> bool:
    """Whether a frame has this column because its rows are sums, and not because it was merged with others.

    A frame with uuids has a message in each row, whatever else stands beside it.
    """
    return column in frame and "uuid" not in frame


def _stages(messages: pd.DataFrame, now: datetime | None) -> pd.Series:
    if "state" in messages:
        return stages(messages, now=now)
    return pd.Series(Stage.NOT_SENT_YET.value, messages.index).astype(STAGE_DTYPE)  # not frozen so far


def _key(messages: pd.DataFrame, key: str, stage: pd.Series, campaigns: pd.DataFrame | None) -> pd.Series:
    if key == "stage":
        return stage
    if key == "reason":
        said = messages["failure_reason"].astype("str").str.slice(stop=_LONGEST_REASON)
        return said.where(stage.isin(LOST))
    if key == "currency":
        return _currencies(messages, campaigns)
    if key not in KEYS:
        return messages[key]  # the caller's own
    return _KEYS.get(key, _text)(messages, key)


def _text(messages: pd.DataFrame, key: str) -> pd.Series:
    return messages[key].astype("str")


def _price(messages: pd.DataFrame, key: str) -> pd.Series:
    prices = messages[key]
    if prices.dtype == MONEY_DTYPE:
        return prices
    if any(isinstance(price, Real) and not isinstance(price, Integral) for price in present(prices)):
        raise FrameError(
            _(
                "The prices are floats, as a CSV file makes them, which are not exact. Use the messages as "
                "the ledger gives them, or read them from a Parquet file."
            )
        )
    return money_column(prices, messages.index)


def _quarter(messages: pd.DataFrame, key: str) -> pd.Series:
    """The quarter of an hour of the handing over; none for what never left, or was proved not to have."""
    left = ~messages["state"].isin(NOT_HANDED_OVER)
    at: pd.Series = times(messages, key).dt.as_unit("us").dt.floor(QUARTER)
    return at.where(left)


def _currencies(messages: pd.DataFrame, campaigns: pd.DataFrame | None) -> pd.Series:
    if campaigns is None:
        own = messages["currency"] if "currency" in messages else pd.Series(np.nan, messages.index)
        return own.astype("str")
    known = campaigns.set_index(campaigns["campaign"].astype("str"))["currency"].astype("str")
    return messages["campaign"].astype("str").map(known).astype("str")


_KEYS: dict[str, Callable[[pd.DataFrame, str], pd.Series]] = {
    "price_per_credit": _price,
    "handed_over_at": _quarter,
    "state": lambda messages, key: messages[key].astype("str").astype(STATE_DTYPE),
    "cause": lambda messages, _key: causes(messages),
}


def _weights(messages: pd.DataFrame, name: str) -> np.ndarray:
    if name == "messages":
        return np.ones(len(messages))
    if name == "difference" and {"credits_billed", "credits_low", "credits_high"} <= set(messages):
        return differences(messages).fillna(0).to_numpy("float64")
    if name not in messages:
        return np.zeros(len(messages))
    return messages[name].astype("Int64").fillna(0).to_numpy("float64")


def _codes(column: pd.Series) -> np.ndarray:
    """Numbers that tell a column's values apart, from 0; decimals as well, which cannot be sorted."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(np.int64) + 1
    return np.asarray(pd.factorize(column)[0], np.int64) + 1


def _groups(keys: Sequence[np.ndarray], rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The group of each row, and the first row of each group."""
    group, size = np.zeros(rows, np.int64), 1
    for codes in keys:
        different = int(codes.max(initial=0)) + 1
        if size * different > _MOST:
            group, found = pd.factorize(group)
            size = len(found)
        group, size = group * different + codes, size * different
    group, found = pd.factorize(group)
    first = np.empty(len(found), np.int64)
    first[group[::-1]] = np.arange(rows)[::-1]
    return group, first
