"""What a message's batch contributes to its row: its state, unless the message has its own, and its claim."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.campaigns.cost.money import money_array
from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.ledger.tallies.causes import CAUSES, NOT_IN_ANSWER, NOT_SENT, OF_BATCH

Places = npt.NDArray[np.intp]
"""Which batch each row belongs to, as its place among the batches."""

Codes = npt.NDArray[np.int64]

OWN, OWN_TIME, OWN_CAUSE = "own", "own_time", "own_cause"
"""Columns of a message's own: its state's code, when it was handed over, its bill's cause."""

STATE_CODES: dict[str, int] = {state: code for code, state in enumerate(MESSAGE_STATES)}
_ACCEPTED = STATE_CODES["accepted"]
_FOLLOWS = -1


def with_batches(part: pa.Table, batches: pd.DataFrame) -> pa.Table:
    """The rows with what their batches contribute."""
    places = places_of(part, batches)
    own = _numbers(part[OWN], _FOLLOWS)
    codes = np.where(own == _FOLLOWS, batches["state"].map(STATE_CODES).to_numpy(np.int64)[places], own)
    given = {
        "state": _words(codes, MESSAGE_STATES),
        "batch": pa.array(batches["batch"].to_numpy(np.int64)[places]),
        "attempt": pa.array(batches["attempt"].to_numpy(np.int64)[places]),
        **{name: word(batches, name, places) for name in ("campaign", "campaign_name", "currency")},
        "price_per_credit": _prices(batches, places),
    }
    if OWN_TIME in part.column_names:
        given["handed_over_at"] = _handed_over(part[OWN_TIME], own, batches, places)
    if OWN_CAUSE in part.column_names:
        given["cause"] = _causes(part[OWN_CAUSE], own, batches, places)
    for name, values in given.items():
        part = part.append_column(name, values)
    return part


def places_of(part: pa.Table, batches: pd.DataFrame) -> Places:
    """Which batch each row belongs to."""
    following = np.searchsorted(batches["first"].to_numpy(np.int64), part["id"].to_numpy(), side="right")
    return np.asarray(following - 1, np.intp)


def word(batches: pd.DataFrame, name: str, places: Places) -> pa.DictionaryArray:
    """A word of each row's batch."""
    codes, words = pd.factorize(batches[name])
    of_row = codes[places]
    return pa.DictionaryArray.from_arrays(
        pa.array(of_row, pa.int32(), mask=of_row < 0), pa.array(words, pa.string())
    )


def _prices(batches: pd.DataFrame, places: Places) -> pa.Array:
    """The price of each row's batch; 0.05 and 0.050 are the same."""
    codes, written = pd.factorize(batches["price_per_credit"])
    of_row = codes[places]
    return money_array(map(Decimal, written)).take(pa.array(of_row, mask=of_row < 0))


def _handed_over(own_time: pa.ChunkedArray, own: Codes, batches: pd.DataFrame, places: Places) -> pa.Array:
    """When each was handed over: by its own evidence, or else as its batch last was."""
    left_at = batches["handed_over_at"].astype("Int64").array
    of_batch = left_at.to_numpy(np.int64, na_value=0)[places]
    at = np.where(own == _FOLLOWS, of_batch, _numbers(own_time, 0))
    is_known = np.where(own == _FOLLOWS, ~np.asarray(left_at.isna())[places], own_time.is_valid().to_numpy())
    return pa.array(at, pa.int64(), mask=~is_known).cast(pa.timestamp("us", "UTC"))


def _causes(own_cause: pa.ChunkedArray, own: Codes, batches: pd.DataFrame, places: Places) -> pa.Array:
    """Why each one's bill is what it is, or why there is none."""
    of_batch = batches["state"].map(lambda state: OF_BATCH.get(state, NOT_SENT)).to_numpy(np.int64)[places]
    without_bill = np.where(own == _ACCEPTED, NOT_IN_ANSWER, NOT_SENT)
    cause = _numbers(own_cause, -1)
    codes = np.where(own == _FOLLOWS, of_batch, np.where(cause < 0, without_bill, cause))
    return _words(codes, [cause.value for cause in CAUSES])


def _numbers(column: pa.ChunkedArray, missing: int) -> Codes:
    return np.asarray(column.fill_null(missing).to_numpy(), np.int64)


def _words(codes: Codes, words: Any) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(words))
