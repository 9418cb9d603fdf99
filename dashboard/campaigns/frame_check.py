"""What is required of a frame passed in: numbers are numbers, times are times.

pandas quotes the value it cannot read ("invalid literal for int(): '+44…'"), and a column that was merged or
renamed may contain people's numbers and names. So columns are checked before anything is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from itertools import chain
from numbers import Number
from typing import ParamSpec, TypeVar

import pandas as pd
from pandas.api import types

from dashboard.errors import FrameError
from dashboard.words import _

P = ParamSpec("P")
R = TypeVar("R")

_COUNTS = ("messages", "recipients", "ready", "sending", "accepted", "rejected", "unknown", "abandoned")
_MORE_COUNTS = ("cancelled", "dropped", "sent", "delivered", "failed")
_CREDITS = ("credits_low", "credits_high", "credits_billed", "credits_utf16", "difference")
_LENGTHS = ("characters", "characters_low", "characters_high", "carrier_parts")
_MONEY = ("price_per_credit", "cost_low", "cost_high", "cost_billed")
_NUMBERS = frozenset([*_COUNTS, *_MORE_COUNTS, *_CREDITS, *_LENGTHS, *_MONEY])
_TIMES = frozenset(["scheduled_at", "sent_at", "delivered_at", "created_at", "started_at", "finished_at"])
_MOST = 2**53
"""Up to here a float distinguishes every integer; no count comes near it."""


def checks_frames(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function refuse frames whose numbers are not numbers, or whose times are not times.

    Raises:
        FrameError: When it is called; the sentence names the column, never a value.
    """

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for given in chain(args, kwargs.values()):
            if isinstance(given, pd.DataFrame):
                _check(given)
        return function(*args, **kwargs)

    return checked


def _check(frame: pd.DataFrame) -> None:
    for place, name in enumerate(frame.columns):
        if name in _NUMBERS and not _are_numbers(frame.iloc[:, place]):
            raise FrameError(
                _(
                    "The column {column} contains something other than numbers. Use it as it was given."
                ).format(column=name)
            )
        if name in _TIMES and not _are_times(frame.iloc[:, place]):
            raise FrameError(
                _("The column {column} contains something other than times. Use it as it was given.").format(
                    column=name
                )
            )


def _are_numbers(column: pd.Series) -> bool:
    if types.is_numeric_dtype(column.dtype):
        return True
    return all(isinstance(value, Number) and abs(value) <= _MOST for value in _present(column))  # type: ignore[arg-type]


def _are_times(column: pd.Series) -> bool:
    if types.is_datetime64_any_dtype(column.dtype):
        return True
    present = pd.Series(list(_present(column)), dtype=object)
    if types.is_numeric_dtype(column.dtype) and len(present):
        return False
    try:
        pd.to_datetime(present, utc=True, format="ISO8601")
    except (ValueError, TypeError, OverflowError):  # swallowed entirely, because it quotes the value
        return False
    return True


def _present(column: pd.Series) -> Iterable[object]:
    return iter(column.astype(object)[column.notna()].tolist())
