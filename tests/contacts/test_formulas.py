"""No cell that we write begins as a formula, and each comes back as it was."""

from __future__ import annotations

import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts.formulas import disarm, restore

UNSEEN = " \t\r\n\x0b\x0c\x00\x85\xa0\xad\u200b\u200e\u2028\u202f\u2060\u3000\ufeff"
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
CELLS = st.text(st.sampled_from(UNSEEN + SIGNS + "'" + 'a1("'), max_size=6) | st.text(max_size=8)


@settings(max_examples=draws(500))
@given(st.lists(CELLS, min_size=1, max_size=20))
@example([unseen + sign + "1" for unseen in UNSEEN for sign in SIGNS])
@example(["\n=1+1", " =1+1", "\u200b=1+1", "\ufeff=1+1", "\uff1d1+1", "' =1", " '=1", "+447400123456"])
def test_a_formula_is_a_text_and_comes_back(cells: list[str]) -> None:
    cells = [cell for cell in cells if not any(0xD800 <= ord(letter) < 0xE000 for letter in cell)] or ["=1"]
    texts = pd.Series(cells, dtype="str")
    written = disarm(texts)
    for cell, seen in zip(cells, written, strict=True):
        is_phone = cell[:1] == "+" and cell[1:].isascii() and cell[1:].isdigit() and 7 <= len(cell[1:]) <= 15
        assert is_phone or seen.lstrip(UNSEEN)[:1] not in set(SIGNS)
    assert restore(written).tolist() == cells
