"""Every number's first row, whatever the order and the amount."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.phones.first_rows import NEW, FirstRows

numbers = st.integers(1, 10**16) | st.integers(447400123450, 447400123460)


@given(st.lists(st.lists(numbers, max_size=30), max_size=8))
def test_it_is_a_dictionary_of_first_rows(batches: list[list[int]]) -> None:
    seen = FirstRows()
    first: dict[int, int] = {}
    row = 2
    for batch in batches:
        rows = np.arange(row, row + len(batch))
        found = seen.note(np.array(batch, np.int64), rows).tolist()
        expected = []
        for number, number_row in zip(batch, rows.tolist(), strict=True):
            expected.append(first.get(number, NEW))
            first.setdefault(number, number_row)
        assert found == expected
        assert seen.find(np.array(batch, np.int64)).tolist() == [first[number] for number in batch]
        assert seen.find(np.array([10**17], np.int64)).tolist() == [NEW]
        row += len(batch)


@pytest.mark.parametrize("expected", [0, 300_000])
def test_it_grows_beyond_what_was_expected(expected: int) -> None:
    seen = FirstRows(expected)
    many = np.arange(447_400_000_000, 447_400_300_000)
    for start in range(0, len(many), 50_000):
        part = slice(start, start + 50_000)
        assert (seen.note(many[part], np.arange(start, start + 50_000)) == NEW).all()
    shuffled = np.random.default_rng(1).permutation(len(many))
    np.testing.assert_array_equal(seen.note(many[shuffled], shuffled), shuffled)
