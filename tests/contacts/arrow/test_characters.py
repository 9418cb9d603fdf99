"""What is told of texts by their bytes is what Python says of their characters."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.arrow.characters import are_of_figures, begin_visibly, have_digits, have_none_of

FIGURES = [chr(code) for code in range(ord(" "), ord("9") + 1)]
texts = st.text(st.sampled_from([*FIGURES, *"aZ:~\x7f\t\n\0", "é", "\u0660", "日", "😀"]), max_size=12)
columns = st.lists(st.lists(texts, max_size=6), max_size=3)


def chunked(column: list[list[str]]) -> pa.ChunkedArray:
    """A column in pieces, each of which begins in the midst of its buffers."""
    pieces = [pa.array(["9é", *piece, "a9"], pa.large_string())[1:-1] for piece in column]
    return pa.chunked_array(pieces, pa.large_string())


@given(columns)
def test_bytes_tell_what_characters_do(column: list[list[str]]) -> None:
    given_texts, cells = chunked(column), [text for piece in column for text in piece]
    assert are_of_figures(given_texts).tolist() == [set(text) <= set(FIGURES) for text in cells]
    assert begin_visibly(given_texts).tolist() == [text[:1] > " " and text[:1] < "\x7f" for text in cells]
    assert have_none_of(given_texts, "-", "/").tolist() == [set("-./").isdisjoint(text) for text in cells]
    for fewest in (1, 7):
        counts = [sum(char in "0123456789" for char in text) for text in cells]
        assert have_digits(given_texts, fewest).tolist() == [count >= fewest for count in counts]


def test_a_text_of_very_many_digits_may_be_missed_but_none_of_few_is_named() -> None:
    lengths = [0, 6, 7, 255, 256, 262, 263]
    found = have_digits(chunked([["1" * length for length in lengths]]), 7).tolist()
    assert found[:4] == [False, False, True, True]
