"""A condition on a column of the sheet, such as "City is York", and the rows that meet it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.arguments import check_fields
from dashboard.contacts.arrow.distinct import encoded, repeats
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.choosing.values import dates_in, numbers_in
from dashboard.errors import ColumnError, OptionError
from dashboard.words import _

__all__ = ["Condition", "Test", "meets"]

Mask = npt.NDArray[np.bool_]


class Test(StrEnum):
    """What a condition asks of a cell. Texts are compared without regard to case and space around them.

    Example:
        >>> Test("one_of")
        <Test.ONE_OF: 'one_of'>
    """

    __test__ = False  # pytest

    IS = "is"
    IS_NOT = "is_not"
    CONTAINS = "contains"
    CONTAINS_NOT = "contains_not"
    ONE_OF = "one_of"
    NONE_OF = "none_of"
    BLANK = "blank"
    NOT_BLANK = "not_blank"
    BEFORE = "before"
    AFTER = "after"
    LESS = "less"
    MORE = "more"


_OPPOSITES = {
    Test.IS_NOT: Test.IS,
    Test.CONTAINS_NOT: Test.CONTAINS,
    Test.NONE_OF: Test.ONE_OF,
    Test.NOT_BLANK: Test.BLANK,
}
_COMPARED = (Test.BEFORE, Test.AFTER, Test.LESS, Test.MORE)


@dataclass(frozen=True)
class Condition:
    """What a cell has to be for its row to be chosen.

    Attributes:
        column: The column's name, as in `ContactList.sendable`.
        test: What is asked.
        value: What it is compared with: a text, a date such as 2026-11-30, a number such as 1200.50; several
            texts for `one_of` and `none_of`. Nothing for `blank` and `not_blank`.

    Raises:
        OptionError: The test is none of those that there are, or the value does not fit it.

    Example:
        >>> Condition("City", "one_of", ("York", "Leeds"))
        Condition(column='City', test=<Test.ONE_OF: 'one_of'>, value=('York', 'Leeds'))
    """

    column: str
    test: Test | str
    value: str | Sequence[str] = ""

    def __post_init__(self) -> None:
        if self.test not in list(Test):
            raise OptionError(
                _("A condition’s test is one of {tests}.").format(
                    tests=", ".join(test.value for test in Test)
                )
            )
        object.__setattr__(self, "test", Test(self.test))
        several = self.test in (Test.ONE_OF, Test.NONE_OF)
        if several == isinstance(self.value, str):
            raise OptionError(
                _("Give several values as a tuple.") if several else _("Give one value, as text.")
            )
        object.__setattr__(self, "value", tuple(self.value) if several else self.value)
        check_fields(self)
        if self.test in _COMPARED and np.isnan(self.limit()):
            raise OptionError(
                _("Write the date as in 2026-11-30.")
                if self.test in (Test.BEFORE, Test.AFTER)
                else _("Write the number as in 1200.50.")
            )

    def limit(self) -> float:
        """The date or number it compares with, NaN if the value is none."""
        return float(_compared(pd.Series([str(self.value)], dtype="str"), Test(self.test), None)[0])


def meets(cells: pd.DataFrame, condition: Condition, country: str | None) -> tuple[Mask, Mask]:
    """Which rows meet a condition, and in which nobody can tell because the cell is no date or number.

    A blank cell meets neither "before" nor "after", and nothing about it is unclear.

    Args:
        cells: Texts, with the condition's column.
        condition: What is asked.
        country: ISO 3166 country of the list, for the order of day and month.

    Raises:
        ColumnError: There is no such column.
    """
    if condition.column not in cells:
        raise ColumnError(
            _("The sheet has no column {name}. Choose one of those it has.").format(
                name=f'"{condition.column}"'
            )
        )
    column, test = cells[condition.column], Test(condition.test)
    nothing = np.zeros(len(column), np.bool_)
    if test not in _COMPARED:
        return _text_meets(column, test, condition.value), nothing
    values, limit = _compared(column, test, country), condition.limit()
    found = values < limit if test in (Test.BEFORE, Test.LESS) else values > limit
    return found, np.isnan(values) & ~_text_meets(column, Test.BLANK, "")


def _text_meets(column: pd.Series, test: Test, value: str | Sequence[str]) -> Mask:
    if test in _OPPOSITES:
        return ~_text_meets(column, _OPPOSITES[test], value)
    if not repeats(column):
        return _of_words(arrow_of(column), test, value)
    place, words = encoded(column)
    found: Mask = _of_words(words, test, value)[place]
    return found


def _of_words(words: pa.Array | pa.ChunkedArray, test: Test, value: str | Sequence[str]) -> Mask:
    """Which of these words pass."""
    folded = pc.utf8_lower(pc.utf8_trim_whitespace(words))
    asks: dict[Test, Callable[[], pa.Array]] = {
        Test.IS: lambda: pc.equal(folded, _folded(str(value))),
        Test.CONTAINS: lambda: pc.match_substring(folded, _folded(str(value))),
        Test.ONE_OF: lambda: pc.is_in(folded, pa.array(map(_folded, value), folded.type)),
        Test.BLANK: lambda: pc.equal(folded, ""),
    }
    return np.asarray(asks[test](), np.bool_)


def _folded(text: str) -> str:
    return str(pc.utf8_lower(text.strip()).as_py())


def _compared(column: pd.Series, test: Test, country: str | None) -> npt.NDArray[np.float64]:
    return dates_in(column, country) if test in (Test.BEFORE, Test.AFTER) else numbers_in(column)
