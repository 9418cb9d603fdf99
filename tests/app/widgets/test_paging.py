"""A long list is shown page by page: every row on one page, whatever was chosen before it became shorter."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

_SCRIPT = """
import streamlit as st
from dashboard.app.widgets.paging import page_of
page = page_of(st.session_state["rows"], 200, "place")
st.session_state["shown"] = (page.number, page.pages, page.first, page.rows)
page.choose()
"""


def _page_of(rows: int, chosen: int | None) -> tuple[int, int, int, slice]:
    page = AppTest.from_string(_SCRIPT)
    page.session_state["rows"] = rows
    if chosen is not None:
        page.session_state["place"] = chosen
    assert not page.run().exception
    shown: tuple[int, int, int, slice] = page.session_state["shown"]
    return shown


@pytest.mark.parametrize("rows", [0, 1, 199, 200, 201, 450])
def test_every_row_is_on_one_page(rows: int) -> None:
    _, pages, _, _ = _page_of(rows, None)
    shown = [_page_of(rows, number) for number in range(1, pages + 1)]
    assert [row for *_, part in shown for row in range(rows)[part]] == list(range(rows))
    assert [first for _, _, first, _ in shown] == list(range(0, max(rows, 1), 200))


@pytest.mark.parametrize(("rows", "chosen", "number"), [(450, None, 1), (450, 3, 3), (201, 3, 2), (0, 3, 1)])
def test_a_page_that_is_gone_is_the_last_one(rows: int, chosen: int | None, number: int) -> None:
    assert _page_of(rows, chosen)[0] == number
