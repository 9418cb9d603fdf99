"""Values of any dtype as the texts that a person would write for them."""

from __future__ import annotations

import re
from datetime import datetime, time
from decimal import Decimal

import numpy as np
import pandas as pd

__all__ = ["LOST", "as_text", "as_texts", "whole_characters"]

LOST = "\ufffd"
"""Stands for a character that was lost, as in files read with the wrong encoding."""

_HALVES = re.compile("[\ud800-\udfff]")
_EXACT = 2**53
"""Up to here a float distinguishes every whole number."""

_SHORT_BYTES = 4
_EXACT_IN_SHORT = 2**24
"""The same of a short float; beyond, it is written in scientific notation, and nobody is texted there."""

_OF_MONEY = 2
"""Decimals."""

_LONGEST = 100
"""Digits of a Decimal that are written out."""


def as_texts(values: pd.Series) -> pd.Series:
    r"""A column as text; missing values stay missing.

    A whole number that pandas made a float, because a cell in its column is missing, is written as the whole
    number it is; one that has lost digits in a short float, in scientific notation. Zeros that databases add
    to decimals are dropped. A day is written without the midnight it begins with. Half a surrogate pair,
    which is no character, becomes the sign for a lost one.

    Example:
        >>> as_texts(pd.Series([12.0, None, 2.5])).tolist()
        ['12', nan, '2.5']
    """
    if isinstance(values.dtype, pd.SparseDtype):
        values = values.astype(values.dtype.subtype)
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
    if isinstance(value, float | np.floating | Decimal):
        return _number_as_text(value)
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


def _number_as_text(value: float | np.floating | Decimal) -> str:
    if isinstance(value, Decimal):
        return _without_padding(value)
    number, is_short = float(value), _is_short(value)
    if number.is_integer() and abs(number) < (_EXACT_IN_SHORT if is_short else _EXACT):
        return str(int(number))
    if not is_short or not np.isfinite(number):
        return str(value)
    is_lost = abs(number) > _EXACT_IN_SHORT
    return f"{number:.6e}" if is_lost else np.format_float_positional(value, trim="-")


def _is_short(value: object) -> bool:
    """Whether this float, or a column of this dtype, has no more than 4 bytes."""
    return getattr(value, "itemsize", _SHORT_BYTES + 1) <= _SHORT_BYTES


def _without_padding(value: Decimal) -> str:
    """Without the zeros with which databases fill up decimals, even those of whole numbers."""
    if abs(value.adjusted()) > _LONGEST:
        return str(value)
    whole, _, decimals = (text := f"{value:f}").partition(".")
    if len(decimals) <= _OF_MONEY:
        return text
    return f"{whole}.{left:0<{_OF_MONEY}}" if (left := decimals.rstrip("0")) else whole


def _floats_as_texts(values: pd.Series) -> pd.Series:
    if _is_short(values.dtype):
        return values.map(lambda value: as_text(np.float32(value)), na_action="ignore").astype("str")
    texts = values.astype("str")
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    is_whole = (np.abs(numbers) < _EXACT) & (numbers == np.floor(numbers))
    if not is_whole.any():
        return texts
    whole = pd.Series(np.where(is_whole, numbers, 0).astype(np.int64), values.index)
    return texts.mask(is_whole, whole.astype("str"))
