"""Numbers as they are spelled today, where their country renumbered after somebody wrote them down."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import text_series
from dashboard.contacts.categories import among, noted, numbers_of
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.numbers.made_up import is_filler
from dashboard.contacts.problems import Problem
from dashboard.contacts.renumberings import (
    Reading,
    countries,
    in_todays_spelling,
    readings_of,
)
from dashboard.phones import clean_phones

__all__ = ["JUDGED", "judged_today", "looks_old", "with_renumbering"]

_AMERICAN = r"1[2-9]\d{9}"
_FOUND = ["phone", "valid", "country", "line_type", "parse_problem"]
JUDGED = ["read", "reading", *_FOUND]
"""What a text is read as."""


def judged_today(texts: pd.Series, homes: pd.Series) -> pd.DataFrame:
    """Judge texts, and read those that hold an old number as today's.

    Args:
        texts: One number each.
        homes: The country that each is dialled from; same index.

    Returns:
        The columns of `clean_phones`, with `parse_problem` for its problem; read, the number as it was
        written, and its reading (see `Reading`), where today's number is valid.
    """
    judged = clean_phones(texts, homes).rename(columns={"problem": "parse_problem"})
    numbers = numbers_of(judged["phone"])
    reading = readings_of(numbers)
    stays = (reading == Reading.EITHER) & ~_is_textable(judged)
    old = np.flatnonzero((reading != Reading.TODAYS) & ~stays)
    digits = texts.take(old).str.replace(r"\D", "", regex=True)
    is_american = digits.str.fullmatch(_AMERICAN).to_numpy(dtype=bool)  # Mexico's 1 was for calls from abroad
    old = old[~(is_filler(digits) | is_american)]
    judged = judged.assign(read=judged["phone"], reading=np.int64(Reading.TODAYS))
    if not len(old):
        return judged
    digits = pa.array(in_todays_spelling(numbers[old])).cast(pa.large_string())
    today = clean_phones("+" + text_series(digits), None)
    today = today.rename(columns={"problem": "parse_problem"}).set_axis(judged.index[old])
    today = today.assign(reading=reading[old])[today["valid"]]
    judged.loc[today.index, "reading"] = today["reading"]
    changed = today[today["reading"] != Reading.EITHER]
    judged.loc[changed.index, _FOUND] = changed[_FOUND]
    return judged


def with_renumbering(numbers: pd.DataFrame) -> pd.DataFrame:
    """Say which numbers were read as today's, and doubt those of which that is not certain.

    Args:
        numbers: Columns reading, repairs and doubt.
    """
    old = numbers["reading"]
    asks = old.isin([Reading.ASK, Reading.EITHER]) & numbers["doubt"].isna()
    return numbers.assign(
        repairs=noted(numbers["repairs"], old.isin([Reading.CERTAIN, Reading.ASK]), "renumbered"),
        doubt=numbers["doubt"].mask(asks, Problem.RENUMBERED.value),
    )


def looks_old(judged: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Which valid numbers of lines that take texts may be spelled as before a renumbering."""
    found = among(judged["country"], countries()) & _is_textable(judged)
    some = np.flatnonzero(found)
    found[some] = readings_of(numbers_of(judged["phone"].take(some))) != Reading.TODAYS
    return found


def _is_textable(judged: pd.DataFrame) -> npt.NDArray[np.bool_]:
    return judged["valid"].to_numpy() & among(judged["line_type"], TEXTABLE)
