"""Which numbers were seen before, and where: duplicates in a list that does not fit into memory.

A hash table in two arrays, 12 bytes per slot: a Python dict takes 114 bytes per number, 570 MB for 5 million.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dashboard.phones.kernel import COMPILED, Array, compiled

FREE = 0  # no phone is +0
NEW = -1
FEWEST_SLOTS = (1 << 16) + 1
FULLEST = 0.7


@compiled
def note_rows(keys: Array, rows: Array, slot_keys: Array, slot_rows: Array, first_rows: Array) -> int:
    """Look each key up, and note its row if it is new; FREE keys are skipped.

    `first_rows` gets the row of each key's first appearance, NEW where that is the row itself.

    Returns:
        How many keys were new.
    """
    slots = len(slot_keys)
    new = 0
    for i in range(len(keys)):
        key = keys[i]
        first_rows[i] = NEW
        if key == FREE:
            continue
        slot = key % slots  # consecutive numbers get consecutive slots, which is quick
        while slot_keys[slot] != FREE and slot_keys[slot] != key:
            slot = (slot + 1) % slots
        if slot_keys[slot] == key:
            first_rows[i] = slot_rows[slot]
        else:
            slot_keys[slot] = key
            slot_rows[slot] = rows[i]
            new += 1
    return new


@compiled
def find_rows(keys: Array, slot_keys: Array, slot_rows: Array, first_rows: Array) -> int:
    """Look each key up; `first_rows` gets its row, NEW where it is not known.

    Returns:
        How many keys are known.
    """
    slots = len(slot_keys)
    known = 0
    for i in range(len(keys)):
        key = keys[i]
        first_rows[i] = NEW
        if key == FREE:
            continue
        slot = key % slots
        while slot_keys[slot] != FREE and slot_keys[slot] != key:
            slot = (slot + 1) % slots
        if slot_keys[slot] == key:
            first_rows[i] = slot_rows[slot]
            known += 1
    return known


class FirstRows:
    """The row of each number's first appearance, in a list of up to 2 billion rows.

    Example:
        >>> seen = FirstRows()
        >>> seen.note(np.array([447400123456, 33612345678]), np.array([2, 3])).tolist()
        [-1, -1]
        >>> seen.note(np.array([447400123456]), np.array([4])).tolist()
        [2]
    """

    def __init__(self, expected: int = 0) -> None:
        self._keys, self._rows = _slots(expected)
        self._used = 0

    def note(self, numbers: Array, rows: Array) -> Array:
        """Note numbers in the order of the list.

        Args:
            numbers: E.164 without the plus sign, as int64.
            rows: The row of each.

        Returns:
            For each, the row where its number first appeared, or NEW.
        """
        if self._used + len(numbers) > FULLEST * len(self._keys):
            self._grow(2 * (self._used + len(numbers)))
        first_rows = np.empty(len(numbers), np.int32)
        self._used += _note(numbers, rows, self._keys, self._rows, first_rows)
        return first_rows

    def find(self, numbers: Array) -> Array:
        """For each number, the row where it first appeared, or NEW; nothing is noted."""
        first_rows = np.empty(len(numbers), np.int32)
        _call(find_rows, np.ascontiguousarray(numbers, np.int64), self._keys, self._rows, first_rows)
        return first_rows

    def _grow(self, expected: int) -> None:
        keys, rows = self._keys, self._rows
        self._keys, self._rows = _slots(expected)
        _note(keys, rows, self._keys, self._rows, np.empty(len(keys), np.int32))


def _slots(expected: int) -> tuple[Array, Array]:
    """Room for this many numbers; an odd count, as an even one would ignore the last bit of each number."""
    count = max(FEWEST_SLOTS, int(expected / FULLEST)) | 1
    return np.zeros(count, np.int64), np.zeros(count, np.int32)


def _note(numbers: Array, rows: Array, slot_keys: Array, slot_rows: Array, first_rows: Array) -> int:
    keys = np.ascontiguousarray(numbers, np.int64)
    row_numbers = np.ascontiguousarray(rows, np.int32)
    return _call(note_rows, keys, row_numbers, slot_keys, slot_rows, first_rows)


def _call(rows_function: Any, *arrays: Array) -> int:
    given: tuple[Any, ...] = arrays if COMPILED else tuple(array.data for array in arrays)
    return int(rows_function(*given))
