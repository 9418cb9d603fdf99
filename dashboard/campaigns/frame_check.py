"""What is required of a frame passed in: numbers are numbers, times are times.

pandas quotes the value it cannot read ("invalid literal for int(): '+44…'"), and a column that was merged or
renamed may contain people's numbers and names. So columns are checked before anything is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import chain
from numbers import Number
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from pandas.api import types

from dashboard.arguments import checks_arguments
from dashboard.campaigns.zones import check_zone, zone_named
from dashboard.errors import FrameError
from dashboard.words import _

P = ParamSpec("P")
R = TypeVar("R")

_COUNTS = ("messages", "recipients", "ready", "sending", "accepted", "rejected", "unknown", "abandoned")
_MORE_COUNTS = ("cancelled", "dropped", "sent", "delivered", "failed")
_CREDITS = ("credits_low", "credits_high", "credits_billed", "credits_utf16", "difference")
_LENGTHS = ("characters", "characters_low", "characters_high", "carrier_parts")
_MONEY = ("price_per_credit", "cost_low", "cost_high", "cost_billed")
_NUMBERS = frozenset(["row", *_COUNTS, *_MORE_COUNTS, *_CREDITS, *_LENGTHS, *_MONEY])
_TIMES = frozenset(["scheduled_at", "sent_at", "delivered_at", "created_at", "started_at", "finished_at"])
_NAME = re.compile(r"'([^']*)'(?!\))")  # but not the dtype in "None of [Index(['to'], dtype='str')] are ..."
_ON_WHICH_CLOCK: Mapping[str, Callable[[Any], object]] = {"now": check_zone, "tz": zone_named}
_MOST = 2**53
"""Up to here a float distinguishes every integer; no count comes near it."""


def checks_frames(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function refuse frames whose numbers are not numbers, or whose times are not times.

    It then refuses arguments of other kinds than it takes as well, see `checks_arguments`; and `now` without
    a time zone, which Python would take for this machine's, and `tz` that there is not.

    Raises:
        CampaignError: `now` has no zone, or there is no such zone.
        FrameError: When it is called, or when it misses a column; the sentence names the column, never a
            value.
    """

    @checks_arguments()
    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        frames = [given for given in chain(args, kwargs.values()) if isinstance(given, pd.DataFrame)]
        _check(frames, theirs=kwargs.get("sheet_rows"))
        for name, check in _ON_WHICH_CLOCK.items():
            if (given := kwargs.get(name)) is not None:
                check(given)
        try:
            return function(*args, **kwargs)
        except _LackingError as error:  # of a function that this one uses
            missing = error.columns
        except KeyError as error:
            missing = _missing(str(error), frames)
            if not missing:
                raise
        raise _LackingError(function.__name__, missing)

    return checked


class _LackingError(FrameError):
    """A frame lacks columns that a function needs."""

    def __init__(self, function: str, columns: Sequence[str]) -> None:
        super().__init__(
            _(
                "{function} needs the columns {missing}, which the frame lacks. Use it as it was given, with "
                "all its columns."
            ).format(function=function, missing=", ".join(name or "''" for name in columns))
        )
        self.columns = columns


def _missing(said: str, frames: Sequence[pd.DataFrame]) -> list[str]:
    """The columns that pandas says it does not find, and that are indeed not in one of the frames."""
    named = dict.fromkeys(_NAME.findall(said))
    return [name for name in named if any(name not in frame.columns for frame in frames)]


def _check(frames: Sequence[pd.DataFrame], *, theirs: object) -> None:
    """Check all frames but the contact sheet: its columns are named by somebody else."""
    for frame in frames:
        if frame is not theirs:
            _check_columns(frame)


def _check_columns(frame: pd.DataFrame) -> None:
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
    return all(isinstance(value, Number) and abs(value) <= _MOST for value in present(column))  # type: ignore[arg-type]  # has no abs() for mypy


def _are_times(column: pd.Series) -> bool:
    if types.is_datetime64_any_dtype(column.dtype):
        return True
    values = pd.Series(present(column), dtype=object)
    if types.is_numeric_dtype(column.dtype) and len(values):
        return False
    try:
        pd.to_datetime(values, utc=True, format="ISO8601")
    except (ValueError, TypeError, OverflowError):  # swallowed entirely, because it quotes the value
        return False
    return True


def present(column: pd.Series) -> list[Any]:
    """The values in a column without the missing ones, each once if that is cheap to determine."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = np.unique(column.cat.codes.to_numpy())
        return column.cat.categories.take(codes[codes >= 0]).tolist()
    if isinstance(column.dtype, pd.StringDtype):
        return column.dropna().unique().tolist()
    return column.astype(object)[column.notna()].tolist()
