"""What a batch's other columns say: the phone to read, the country it is dialled from, and who refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.answers import opted_out, says_yes
from dashboard.contacts.columns import ColumnMap
from dashboard.contacts.countries import country_of
from dashboard.contacts.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.phones import clean_phones
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.stream_source import CsvSource
from dashboard.contacts.stream_verdicts import BatchVerdict, numbers_of

__all__ = ["Refusals", "consent_is_unclear", "homes", "phone_texts", "read_refusals"]

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


def phone_texts(cells: pa.RecordBatch, columns: ColumnMap) -> pa.Array:
    """The first phone cell of each row that is not blank."""
    first, *others = columns.phones
    texts = cells.column(first)
    for column in others:
        texts = pc.if_else(pc.equal(texts, ""), cells.column(column), texts)
    return texts


def homes(
    cells: pa.RecordBatch, columns: ColumnMap, country: str | None
) -> tuple[str | pd.Series | None, Mask]:
    """The country that each row's phone is dialled from, and whether the row names one that nobody knows."""
    if columns.country is None:
        return country, np.zeros(len(cells), np.bool_)
    place, words = _distinct(cells, columns.country)
    own = [country_of(word) for word in words]
    is_unclear = np.array(
        [bool(word.strip()) and code is None for word, code in zip(words, own, strict=True)]
    )
    codes = pd.Series([code or country for code in own], dtype="str").astype("category")
    return pd.Series(codes.array.take(place)), is_unclear[place]


def consent_is_unclear(cells: pa.RecordBatch, columns: ColumnMap) -> Mask:
    """Whether a consent cell of each row says neither yes nor no."""
    unclear = np.zeros(len(cells), np.bool_)
    for column in columns.consents:
        unclear |= _where(cells, column, lambda word: says_yes(word) is None)
    return unclear


def _where(cells: pa.RecordBatch, column: str, is_so: Callable[[str], bool]) -> Mask:
    place, words = _distinct(cells, column)
    mask: Mask = np.array([is_so(word) for word in words], np.bool_)[place]
    return mask


def _distinct(cells: pa.RecordBatch, column: str) -> tuple[npt.NDArray[Any], list[str]]:
    """For each row the position of its word among the column's distinct words, and these."""
    encoded = cells.column(column).dictionary_encode()
    return encoded.indices.to_numpy(), encoded.dictionary.to_pylist()


@dataclass(frozen=True)
class Refusals:
    """The numbers that must not be texted, by reason; the last reason that applies counts."""

    numbers: dict[Problem, pd.Index]

    def apply(self, verdict: BatchVerdict) -> None:
        """Mark rows that would be texted otherwise."""
        for problem, numbers in self.numbers.items():
            if len(numbers):
                refused = (numbers.get_indexer(pd.Index(verdict.number)) >= 0) & (verdict.number != 0)
                verdict.set(refused, Status.OPTED_OUT, problem)


def read_refusals(source: CsvSource, columns: ColumnMap, country: str | None, opt_outs: OptOuts) -> Refusals:
    """Find all who refused, before the first row is written: a "no" in the last row undoes a "yes" above.

    This reads the file a second time, but only if it has a column that can say no.
    """
    listed = numbers_of_opt_outs(opt_outs, country)
    found = {Problem.NO_CONSENT: [], Problem.OPTED_OUT: [], Problem.ON_OPT_OUT_LIST: [listed]}
    asked: list[tuple[str, Problem, Callable[[str], bool]]] = [
        *((column, Problem.NO_CONSENT, lambda word: says_yes(word) is False) for column in columns.consents),
        *((column, Problem.OPTED_OUT, opted_out) for column in columns.opt_outs),
    ]
    for batch in source.batches(only=columns.columns) if asked else ():
        home, _ = homes(batch.cells, columns, country)
        for column, problem, says_no in asked:
            refusing = _where(batch.cells, column, says_no)
            found[problem] += [_numbers_in(batch.cells, phone, home, refusing) for phone in columns.phones]
    return Refusals({problem: _index(numbers) for problem, numbers in found.items()})


def _numbers_in(cells: pa.RecordBatch, column: str, home: str | pd.Series | None, where: Mask) -> Numbers:
    texts = pd.Series(cells.column(column).filter(pa.array(where)), dtype=pd.ArrowDtype(pa.large_string()))
    country = home[where].reset_index(drop=True) if isinstance(home, pd.Series) else home
    return _valid_numbers(clean_phones(texts, country))


def _valid_numbers(judged: pd.DataFrame) -> Numbers:
    return numbers_of(pa.array(judged["phone"][judged["valid"]].array))


def _index(numbers: list[Numbers]) -> pd.Index:
    index: pd.Index[int] = pd.Index(np.unique(np.concatenate([np.empty(0, np.int64), *numbers])))
    return index
