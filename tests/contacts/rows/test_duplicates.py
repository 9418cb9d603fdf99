"""Of rows with the same number one is kept."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.rows.duplicates import kept_instead

numbers = st.integers(1, 10**16) | st.integers(447400123450, 447400123460)


@given(st.lists(st.tuples(numbers, st.booleans()), max_size=200))
def test_the_first_row_that_is_ok_is_kept_else_the_first(rows: list[tuple[int, bool]]) -> None:
    expected: dict[int, int] = {}
    for wanted in (True, False):
        for place, (number, is_ok) in enumerate(rows):
            if is_ok is wanted:
                expected.setdefault(number, place)
    kept = kept_instead(np.array([n for n, _ in rows], np.int64), np.array([ok for _, ok in rows], np.bool_))
    assert kept.tolist() == [-1 if expected[n] == at else expected[n] for at, (n, _) in enumerate(rows)]
