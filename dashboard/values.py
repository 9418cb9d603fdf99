"""Values of any dtype as the texts that a person would write for them."""

from __future__ import annotations

import re
from datetime import datetime, time

import numpy as np
import pandas as pd

__all__ = ["LOST", "as_text", "as_texts", "whole_characters"]

LOST = "\ufffd"
"""Stands for a character that was lost, as in files read with the wrong encoding."""

_HALVES = re.compile("[\ud800-\udfff]")
_EXACT = 2**53
"""Up to here a float distinguishes every whole number."""


def as_texts(values: pd.Series) -> pd.Series:
    r"""A column as text; missing values stay missing.

    A whole number that pandas made a float, because a cell in its column is missing, is written as the whole
    number it is, and a day as a day, without the midnight it begins with. Half a surrogate pair, which is no
    character, becomes the sign for a lost one.

    Example:
        >>> as_texts(pd.Series([12.0, None, 2.5])).tolist()
        ['12', nan, '2.5']
    """
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        known = as_texts(pd.Series(dtype.categories)).array
        return pd.Series(known.take(values.cat.codes.to_numpy(), allow_fill=True), values.index)
    if pd.api.types.is_float_dtype(dtype):
        return _floats_as_texts(values)
    try:
        return (
            values.map(as_text, na_action="ignore") if pd.api.types.is_object_dtype(dtype) else values
        ).astype("str")
    except UnicodeEncodeError:
        return values.astype(object).map(lambda value: whole_characters(as_text(value)), na_action="ignore")


def as_text(value: object) -> str:
    """One value as text, as `as_texts` writes it, except for halves of surrogate pairs."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < _EXACT else str(value)
    if isinstance(value, datetime) and value.time() == time() and value.tzinfo is None:
        return value.date().isoformat()
    return str(value)


def whole_characters(text: object) -> str:
    r"""A text with the sign for a lost character in place of each half of a surrogate pair.

    Example:
        >>> whole_characters("J\ud83dhn") == "J\ufffdhn"
        True
    """
    return _HALVES.sub(LOST, str(text))


def _floats_as_texts(values: pd.Series) -> pd.Series:
    texts = values.astype("str")
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    is_whole = (np.abs(numbers) < _EXACT) & (numbers == np.floor(numbers))
    if not is_whole.any():
        return texts
    whole = pd.Series(np.where(is_whole, numbers, 0).astype(np.int64), values.index)
    return texts.mask(is_whole, whole.astype("str"))
