"""What `by=` means everywhere: columns, values of your own, or several of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from dashboard.errors import FrameError, OptionError
from dashboard.words import N_, _

By = str | pd.Series | Sequence[str | pd.Series]
"""A column's name, values with the frame's index, or several of these."""

GROUP = "group of by"
"""The column that numbers the groups, of a name that no frame of ours has."""

_WITHOUT_INDEX = N_(
    "Values to group by need the frame's index, so that each row has one: give them as a Series with that "
    "index."
)


@dataclass(frozen=True)
class Grouped:
    """A frame whose rows belong to groups.

    Attributes:
        frame: The frame given, with the group of each row in the column `GROUP`, counted from 0.
        keys: What makes each group: the columns asked for, with their names and dtypes, in the order of their
            values.
        is_whole: Whether nothing was asked for: then everything is one group, without a name.
    """

    frame: pd.DataFrame
    keys: pd.DataFrame
    is_whole: bool = False

    def named(self, table: pd.DataFrame) -> pd.DataFrame:
        """A table by `GROUP` with what makes each group in its place, first; of a single group, neither.

        Raises:
            OptionError: The table has a column of that name as well.
        """
        if self.is_whole:
            return table.drop(columns=GROUP).reset_index(drop=True)
        taken = [name for name in self.keys if name in table]
        if taken:
            raise OptionError(
                _("{name} is already a column of the result. Give the values in by= another name.").format(
                    name=repr(taken[0])
                )
            )
        keys = self.keys.iloc[table[GROUP].to_numpy("int64")].reset_index(drop=True)
        return keys.join(table.drop(columns=GROUP).reset_index(drop=True))


def grouped(frame: pd.DataFrame, by: By | None, *, missing: bool = False) -> Grouped:
    """Put the rows of a frame into groups.

    Args:
        frame: Any frame.
        by: What makes the groups; values without a name are called "value". All are one group if absent.
        missing: Whether rows without a value make groups too; otherwise they are left out.

    Raises:
        OptionError: `by` is empty, or two in it have the same name.
        KeyError: The frame has no such column; `checks_frames` says so.
        FrameError: The values have another index.
    """
    if by is None:
        return Grouped(frame.assign(**{GROUP: 0}), pd.DataFrame(index=[0]), is_whole=True)
    keys = keys_of(frame, by)
    columns = [keys[name] for name in keys]  # not their names, which the index may have as well
    number = keys.groupby(columns, observed=True, dropna=not missing, sort=True).ngroup()
    known = pd.Series(True, frame.index) if missing else keys.notna().all(axis=1)  # noqa: FBT003 - a column
    own, kept = frame[known].assign(**{GROUP: number[known].astype("int64")}), keys[known]
    is_first = ~own[GROUP].duplicated()
    order = own.loc[is_first, GROUP].argsort()
    return Grouped(own, kept[is_first].iloc[order].reset_index(drop=True))


def columns_of(frame: pd.DataFrame, by: By | None) -> list[str | pd.Series]:
    """What is given in `by`, one after the other; nothing if it is absent.

    Raises:
        FrameError: These are values without an index. The sentence quotes none: they may be people's numbers.
    """
    if isinstance(by, str | pd.Series):
        return [by]
    every = [] if by is None else list(by)
    named = [isinstance(each, pd.Series) or each in frame for each in every]
    as_many = len(every) == len(frame) > 1 and not any(named)
    if as_many or (hasattr(by, "dtype") and not all(named)):
        raise FrameError(_(_WITHOUT_INDEX))
    return every


def name_of(by: str | pd.Series) -> str:
    """What a column is called in the result."""
    if isinstance(by, str):
        return by
    return "value" if by.name is None else str(by.name)


def labels_of(keys: pd.DataFrame) -> pd.Series:
    """Each row of some columns in one text, such as "GB · MOBILE"; missing where one of them is."""
    texts = [keys[name].astype("str").fillna("") for name in keys]
    labels = [" · ".join(each) for each in zip(*texts, strict=True)]
    return pd.Series(labels, keys.index, dtype="str").where(keys.notna().all(axis=1))


def keys_of(frame: pd.DataFrame, by: By) -> pd.DataFrame:
    """What is given in `by` as columns by their names; raises as `grouped`."""
    every = columns_of(frame, by)
    keys = {name_of(each): _column(frame, each) for each in every}
    if not keys or len(keys) < len(every):
        raise OptionError(_("Give by at least one column, and each column once."))
    return pd.DataFrame(keys, index=frame.index)


def _column(frame: pd.DataFrame, by: str | pd.Series) -> pd.Series:
    if isinstance(by, str):
        return frame[by]
    if not by.index.equals(frame.index):
        raise FrameError(_(_WITHOUT_INDEX))
    return by
